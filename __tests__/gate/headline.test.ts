import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { headline } from '../../src/gate/headline.ts';
import type { ProfileVerdict } from '../../src/gate/verdict.ts';
import { aCheck, anExceptedCheck, aProfile } from '../support/a-publication.ts';

const check = { profile: 'server:2025-11-25', scenario: 'ping', check: 'ping' };
const said = { statuses: ['FAILURE'], firstLine: 'no', fingerprint: 'sha256:0' };
const changed: Finding = { kind: 'status-changed', ...check, expected: ['SUCCESS'], ...said };
const stale: Finding = { kind: 'now-passing', ...check, expected: ['FAILURE'] };
const unreviewed: Finding = { kind: 'unreviewed', ...check, ...said };
const unclassified = (profile: string): Finding => ({ kind: 'unclassified', ...check, profile, ...said });
const otherPin = (profile: string): Finding => ({
  kind: 'pin-mismatch',
  profile,
  reviewed: 'a',
  running: 'b',
});
const died: Finding = { kind: 'target-start-failed', exitCode: 1, signal: null, afterMs: 400 };

test.each<[string, Finding[], string]>([
  ['regressions and stale ones', [changed, changed, stale], '2 regressions and 1 stale exception.'],
  [
    'three kinds',
    [changed, stale, unreviewed, unreviewed],
    '1 regression, 1 stale exception and 2 exceptions to review.',
  ],
  ['a baseline of another pin', [otherPin('p'), stale], '2 stale entries of the baseline.'],
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
    'three causes',
    [died, { ...died, afterMs: 500 }, { ...died, afterMs: 600 }],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1). And 2 more causes.',
  ],
  [
    'a cause of two profiles',
    [{ ...died, profile: 'server:2025-11-25', alsoIn: ['server:2026-07-28'] }],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1) (server:2025-11-25, server:2026-07-28).',
  ],
  [
    'a cause of one profile',
    [{ ...died, profile: 'server:2025-11-25' }],
    'Could not measure: the target ended after 0.4 s without ever answering (exit code 1) (server:2025-11-25).',
  ],
])('%s', (_what, findings, expected) => {
  expect(headline(findings, [])).toBe(expected);
});

const bare = aProfile('bare', [aCheck()]);
const reviewed = aProfile('reviewed', [aCheck(), anExceptedCheck({ check: 'known' })]);

test.each<[string, Finding[], ProfileVerdict[], string]>([
  [
    'no profile has an exception',
    [unclassified('bare'), unclassified('other')],
    [bare, { ...bare, profile: 'other' }],
    '2 checks are not a success and have no reviewed exception.',
  ],
  [
    'every profile has some',
    [unclassified('reviewed'), unclassified('other')],
    [reviewed, { ...reviewed, profile: 'other' }],
    '2 regressions.',
  ],
  [
    'only one of the profiles has some',
    [unclassified('reviewed'), unclassified('bare'), unclassified('bare')],
    [bare, reviewed],
    '1 regression and 2 checks without an exception.',
  ],
  [
    'one check of the profile that has none',
    [{ ...changed, profile: 'reviewed' }, unclassified('bare')],
    [bare, reviewed],
    '1 regression and 1 check without an exception.',
  ],
  [
    'something else is wrong with the profile that has none',
    [otherPin('bare'), unclassified('bare')],
    [bare],
    '1 stale entry of the baseline and 1 check without an exception.',
  ],
])(
  'a check without an exception is a regression only beside reviewed ones: %s',
  (_what, findings, profiles, expected) => {
    expect(headline(findings, profiles)).toBe(expected);
  },
);

const left = {
  scenario: 'left',
  scored: true,
  result: 'not-evaluated',
  checks: { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 },
} as const;
const notAskedFor = aProfile('partial', [aCheck()], { also: [left] });
const unlisted = aProfile('partial', [aCheck()], { notEvaluated: [{ scenario: 'left', check: 'c' }] });

test.each<[string, ProfileVerdict[], string]>([
  ['one profile', [bare], 'Passes without an exception: 1 profile, 1 scenario.'],
  [
    'exceptions of two profiles',
    [reviewed, reviewed],
    'Passes its reviewed baseline: 2 profiles, 2 scenarios, 2 reviewed exceptions.',
  ],
  [
    'a scenario that nobody asked for is not counted',
    [notAskedFor],
    'Passes without an exception: 1 profile, 1 scenario. A partial run: not every scenario was asked for.',
  ],
  [
    'one partial profile is enough',
    [bare, notAskedFor],
    'Passes without an exception: 2 profiles, 2 scenarios. A partial run: not every scenario was asked for.',
  ],
  [
    'only exceptions were left out',
    [unlisted],
    'Passes without an exception: 1 profile, 1 scenario. A partial run: not every scenario was asked for.',
  ],
  [
    'partial, with exceptions',
    [reviewed, notAskedFor],
    'Passes its reviewed baseline: 2 profiles, 2 scenarios, 1 reviewed exception. A partial run: not every scenario was asked for.',
  ],
])('a pass says how much was measured: %s', (_what, profiles, expected) => {
  expect(headline([], profiles)).toBe(expected);
});
