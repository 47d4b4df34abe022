import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { type JudgeInput, judgeProfile } from '../../src/gate/judge.ts';
import type { Check, Report } from '../../src/reports/report.ts';
import type { RefereeRun, RunMetadata } from '../../src/run/metadata.ts';
import { aBaseline, exceptionFor } from '../support/a-baseline.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aFailedProbe, aProbe, aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

const OK = aReport({ checks: [aCheck({ id: 'ok' })] });
const BAD = aReport({ checks: [aFailure('bad', 'x')] });

interface Case {
  readonly reports?: Report[];
  readonly metadata?: Partial<RunMetadata>;
  readonly input?: Partial<JudgeInput>;
}

const judge = ({ reports = [OK], metadata, input }: Case) =>
  judgeProfile({
    profile: aProfile(),
    metadata: someMetadata(metadata),
    reports,
    reportFindings: [],
    reruns: [],
    baseline: undefined,
    today: '2026-12-01',
    strictInfrastructure: false,
    ...input,
  });
const findings = (one: Case) => judge(one).findings;
const kinds = (one: Case) => findings(one).map(({ kind }) => kind);
const list = (scored: string[], notScored: string[] = [], only?: string[]) => ({
  scored,
  notScored: notScored.map((scenario) => ({ scenario, reason: 'pending' })),
  ...(only === undefined ? {} : { only }),
});

describe('coverage', () => {
  test('a scenario without a report was not measured, scored or not', () => {
    const metadata = { scenarios: list(['some-scenario', 'scored'], ['not-scored']) };
    expect(findings({ metadata })).toEqual([
      { kind: 'missing-report', profile: 'server:2025-11-25', scenario: 'scored' },
      { kind: 'missing-report', profile: 'server:2025-11-25', scenario: 'not-scored' },
    ]);
    expect(judge({ metadata }).verdict.outcome).toBe('inconclusive');
  });

  test('a report that cannot be read is not missing as well', () => {
    const malformed: Finding = { kind: 'malformed-report', scenario: 'other', folder: 'f', message: 'm' };
    const metadata = { scenarios: list(['some-scenario', 'other']) };
    expect(findings({ metadata, input: { reportFindings: [malformed] } })).toEqual([malformed]);
  });

  test('a report that cannot be read is no sign of a crash, even when it is the only one', () => {
    const malformed: Finding = {
      kind: 'malformed-report',
      scenario: 'some-scenario',
      folder: 'f',
      message: 'm',
    };
    expect(findings({ reports: [], input: { reportFindings: [malformed] } })).toEqual([malformed]);
  });

  test('nor is one that was stopped', () => {
    const fault: Finding = { kind: 'scenario-timeout', scenario: 'other', message: 'm' };
    const metadata = { scenarios: list(['some-scenario', 'other']), faults: [fault] };
    expect(findings({ metadata })).toEqual([{ ...fault, profile: 'server:2025-11-25' }]);
    const runs = [aRefereeRun(), aRefereeRun({ scenario: 'other', exitCode: null, timedOut: true })];
    expect(findings({ metadata: { ...metadata, runs } })).toEqual([
      { ...fault, profile: 'server:2025-11-25' },
    ]);
  });

  test('a scenario that another finding names is missing as well', () => {
    const odd: Finding = { kind: 'unknown-scenario', scenario: 'other', folder: 'f' };
    const metadata = { scenarios: list(['some-scenario', 'other']) };
    expect(kinds({ metadata, input: { reportFindings: [odd] } })).toEqual([
      'unknown-scenario',
      'missing-report',
    ]);
  });

  test('two reports of one scenario', () => {
    expect(findings({ reports: [OK, { ...OK, folder: 'second' }, { ...BAD, folder: 'third' }] })).toEqual([
      {
        kind: 'duplicate-report',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        folders: [OK.folder, 'second', 'third'],
      },
    ]);
  });

  test('a report of a scenario that nobody asked for', () => {
    expect(findings({ reports: [OK, aReport({ scenario: 'odd', folder: 'f' })] })).toEqual([
      { kind: 'unknown-scenario', profile: 'server:2025-11-25', scenario: 'odd', folder: 'f' },
    ]);
  });

  test('a status that nobody knows, in scored and other scenarios', () => {
    const reports = [
      aReport({ checks: [aCheck({ id: 'a' }), aCheck({ id: 'a', status: 'MAYBE' })] }),
      aReport({ scenario: 'extra', checks: [aCheck({ id: 'b', status: 'success' })] }),
    ];
    const found = findings({ reports, metadata: { scenarios: list(['some-scenario'], ['extra']) } });
    expect(found.filter(({ kind }) => kind === 'unknown-status')).toEqual([
      {
        kind: 'unknown-status',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        check: 'a',
        status: 'MAYBE',
      },
      {
        kind: 'unknown-status',
        profile: 'server:2025-11-25',
        scenario: 'extra',
        check: 'b',
        status: 'success',
      },
    ]);
  });

  test('a scenario that is not scored must at least have been run', () => {
    const reports = [OK, aReport({ scenario: 'extra', checks: [], folder: 'f' })];
    expect(findings({ reports, metadata: { scenarios: list(['some-scenario'], ['extra']) } })).toEqual([
      {
        kind: 'malformed-report',
        profile: 'server:2025-11-25',
        scenario: 'extra',
        folder: 'f',
        message: 'holds no checks',
      },
    ]);
  });

  test.each<[string, RunMetadata['scenarios']]>([
    ['nothing is scored', list([], ['some-scenario'])],
    ['nothing at all', list([])],
    ['a partial run of nothing that is scored', list(['other'], ['some-scenario'], ['some-scenario'])],
    ['a partial run of nothing', list(['some-scenario'], [], [])],
  ])('%s: a gate that checks nothing is not green', (_what, scenarios) => {
    expect(kinds({ metadata: { scenarios } })).toEqual(['nothing-applicable']);
  });

  test('nothing but SKIPPED is nothing', () => {
    const skipped = aReport({ checks: [aCheck({ id: 'a', status: 'SKIPPED', errorMessage: 'x' })] });
    const baseline = aBaseline({ exceptions: [exceptionFor(skipped, 'a')] });
    expect(findings({ reports: [skipped], input: { baseline } })).toMatchObject([
      { kind: 'nothing-applicable', profile: 'server:2025-11-25' },
    ]);
    expect(findings({ reports: [skipped] })).toEqual([
      {
        kind: 'nothing-applicable',
        profile: 'server:2025-11-25',
        consequences: [{ scenario: 'some-scenario', check: 'a', status: 'SKIPPED' }],
      },
    ]);
    const elsewhere = aReport({ scenario: 'extra', checks: [aCheck()] });
    const scenarios = list(['some-scenario'], ['extra']);
    expect(kinds({ reports: [skipped, elsewhere], metadata: { scenarios }, input: { baseline } })).toEqual([
      'nothing-applicable',
    ]);
    const applicable = aReport({ checks: [...skipped.checks, aCheck({ id: 'ok' })] });
    expect(kinds({ reports: [applicable], input: { baseline } })).toEqual([]);
    const withInfo = aReport({ checks: [...skipped.checks, aCheck({ id: 'log', status: 'INFO' })] });
    expect(kinds({ reports: [withInfo], input: { baseline } })).toEqual(['nothing-applicable']);
  });
});

describe('what is not scored', () => {
  const scenarios = list(['some-scenario'], ['extra']);
  test.each(['FAILURE', 'WARNING', 'SKIPPED', 'INFO', 'SUCCESS'])('%s never decides', (status) => {
    const reports = [
      OK,
      aReport({ scenario: 'extra', checks: [aCheck({ id: 'x', status, errorMessage: 'x' })] }),
    ];
    const judged = judge({ reports, metadata: { scenarios } });
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.counts.notScored).toEqual(
      status === 'FAILURE' ? { passed: 0, failing: 1 } : { passed: 1, failing: 0 },
    );
  });

  test('a scenario that throws is reported and does not block', () => {
    const thrown = aReport({
      scenario: 'extra',
      origin: 'thrown',
      checks: [aFailure('extra', 'Server not initialized\nx')],
    });
    const judged = judge({ reports: [OK, thrown], metadata: { scenarios } });
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.notes).toEqual([
      'extra (not scored) threw instead of reporting: Server not initialized',
    ]);
    expect(judged.verdict.scenarios[1]).toMatchObject({ result: 'not-scored-failing', reason: 'pending' });
  });
});

describe('how the referee ended', () => {
  const ending = (run: Partial<RefereeRun>, rest: Case = {}) =>
    kinds({ ...rest, metadata: { ...rest.metadata, runs: [aRefereeRun(run)] } });

  test.each<[string, Partial<RefereeRun>, string[]]>([
    ['0', { exitCode: 0 }, []],
    ['1 without a failure', { exitCode: 1 }, ['exit-code-disagrees']],
    ['2', { exitCode: 2 }, ['referee-crashed']],
    ['137', { exitCode: 137 }, ['referee-crashed']],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, ['referee-crashed']],
    ['no code at all', { exitCode: null }, ['referee-crashed']],
    ['the deadline', { exitCode: null, signal: 'SIGTERM', timedOut: true }, ['profile-timeout']],
  ])('%s', (_what, run, expected) => {
    expect(ending(run)).toEqual(expected);
  });

  test('1 with a failure is as it should be, 0 is not', () => {
    expect(ending({ exitCode: 1 }, { reports: [BAD] })).toEqual(['unclassified']);
    expect(findings({ reports: [BAD], metadata: { runs: [aRefereeRun({ exitCode: 0 })] } })[0]).toEqual({
      kind: 'exit-code-disagrees',
      profile: 'server:2025-11-25',
      exitCode: 0,
      scoredFailures: 1,
    });
  });

  test('WARNING and SKIPPED do not change the exit code', () => {
    const reports = [
      aReport({
        checks: [
          aCheck({ id: 'ok' }),
          aCheck({ id: 'w', status: 'WARNING' }),
          aCheck({ id: 's', status: 'SKIPPED' }),
        ],
      }),
    ];
    expect(ending({ exitCode: 0 }, { reports })).not.toContain('exit-code-disagrees');
    expect(ending({ exitCode: 1 }, { reports })).toContain('exit-code-disagrees');
  });

  const extra = aReport({ scenario: 'extra', checks: [aFailure('x', 'x')] });
  const scenarios = list(['some-scenario'], ['extra']);
  test.each<[string, string[], number, string[]]>([
    ['a requirement set counts what is scored', ['server', '--requirements', '2025-11-25'], 0, []],
    [
      'a requirement set counts what is scored',
      ['server', '--requirements', '2025-11-25'],
      1,
      ['exit-code-disagrees'],
    ],
    ['a suite counts everything', ['server', '--suite', 'active'], 1, []],
    ['a suite counts everything', ['server', '--suite', 'active'], 0, ['exit-code-disagrees']],
    ['a scenario alone counts itself', ['server', '--scenario', 'extra'], 1, []],
    ['a scenario alone counts itself', ['server', '--scenario=extra'], 0, ['exit-code-disagrees']],
    ['a scenario alone counts itself', ['server', '--scenario', 'some-scenario'], 0, []],
    ['a scenario alone without a report says nothing', ['server', '--scenario', 'absent'], 1, []],
    ['an option without its value is none', ['server', '--scenario'], 0, []],
  ])('%s: %j ends with %i', (_what, argv, exitCode, expected) => {
    expect(ending({ argv, exitCode }, { reports: [OK, extra], metadata: { scenarios } })).toEqual(expected);
  });

  test('a disagreement about one scenario names it', () => {
    const metadata = { scenarios, runs: [aRefereeRun({ argv: ['--scenario', 'extra'], exitCode: 0 })] };
    expect(findings({ reports: [OK, extra], metadata })).toMatchObject([
      { scenario: 'extra', scoredFailures: 1 },
    ]);
  });

  test('every process is held against its own scenario', () => {
    const runs = [
      aRefereeRun({ argv: ['--scenario', 'some-scenario'], exitCode: 0 }),
      aRefereeRun({ argv: ['--scenario', 'extra'], exitCode: 1 }),
    ];
    expect(kinds({ reports: [OK, extra], metadata: { scenarios, runs } })).toEqual([]);
  });

  test('an extension profile shares a process whose exit code speaks of other scenarios', () => {
    const profile = aProfile('server-extensions:2025-11-25');
    const runs = [aRefereeRun({ exitCode: 1 })];
    expect(kinds({ metadata: { runs }, input: { profile } })).toEqual([]);
  });

  test('a crash explains what is missing, and nothing else', () => {
    const found = findings({
      reports: [BAD],
      metadata: { scenarios: list(['some-scenario', 'other']), runs: [aRefereeRun({ exitCode: 134 })] },
    });
    expect(found).toMatchObject([
      {
        kind: 'referee-crashed',
        exitCode: 134,
        signal: null,
        consequences: [{ scenario: 'other', check: '(no report)' }],
      },
      { kind: 'unclassified' },
    ]);
  });

  test('a crash that was seen while running, with its log, is not reported twice', () => {
    const fault: Finding = { kind: 'referee-crashed', exitCode: 2, signal: null, logTail: ['boom'] };
    const found = findings({ metadata: { runs: [aRefereeRun({ exitCode: 2 })], faults: [fault] } });
    expect(found).toMatchObject([
      { kind: 'referee-crashed', logTail: ['boom'], profile: 'server:2025-11-25' },
    ]);
  });

  test.each([0, 1])('ending with %i and leaving nothing behind is a crash', (exitCode) => {
    const metadata = { scenarios: list(['a', 'b']), runs: [aRefereeRun({ exitCode })] };
    expect(findings({ reports: [], metadata })).toEqual([
      {
        kind: 'referee-crashed',
        profile: 'server:2025-11-25',
        exitCode,
        signal: null,
        consequences: [
          { scenario: 'a', check: '(no report)' },
          { scenario: 'b', check: '(no report)' },
        ],
      },
    ]);
  });

  test('reports without any process are not trusted', () => {
    expect(findings({ metadata: { runs: [] } })).toMatchObject([
      { kind: 'referee-crashed', exitCode: null, signal: null },
    ]);
  });

  test('a deadline names what did not run', () => {
    const metadata = {
      scenarios: list(['some-scenario', 'late']),
      runs: [aRefereeRun({ exitCode: null, timedOut: true, tookMs: 500 })],
    };
    expect(findings({ metadata })).toEqual([
      {
        kind: 'profile-timeout',
        profile: 'server:2025-11-25',
        timeoutMs: 500,
        notRun: ['late'],
        consequences: [{ scenario: 'late', check: '(no report)' }],
      },
    ]);
  });

  test('a process that was stopped at one scenario stopped that scenario', () => {
    const late = aRefereeRun({
      scenario: 'late',
      argv: ['--scenario', 'late'],
      exitCode: null,
      timedOut: true,
      tookMs: 7,
    });
    const metadata = { scenarios: list(['some-scenario', 'late']), runs: [aRefereeRun(), late] };
    expect(findings({ metadata })).toContainEqual({
      kind: 'scenario-timeout',
      profile: 'server:2025-11-25',
      scenario: 'late',
      message: 'The referee was stopped after 7 ms.',
    });
  });

  test('why it was stopped is told once', () => {
    const fault: Finding = { kind: 'interrupted', signal: 'SIGINT' };
    const metadata = {
      scenarios: list(['some-scenario', 'late']),
      faults: [fault],
      runs: [aRefereeRun({ exitCode: null, timedOut: true })],
    };
    expect(findings({ metadata })).toMatchObject([
      { kind: 'interrupted', signal: 'SIGINT', consequences: [{ scenario: 'late', check: '(no report)' }] },
    ]);
  });
});

describe('how clients ended', () => {
  type End = NonNullable<RunMetadata['clients']>[number] | undefined;
  const client = (...args: Parameters<typeof judgeClient>) => judgeClient(...args).findings;
  const clientChecks = (...args: Parameters<typeof judgeClient>) => judgeClient(...args).checks;
  const judgeClient = (checks: Check[], end: End, exitCode: number) =>
    judge({
      reports: [aReport({ checks })],
      metadata: {
        profile: 'client:2025-11-25',
        target: { kind: 'client', notes: [] },
        probes: { before: null, after: null },
        runs: [aRefereeRun({ argv: ['client', '--scenario', 'some-scenario'], exitCode })],
        ...(end === undefined ? {} : { clients: [end] }),
      },
      input: { profile: aProfile('client:2025-11-25') },
    });
  const ok = [aCheck({ id: 'ok' })];
  const warned = [...ok, aCheck({ id: 'w', status: 'WARNING', errorMessage: 'w' })];
  const ended = (exitCode: number | null, rest: { timedOut?: boolean; allowed?: boolean } = {}) => ({
    scenario: 'some-scenario',
    exitCode,
    timedOut: false,
    ...rest,
  });

  test.each<[string, Check[], ReturnType<typeof ended> | undefined, number, string[]]>([
    ['well', ok, ended(0), 0, []],
    ['well, and the referee complains', ok, ended(0), 1, ['exit-code-disagrees']],
    ['with a WARNING, which counts for a client', warned, ended(0), 1, ['unclassified']],
    ['with a WARNING that was not counted', warned, ended(0), 0, ['exit-code-disagrees', 'unclassified']],
    ['with an error that is allowed', ok, ended(1, { allowed: true }), 0, []],
    [
      'with an error that is allowed, and the referee complains',
      ok,
      ended(1, { allowed: true }),
      1,
      ['exit-code-disagrees'],
    ],
    ['with an error', ok, ended(3, { allowed: false }), 1, ['unclassified']],
    ['unknown', ok, undefined, 0, []],
    ['unknown, and the referee complains', ok, undefined, 1, ['exit-code-disagrees']],
  ])('%s', (_what, checks, end, exitCode, expected) => {
    expect(client(checks, end, exitCode).map(({ kind }) => kind)).toEqual(expected);
  });

  test('an error that nobody allowed is a check of its own, although the referee leaves none', () => {
    expect(client(ok, ended(3), 1)).toMatchObject([
      {
        kind: 'unclassified',
        check: 'client-exited-with-error',
        firstLine: 'The client exited with code 3.',
      },
    ]);
    expect(client(ok, ended(null), 1)).toMatchObject([
      { firstLine: 'The client exited with code none (killed by a signal).' },
    ]);
  });

  test.each([
    [
      'runs out of time',
      ended(null, { timedOut: true }),
      'ClientTimedOut',
      'The client ends before the scenario timeout',
    ],
    [
      'ends with an error',
      ended(3),
      'ClientExitedWithError',
      'The client exits with 0 where the scenario does not expect it to fail',
    ],
  ])('the check for a client that %s says what was expected', (_what, end, name, description) => {
    expect(clientChecks(ok, end, 1)).toMatchObject([{ check: 'ok' }, { name, description }]);
  });

  test('a client that runs out of time was not measured to its end', () => {
    expect(client(ok, ended(null, { timedOut: true }), 1)).toMatchObject([
      {
        kind: 'scenario-timeout',
        scenario: 'some-scenario',
        message: 'The client was still running at the scenario timeout and was killed.',
      },
    ]);
  });

  test('the end of another scenario’s client says nothing here', () => {
    expect(client(ok, { ...ended(3), scenario: 'other' }, 0)).toEqual([]);
  });
});

describe('one root cause is one finding', () => {
  const many = (message: string) =>
    ['a', 'b', 'c', 'd', 'e'].map((scenario) =>
      aReport({
        scenario,
        checks: [aFailure(`${scenario}-check`, message), aCheck({ id: 'wire-schema-valid' })],
      }),
    );
  const five = { scenarios: list(['a', 'b', 'c', 'd', 'e']), runs: [aRefereeRun({ exitCode: 1 })] };
  const baseline = aBaseline({ inventory: new Map([['a', ['gone']]]), requirements: 'sha256:old' });

  test('a fault explains everything that was reported', () => {
    const fault: Finding = { kind: 'target-died', exitCode: 9, signal: null, afterMs: 5, logTail: ['bye'] };
    const found = findings({
      reports: many('x').slice(0, 3),
      metadata: {
        ...five,
        faults: [fault, { kind: 'profile-timeout', timeoutMs: 1, notRun: [] }],
        probes: { before: aProbe(), after: aFailedProbe() },
      },
      input: { baseline },
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ ...fault, profile: 'server:2025-11-25' });
    expect(found[0]?.consequences).toEqual(
      expect.arrayContaining([
        { scenario: 'a', check: 'a-check', status: 'FAILURE' },
        { scenario: 'a', check: 'gone' },
        { scenario: 'd', check: '(no report)' },
        { scenario: 'e', check: '(no report)' },
      ]),
    );
  });

  test.each<Finding>([
    { kind: 'port-occupied', port: 1 },
    { kind: 'target-start-failed', exitCode: 1, signal: null, afterMs: 1 },
    { kind: 'target-not-ready', timeoutMs: 1, last: '' },
    { kind: 'target-mismatch', expected: 'a', found: 'b' },
    { kind: 'stdio-framing', line: 'x', message: 'y' },
    { kind: 'referee-unavailable', pin: 'p', message: 'm' },
    { kind: 'referee-integrity', pin: 'p', message: 'm' },
    { kind: 'referee-build-failed', pin: 'p', step: 's' },
    { kind: 'probe-failed', when: 'before', url: 'u', reason: 'r', message: 'm' },
    { kind: 'target-unreachable', reason: 'no-answer', scenarios: 1, of: 1, message: 'm' },
  ])('$kind', (fault) => {
    const found = findings({ reports: [], metadata: { ...five, runs: [], faults: [fault] } });
    expect(found.map(({ kind }) => kind)).toEqual([fault.kind]);
    expect(found[0]?.consequences).toHaveLength(5);
  });

  test('a check that two findings are about hangs on the cause once, with its statuses', () => {
    const a = aReport({
      scenario: 'a',
      checks: [aFailure('odd', 'x'), aCheck({ id: 'odd', status: 'MAYBE' })],
    });
    const b = aReport({ scenario: 'b', checks: [] });
    const scenarios = list(['a', 'b', 'c']);
    const fault: Finding = { kind: 'target-died', exitCode: 9, signal: null, afterMs: 5 };
    expect(findings({ reports: [a, b], metadata: { ...five, scenarios, faults: [fault] } })).toMatchObject([
      {
        kind: 'target-died',
        consequences: [
          { scenario: 'c', check: '(no report)' },
          { scenario: 'a', check: 'odd', status: 'FAILURE, MAYBE' },
          { scenario: 'b', check: '(scenario)' },
        ],
      },
    ]);
  });

  test('a fault that fails the gate explains nothing', () => {
    const fault: Finding = { kind: 'boundary-open', profile: 'x', without: 200, with: 200 };
    expect(
      findings({ reports: [BAD], metadata: { runs: [aRefereeRun({ exitCode: 1 })], faults: [fault] } }),
    ).toMatchObject([{ kind: 'boundary-open', profile: 'server:2025-11-25' }, { kind: 'unclassified' }]);
  });

  test.each(['before', 'after'] as const)('the probe %s the run', (when) => {
    const probes = {
      before: aProbe(),
      after: aProbe(),
      [when]: aFailedProbe({ reason: 'timeout', url: 'u', message: 'm' }),
    };
    expect(
      findings({ reports: many('x'), metadata: { ...five, probes }, input: { baseline } }),
    ).toMatchObject([
      { kind: 'probe-failed', profile: 'server:2025-11-25', when, url: 'u', reason: 'timeout', message: 'm' },
    ]);
  });

  test('the probe before is the cause of the one after', () => {
    const probes = { before: aFailedProbe(), after: aFailedProbe() };
    expect(findings({ reports: many('x'), metadata: { ...five, probes } })).toMatchObject([
      { when: 'before' },
    ]);
  });

  describe('without a probe, by what every scenario says', () => {
    const noProbes = { ...five, probes: { before: null, after: null } };
    test.each([
      'fetch failed',
      'Failed: fetch failed',
      'Failed to initialize: fetch failed',
      'tools/list request failed: fetch failed',
      'Request failed: connect ECONNREFUSED 127.0.0.1:3949',
      'connect ECONNREFUSED ::1:3949',
      'Prerequisite missing: fetch failed',
      'Expected a JSON-RPC error, got: fetch failed',
      'Error: read ECONNRESET',
      'Failed: write EPIPE',
      'Failed: socket hang up',
      'Failed: other side closed',
      'Failed: getaddrinfo ENOTFOUND nowhere.example',
      'SSE stream disconnected: TypeError: terminated',
    ])('%s', (message) => {
      expect(findings({ reports: many(message), metadata: noProbes })).toEqual([
        {
          kind: 'target-unreachable',
          profile: 'server:2025-11-25',
          reason: 'no-connection',
          scenarios: 5,
          of: 5,
          message,
          consequences: ['a', 'b', 'c', 'd', 'e'].map((scenario) => ({
            scenario,
            check: `${scenario}-check`,
            status: 'FAILURE',
          })),
        },
      ]);
    });

    test.each([
      'Failed: MCP error -32603: fetch failed',
      'The tool said: fetch failed again',
      'Expected fetch failed',
      'Session terminated',
      'connect ECONNREFUSED or so, perhaps',
      'Timed out waiting for the connection',
      'fetch failed\nand more',
      'The tool said:\nrequest failed: fetch failed',
      'Failed: something else',
    ])('not by what a server may say: %s', (message) => {
      expect(new Set(kinds({ reports: many(message), metadata: noProbes }))).toEqual(
        new Set(['unclassified']),
      );
    });

    test.each([
      [1_000, 'target-unreachable'],
      [1_001, 'unclassified'],
    ])('of a message with %i characters: %s', (length, kind) => {
      const message = `${'x'.repeat(length - 21)} failed: fetch failed`;
      expect(new Set(kinds({ reports: many(message), metadata: noProbes }))).toEqual(new Set([kind]));
    });

    test('a target that never answers', () => {
      const reports = ['a', 'b', 'c', 'd', 'e'].map((scenario) =>
        aReport({
          scenario,
          checks: [aFailure('scenario-timeout', `Scenario '${scenario}' did not complete`)],
        }),
      );
      expect(findings({ reports, metadata: noProbes })).toMatchObject([
        {
          kind: 'target-unreachable',
          reason: 'no-answer',
          scenarios: 5,
          of: 5,
          message: "Scenario 'a' did not complete",
        },
      ]);
    });

    test('more lost connections than timeouts is a lost connection', () => {
      const timeout = (scenario: string) =>
        aReport({ scenario, checks: [aFailure('scenario-timeout', 'x')] });
      const [a, b, c, d, e] = many('fetch failed') as [Report, Report, Report, Report, Report];
      const reason = (reports: Report[]) => findings({ reports, metadata: noProbes })[0];
      expect(reason([timeout('a'), timeout('b'), c, d, e])).toMatchObject({ reason: 'no-connection' });
      expect(reason([timeout('a'), timeout('b'), timeout('c'), d, e])).toMatchObject({ reason: 'no-answer' });
      expect(reason([timeout('a'), timeout('b'), c, d])).toMatchObject({ reason: 'no-connection' });
      expect(reason([a, b, c, d, e])).toMatchObject({ reason: 'no-connection' });
    });

    test('four of five is enough, three are not', () => {
      const answered = (scenario: string) => aReport({ scenario, checks: [aCheck({ id: 'ok' })] });
      const reports = many('fetch failed');
      expect(kinds({ reports: [...reports.slice(0, 4), answered('e')], metadata: noProbes })).toEqual([
        'target-unreachable',
      ]);
      expect(
        kinds({ reports: [...reports.slice(0, 3), answered('d'), answered('e')], metadata: noProbes }),
      ).toEqual(['transport-failure', 'transport-failure', 'transport-failure']);
    });

    test('one scenario alone may have lost its connection by itself', () => {
      const metadata = { ...noProbes, scenarios: list(['a', 'b', 'c', 'd', 'e'], [], ['a']) };
      expect(kinds({ reports: many('fetch failed').slice(0, 1), metadata })).toEqual(['transport-failure']);
      const two = { ...noProbes, scenarios: list(['a', 'b', 'c', 'd', 'e'], [], ['a', 'b']) };
      expect(kinds({ reports: many('fetch failed').slice(0, 2), metadata: two })).toEqual([
        'target-unreachable',
      ]);
    });

    test('scenarios that are not scored neither prove nor disprove it', () => {
      const answered = ['f', 'g'].map((scenario) => aReport({ scenario, checks: [aCheck({ id: 'ok' })] }));
      const metadata = { ...noProbes, scenarios: list(['a', 'b', 'c', 'd', 'e'], ['f', 'g']) };
      expect(kinds({ reports: [...many('fetch failed'), ...answered], metadata })).toEqual([
        'target-unreachable',
      ]);
    });

    test('where nothing is scored, those that are not tell it', () => {
      const metadata = { ...noProbes, scenarios: list([], ['a', 'b', 'c', 'd', 'e']) };
      expect(kinds({ reports: many('fetch failed'), metadata })).toEqual(['target-unreachable']);
    });

    test('a success that mentions it, or a log entry, is no sign', () => {
      const reports = ['a', 'b', 'c', 'd', 'e'].map((scenario) =>
        aReport({
          scenario,
          checks: [
            aCheck({ id: 'ok', errorMessage: 'fetch failed' }),
            aCheck({ id: 'log', status: 'INFO', errorMessage: 'fetch failed' }),
            aFailure('mixed', 'really bad'),
            aCheck({ id: 'mixed', errorMessage: 'fetch failed' }),
            aCheck({ id: 'mixed', status: 'INFO', errorMessage: 'fetch failed' }),
          ],
        }),
      );
      expect(new Set(kinds({ reports, metadata: noProbes }))).toEqual(new Set(['unclassified']));
    });
  });
});
