import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { headline } from '../../src/gate/headline.ts';

const check = { profile: 'server:2025-11-25', scenario: 'ping', check: 'ping' };
const said = { statuses: ['FAILURE'], firstLine: 'no', fingerprint: 'sha256:0' };
const changed: Finding = { kind: 'status-changed', ...check, expected: ['SUCCESS'], ...said };
const stale: Finding = { kind: 'now-passing', ...check, expected: ['FAILURE'] };
const unreviewed: Finding = { kind: 'unreviewed', ...check, ...said };
const died: Finding = { kind: 'target-start-failed', exitCode: 1, signal: null, afterMs: 400 };

test.each<[string, Finding[], string]>([
  ['regressions and stale ones', [changed, changed, stale], '2 regressions and 1 stale exception.'],
  [
    'three kinds',
    [changed, stale, unreviewed, unreviewed],
    '1 regression, 1 stale exception and 2 exceptions to review.',
  ],
  [
    'a baseline of another pin',
    [{ kind: 'pin-mismatch', profile: 'p', reviewed: 'a', running: 'b' }, stale],
    '2 stale entries of the baseline.',
  ],
  ['only a review', [unreviewed], '1 exception to review.'],
  [
    'a target that ended',
    [died],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1).',
  ],
  [
    'two causes beside a regression',
    [died, { ...died, afterMs: 500 }, changed],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1). And 1 more cause.',
  ],
  [
    'a cause of one profile',
    [{ ...died, profile: 'server:2025-11-25' }],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1) (server:2025-11-25).',
  ],
])('%s', (_what, findings, expected) => {
  expect(headline(findings, [])).toBe(expected);
});
