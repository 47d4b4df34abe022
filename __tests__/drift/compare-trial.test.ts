import { expect, test } from 'vitest';
import { compareProfile } from '../../src/drift/compare-trial.ts';
import { driftOutcome } from '../../src/drift/report.ts';
import type { Measured } from '../../src/drift/trial.ts';
import { runTrial, type TrialOptions } from '../../src/drift/trial.ts';
import { ConfigError, MeasurementFault } from '../../src/shared/errors.ts';
import { aDriftReport, aMovedReferee, aSameSpec } from '../support/drift-report.ts';
import { aCheck, aMeasured, PROFILE } from '../support/measured.ts';

test('every way a check can differ is one difference, sorted', () => {
  const before = aMeasured({
    checks: [
      aCheck({ scenario: 'a', check: 'kept' }),
      aCheck({ scenario: 'a', check: 'gone', statuses: ['FAILURE'], disposition: 'excepted' }),
      aCheck({ scenario: 'b', check: 'status' }),
      aCheck({
        scenario: 'b',
        check: 'words',
        statuses: ['FAILURE'],
        fingerprint: 'sha256:1',
        evidence: 'old words',
      }),
    ],
  });
  const now = aMeasured({
    checks: [
      aCheck({
        scenario: 'b',
        check: 'words',
        statuses: ['FAILURE'],
        fingerprint: 'sha256:2',
        evidence: 'new words',
      }),
      aCheck({
        scenario: 'b',
        check: 'status',
        statuses: ['WARNING'],
        fingerprint: 'sha256:3',
        evidence: 'why',
      }),
      aCheck({ scenario: 'a', check: 'kept' }),
      aCheck({ scenario: 'a', check: 'fresh' }),
    ],
  });
  expect(compareProfile(PROFILE, before, now)).toMatchObject({
    kind: 'measured',
    differences: [
      { kind: 'new', scenario: 'a', check: 'fresh', passes: true },
      { kind: 'vanished', scenario: 'a', check: 'gone', excepted: true },
      {
        kind: 'status',
        scenario: 'b',
        check: 'status',
        before: ['SUCCESS'],
        now: ['WARNING'],
        passes: false,
        evidence: 'why',
      },
      { kind: 'evidence', scenario: 'b', check: 'words', before: 'old words', now: 'new words' },
    ],
  });
});

test('evidence that a reviewed exception covers, or that nobody scores, is no difference', () => {
  const words = (fingerprint: string, more: object) =>
    aMeasured({ checks: [aCheck({ statuses: ['FAILURE'], fingerprint, ...more })] });
  const excepted = { disposition: 'excepted' as const };
  expect(compareProfile(PROFILE, words('sha256:1', excepted), words('sha256:2', excepted))).toMatchObject({
    differences: [],
  });
  const unscored = { disposition: 'not-scored' as const, scored: false };
  expect(compareProfile(PROFILE, words('sha256:1', unscored), words('sha256:2', unscored))).toMatchObject({
    differences: [],
  });
});

test('only what the candidate brings is told apart: breaking, stale, and what the new pin settles by itself', () => {
  const check = { profile: PROFILE, scenario: 'a' };
  const old = {
    kind: 'unclassified' as const,
    ...check,
    check: 'old',
    statuses: ['FAILURE'],
    firstLine: 'x',
    fingerprint: 'f',
  };
  const fresh = { ...old, check: 'fresh' };
  const before = aMeasured({ findings: [old] });
  const now = aMeasured({
    findings: [
      old,
      fresh,
      { kind: 'now-passing', ...check, check: 'mended', expected: ['FAILURE'] },
      { kind: 'pin-mismatch', profile: PROFILE, reviewed: 'a', running: 'b' },
      {
        kind: 'unclassified',
        ...check,
        profile: 'server:2026-07-28',
        check: 'other',
        statuses: [],
        firstLine: '',
        fingerprint: '',
      },
    ],
  });
  expect(compareProfile(PROFILE, before, now)).toMatchObject({
    breaks: [{ check: 'fresh' }],
    stale: [{ kind: 'now-passing', check: 'mended' }],
  });
});

test('scenario lists are compared too', () => {
  const before = aMeasured({
    scenarios: [
      ['a', true],
      ['b', true],
      ['c', false],
    ],
  });
  const now = aMeasured({
    scenarios: [
      ['b', false],
      ['c', true],
      ['d', true],
    ],
  });
  expect(compareProfile(PROFILE, before, now)).toMatchObject({
    scenarios: [
      { scenario: 'a', kind: 'removed' },
      { scenario: 'b', kind: 'no-longer-scored' },
      { scenario: 'c', kind: 'scored-now' },
      { scenario: 'd', kind: 'added' },
    ],
  });
});

test('a side that was not measured is said to be so, with its reasons', () => {
  const died = { kind: 'target-died', profile: PROFILE, exitCode: 1, signal: null, afterMs: 10 } as const;
  const bad = aMeasured({ outcome: 'inconclusive', findings: [died] });
  expect(compareProfile(PROFILE, aMeasured(), bad)).toEqual({
    kind: 'not-measured',
    profile: PROFILE,
    which: 'candidate',
    findings: [died],
  });
  expect(compareProfile(PROFILE, bad, aMeasured())).toMatchObject({ kind: 'not-measured', which: 'current' });
  expect(compareProfile('server:2026-07-28', aMeasured(), aMeasured())).toMatchObject({
    kind: 'not-measured',
  });
});

function trial(overrides: Partial<TrialOptions>) {
  const plan = { profiles: [{ profile: { id: PROFILE } }] } as unknown as TrialOptions['plan'];
  return runTrial({
    candidate: 'npm:0.2.0-alpha.12',
    currentPin: 'npm:0.2.0-alpha.11',
    plan,
    current: async () => aMeasured(),
    prepare: async (given) => given,
    measure: async () => aMeasured(),
    ...overrides,
  });
}

const unavailable = new MeasurementFault({ kind: 'referee-unavailable', pin: 'x', message: 'no network' });

test('a candidate that cannot be installed, one that cannot run the profiles, and a bug are told apart', async () => {
  expect(await trial({ prepare: () => Promise.reject(unavailable) })).toMatchObject({
    kind: 'not-measured',
    which: 'candidate',
    findings: [{ kind: 'referee-unavailable' }],
  });
  expect(
    await trial({
      measure: () => Promise.reject(new ConfigError('has no requirement sets', { hint: 'pin another' })),
    }),
  ).toMatchObject({
    kind: 'not-measured',
    impossible: { message: 'has no requirement sets', hint: 'pin another' },
  });
  expect(await trial({ current: () => Promise.reject(unavailable) })).toMatchObject({ which: 'current' });
  const died = aMeasured({
    outcome: 'inconclusive',
    findings: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 }],
  });
  const neverAsked = () => Promise.reject(new Error('the candidate is not run for nothing'));
  expect(await trial({ current: async () => died, measure: neverAsked })).toMatchObject({
    kind: 'not-measured',
    which: 'current',
    findings: [{ kind: 'target-died' }],
  });
  await expect(trial({ measure: () => Promise.reject(new TypeError('bug')) })).rejects.toThrow('bug');
  const stop = new MeasurementFault({ kind: 'interrupted', signal: 'SIGINT' });
  await expect(trial({ measure: () => Promise.reject(stop) })).rejects.toBe(stop);
});

test.each([
  ['no trial was needed', { trial: { kind: 'not-needed' } }, 'none', ['pass', 'fail', 'pass']],
  ['the same', { trial: aTrialOf(aMeasured()) }, 'harmless', ['pass', 'fail', 'pass']],
  [
    'stale',
    {
      trial: aTrialOf(
        aMeasured({
          findings: [{ kind: 'not-emitted', profile: PROFILE, scenario: 'a', check: 'b', expected: [] }],
        }),
      ),
    },
    'stale',
    ['pass', 'fail', 'pass'],
  ],
  [
    'breaking',
    {
      trial: aTrialOf(
        aMeasured({ findings: [{ kind: 'no-verdict', profile: PROFILE, scenario: 'a', why: 'empty' }] }),
      ),
    },
    'breaking',
    ['pass', 'fail', 'fail'],
  ],
  [
    'not measured',
    { trial: aTrialOf(aMeasured({ outcome: 'inconclusive' })) },
    'not-measured',
    ['pass', 'fail', 'inconclusive'],
  ],
] as const)('%s: impact and what fail-on-drift makes of it', async (_, given, impact, outcomes) => {
  const report = aDriftReport({ sources: [aMovedReferee()], ...(given as object) });
  expect(report.impact).toBe(impact);
  expect((['false', 'moved', 'breaking'] as const).map((failOn) => driftOutcome(report, failOn))).toEqual(
    outcomes,
  );
});

test('without a move nothing fails, unknown or not', () => {
  const report = aDriftReport({ sources: [aSameSpec()] });
  expect(driftOutcome(report, 'moved')).toBe('pass');
});

function aTrialOf(now: Measured) {
  return {
    kind: 'measured' as const,
    candidate: 'npm:0.2.0-alpha.12',
    current: 'npm:0.2.0-alpha.11',
    folder: '/x',
    profiles: [compareProfile(PROFILE, aMeasured(), now)],
  };
}
