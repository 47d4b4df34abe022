import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { outcomeOf } from '../../src/gate/outcome.ts';
import { helpfulAccept } from '../../src/publish/accept-helps.ts';
import { aPublication } from '../support/a-publication.ts';

const at = { profile: 'server:2025-11-25', scenario: 'tools-list', check: 'tools-list' };
const expired: Finding = { kind: 'exception-expired', ...at, expires: '2026-11-30' };
const unreviewed: Finding = {
  kind: 'unreviewed',
  ...at,
  statuses: ['FAILURE'],
  firstLine: 'x',
  fingerprint: 'sha256:x',
};
const passing: Finding = { kind: 'now-passing', ...at, expected: ['FAILURE'] };
const dead: Finding = { kind: 'target-not-ready', timeoutMs: 1, last: 'connect ECONNREFUSED' };

test.each<[string, Finding[], string | undefined]>([
  ['what only a person can date', [expired, unreviewed], undefined],
  ['something that accept writes, among others', [expired, passing], 'gate accept'],
  ['nothing measured', [dead], undefined],
  ['nothing wrong', [], undefined],
])('%s: %#', (_what, findings, expected) => {
  const { verdict, checks } = aPublication({ more: { findings, outcome: outcomeOf(findings) } });
  expect(helpfulAccept({ verdict, checks, commands: { accept: 'gate accept' } })).toBe(expected);
  expect(helpfulAccept({ verdict, checks })).toBeUndefined();
});
