import { describe, expect, test } from 'vitest';
import { exitCodeFindings } from '../../src/gate/exit-code.ts';
import { measure } from '../../src/gate/measurement.ts';
import type { Report } from '../../src/reports/report.ts';
import type { RefereeRun, RunMetadata } from '../../src/run/metadata.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

const OK = aReport({ scenario: 'fine', checks: [aCheck()] });
const BAD = aReport({ scenario: 'broken', checks: [aFailure('bad', 'x')] });
const WARNED = aReport({ scenario: 'warned', checks: [aCheck({ status: 'WARNING' })] });
const THROWN = aReport({ scenario: 'thrown', origin: 'thrown', checks: [aFailure('thrown', 'boom')] });

/** One process, held against the reports of these scenarios, which are all scored. */
function disagreement(
  run: Partial<RefereeRun>,
  {
    profile = 'server:2025-11-25',
    reports = [OK, WARNED],
    clients,
  }: {
    readonly profile?: string;
    readonly reports?: readonly Report[];
    readonly clients?: RunMetadata['clients'];
  } = {},
) {
  const metadata = someMetadata({
    runs: [aRefereeRun(run)],
    scenarios: { scored: ['fine', 'broken', 'warned', 'thrown'], notScored: [] },
    ...(clients === undefined ? {} : { clients }),
  });
  return exitCodeFindings(aProfile(profile), metadata, measure(aProfile(profile), metadata, reports));
}
const alone = (scenario: string, exitCode: number, leg = 'server') => ({
  argv: ['node', 'index.js', leg, '--scenario', scenario],
  exitCode,
});

test.each<[string, Partial<RefereeRun>]>([
  ['a crash', { exitCode: 2 }],
  ['a crash by a signal', { exitCode: null, signal: 'SIGSEGV' }],
  ['a signal that came with a code', { exitCode: 1, signal: 'SIGTERM' }],
  ['no code at all', { exitCode: null }],
  ['the deadline', { exitCode: null, signal: 'SIGTERM', timedOut: true }],
  ['the deadline, obeyed', { exitCode: 1, timedOut: true }],
])('an end that is no answer disagrees with nothing: %s', (_what, run) => {
  expect(disagreement(run)).toEqual([]);
});

test('the run of a list names no scenario and counts the scored ones that have a FAILURE', () => {
  expect(disagreement({ exitCode: 0 }, { reports: [OK, BAD, WARNED, THROWN] })).toStrictEqual([
    { kind: 'exit-code-disagrees', profile: 'server:2025-11-25', exitCode: 0, scoredFailures: 2 },
  ]);
  expect(disagreement({ exitCode: 1 })).toMatchObject([{ exitCode: 1, scoredFailures: 0 }]);
  expect(disagreement({ exitCode: 0 })).toEqual([]);
});

describe('one scenario alone', () => {
  test.each<[string, string, number, number]>([
    ['server', 'fine', 0, 1],
    ['server', 'warned', 0, 1],
    ['server', 'broken', 1, 0],
    ['server', 'thrown', 1, 0],
    ['client', 'fine', 0, 1],
    ['client', 'warned', 1, 0],
    ['client', 'broken', 1, 0],
    ['client', 'thrown', 1, 0],
    ['server-extensions', 'warned', 0, 1],
    ['client-extensions', 'warned', 1, 0],
  ])('%s, %s: %i agrees, %i does not', (kind, scenario, right, wrong) => {
    const input = { profile: `${kind}:2025-11-25`, reports: [OK, BAD, WARNED, THROWN] };
    expect(disagreement(alone(scenario, right), input)).toEqual([]);
    expect(disagreement(alone(scenario, wrong), input)).toStrictEqual([
      {
        kind: 'exit-code-disagrees',
        profile: input.profile,
        exitCode: wrong,
        scoredFailures: scenario === 'broken' || scenario === 'thrown' ? 1 : 0,
        scenario,
      },
    ]);
  });

  test.each<[string, { exitCode: number | null; timedOut?: boolean; allowed?: boolean }, number, number]>([
    ['well', { exitCode: 0 }, 0, 1],
    ['with an error that is allowed', { exitCode: 3, allowed: true }, 0, 1],
    ['with an error that is not allowed', { exitCode: 3, allowed: false }, 1, 0],
    ['with an error, and nobody knows whether it is allowed', { exitCode: 3 }, 1, 0],
    ['at its deadline', { exitCode: null, timedOut: true }, 1, 0],
  ])('its client ended %s, whatever other clients did', (_what, end, right, wrong) => {
    const clients = [
      { scenario: 'broken', exitCode: 9, timedOut: false, allowed: false },
      { scenario: 'fine', timedOut: false, ...end },
      { scenario: 'warned', exitCode: 0, timedOut: false },
    ];
    const input = { profile: 'client:2025-11-25', clients };
    expect(disagreement(alone('fine', right, 'client'), input)).toEqual([]);
    expect(disagreement(alone('fine', wrong, 'client'), input)).toHaveLength(1);
  });
});
