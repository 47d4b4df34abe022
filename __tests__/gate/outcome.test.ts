import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { outcomeClassOf } from '../../src/gate/outcome.ts';

const malformed: Finding = { kind: 'malformed-report', folder: 'f', message: 'm' };

test.each<[string, Finding[], string]>([
  ['a report of the referee', [malformed], 'referee'],
  ['a whole report folder', [{ ...malformed, of: 'gate' }], 'setup'],
  ['what else is not there', [{ kind: 'missing-report', scenario: 's' }], 'referee'],
  ['nothing', [], 'pass'],
])('who has to act on it: %s', (_what, findings, outcomeClass) => {
  expect(outcomeClassOf(findings)).toBe(outcomeClass);
});
