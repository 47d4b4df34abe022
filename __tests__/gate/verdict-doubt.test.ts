import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import type { ProfileVerdict, Verdict } from '../../src/gate/verdict.ts';
import { verdictDoubt } from '../../src/gate/verdict-doubt.ts';
import { aCheck, anExceptedCheck, aProfile, aVerdict } from '../support/a-publication.ts';

const passing = aProfile('server:2025-11-25', [aCheck(), anExceptedCheck({ check: 'known' })]);
const failing = aProfile('server:2026-07-28', [aCheck({ status: 'FAILURE' })]);
const changed: Finding = { kind: 'pin-mismatch', profile: 'p', reviewed: 'a', running: 'b' };
const broken: Finding = { kind: 'vanished-check', profile: 'p', scenario: 's', check: 'c' };
const lost: Finding = { kind: 'no-verdict', profile: 'p', scenario: 's', why: 'empty' };
const refused: Finding = { kind: 'probe-failed', when: 'before', url: 'u', reason: 'refused', message: 'm' };

const pass = { outcome: 'pass', outcomeClass: 'pass' } as const;
const stale = { outcome: 'fail', outcomeClass: 'stale' } as const;
const unreachable = { outcome: 'inconclusive', outcomeClass: 'target' } as const;

/** A profile that calls itself passing, whatever it counted. */
const counting = (scenarios: Partial<ProfileVerdict['counts']['scenarios']>): ProfileVerdict => ({
  ...passing,
  counts: { ...passing.counts, scenarios: { ...passing.counts.scenarios, ...scenarios } },
});

test.each<[string, Partial<Verdict>]>([
  ['a pass', { ...pass, profiles: [passing] }],
  ['a pass of two profiles', { ...pass, profiles: [passing, { ...passing, profile: 'server:2026-07-28' }] }],
  ['what differs', { ...stale, findings: [changed, broken], profiles: [failing] }],
  [
    'the first class that somebody has to act on',
    { outcome: 'fail', outcomeClass: 'regression', findings: [changed, lost] },
  ],
  [
    'what differs beside a profile that passes',
    { ...stale, findings: [changed], profiles: [passing, failing] },
  ],
  ['what was not measured, without any profile', { ...unreachable, findings: [refused] }],
  ['what was not measured beside what differs', { ...unreachable, findings: [refused, changed] }],
])('believable: %s', (_what, verdict) => {
  expect(verdictDoubt(aVerdict(verdict))).toBeUndefined();
});

test.each<[string, Partial<Verdict>, string]>([
  [
    'a pass in spite of a finding',
    { ...pass, findings: [changed], profiles: [passing] },
    'It says pass, but its findings say fail.',
  ],
  [
    'a pass in spite of what was not measured',
    { ...pass, findings: [refused], profiles: [passing] },
    'It says pass, but its findings say inconclusive.',
  ],
  [
    'a fail that was not measured',
    { ...stale, findings: [changed, refused] },
    'It says fail, but its findings say inconclusive.',
  ],
  [
    'a fail without a reason',
    { ...stale, findings: [], profiles: [passing] },
    'It says fail, but its findings say pass.',
  ],
  [
    'a milder class than its findings have',
    { ...stale, findings: [changed, lost] },
    'Its class stale does not follow from its findings.',
  ],
  [
    'a pass that somebody has to act on',
    { ...pass, outcomeClass: 'review', profiles: [passing] },
    'Its class review does not follow from its findings.',
  ],
  ['a pass of nothing', { ...pass, profiles: [] }, 'It says pass, but holds no profile.'],
  [
    'a profile that failed',
    { ...pass, profiles: [passing, { ...passing, profile: 'server:2026-07-28', outcome: 'fail' }] },
    'It says pass, but server:2026-07-28 did not.',
  ],
  [
    'a profile that was not measured',
    { ...pass, profiles: [{ ...passing, outcome: 'inconclusive' }] },
    'It says pass, but server:2025-11-25 did not.',
  ],
  [
    'a passing profile with a failing scenario',
    { ...pass, profiles: [counting({ failing: 1 })] },
    'It says pass, but server:2025-11-25 did not.',
  ],
  [
    'a passing profile with a scenario that was not measured',
    { ...pass, profiles: [counting({ notMeasured: 1 })] },
    'It says pass, but server:2025-11-25 did not.',
  ],
])('not believable: %s', (_what, verdict, doubt) => {
  expect(verdictDoubt(aVerdict(verdict))).toBe(doubt);
});
