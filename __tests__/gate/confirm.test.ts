import { describe, expect, test } from 'vitest';
import { type JudgeInput, judgeProfile, unexpectedScenarios } from '../../src/gate/judge.ts';
import type { Check } from '../../src/reports/report.ts';
import type { Rerun } from '../../src/run/metadata.ts';
import { aBaseline, anException, exceptionFor } from '../support/a-baseline.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aProfile, aRefereeRun, aRerun, someMetadata } from '../support/some-metadata.ts';

const OK = [aCheck({ id: 'ok' }), aCheck({ id: 'bad' })];
const failing = (message = 'x') => [aCheck({ id: 'ok' }), aFailure('bad', message)];
const NO_ANSWER = [aCheck({ id: 'ok' }), aFailure('scenario-timeout', 'did not complete within 2000ms')];
const LOST = [aCheck({ id: 'ok' }), aFailure('bad', 'Failed: fetch failed')];
const HARNESS = [aCheck({ id: 'ok' }), aFailure('wire-schema-harness-error', 'HARNESS ERROR: x')];

interface Alone {
  readonly checks: Check[];
  readonly rerun?: Partial<Rerun>;
}

/** A scored and a not-scored scenario; the given one is judged, with its runs alone. */
function judge(checks: Check[], alone: (Check[] | Alone)[], input: Partial<JudgeInput> = {}, scored = true) {
  const scenario = scored ? 'some-scenario' : 'extra';
  const other = aReport({ scenario: scored ? 'extra' : 'some-scenario', checks: [aCheck({ id: 'fine' })] });
  const failed = scored && checks.some(({ status }) => status === 'FAILURE');
  return judgeProfile({
    profile: aProfile(),
    metadata: someMetadata({
      runs: [aRefereeRun({ exitCode: failed ? 1 : 0 })],
      scenarios: { scored: ['some-scenario'], notScored: [{ scenario: 'extra', reason: 'pending' }] },
    }),
    reports: [aReport({ scenario, checks }), other],
    reportFindings: [],
    reruns: alone.map((one) => {
      const { checks: again, rerun = {} } = Array.isArray(one) ? { checks: one } : one;
      return {
        rerun: aRerun(scenario, rerun),
        reports: [aReport({ scenario, checks: again })],
        findings: [],
      };
    }),
    baseline: undefined,
    today: '2026-12-01',
    strictInfrastructure: false,
    ...input,
  });
}
const kinds = (...args: Parameters<typeof judge>) => judge(...args).findings.map(({ kind }) => kind);
const withException = (checks: Check[], check = 'bad', rest = {}) => ({
  baseline: aBaseline({ exceptions: [exceptionFor(aReport({ checks }), check, rest)] }),
});

describe('a result that another run may contradict', () => {
  test('the same again: it is as it is', () => {
    expect(kinds(failing(), [failing(), failing()])).toEqual(['unclassified']);
  });

  test('passing alone: flaky, with both results', () => {
    expect(judge(failing(), [OK]).findings).toStrictEqual([
      {
        kind: 'flaky',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        check: 'bad',
        first: 'FAILURE',
        again: 'SUCCESS',
        ofRuns: 1,
      },
    ]);
  });

  test('one of several runs is enough', () => {
    expect(judge(failing(), [failing(), OK, failing()]).findings).toMatchObject([
      { kind: 'flaky', again: 'SUCCESS', ofRuns: 3 },
    ]);
  });

  test.each<[string, Check[], string]>([
    ['another status', [aCheck({ id: 'bad', status: 'WARNING' })], 'WARNING'],
    ['several', [...failing(), aCheck({ id: 'bad' })], 'FAILURE, SUCCESS'],
    ['no such check', [aCheck({ id: 'ok' })], 'not emitted'],
  ])('%s alone', (_what, again, words) => {
    expect(judge(failing(), [again]).findings).toMatchObject([{ kind: 'flaky', again: words }]);
  });

  test('other evidence of a check that nobody excepted is still a failure', () => {
    expect(kinds(failing('a'), [failing('b')])).toEqual(['unclassified']);
  });

  describe('with an exception', () => {
    const input = withException(failing('reviewed'), 'bad', { place: { file: 'b.yaml', line: 3 } });

    test('as reviewed needs no second run', () => {
      expect(kinds(failing('reviewed'), [OK], input)).toEqual([]);
    });

    test('other evidence, and as reviewed alone', () => {
      expect(judge(failing('new'), [failing('reviewed')], input).findings).toMatchObject([
        {
          kind: 'flaky',
          first: 'FAILURE with other evidence',
          again: 'FAILURE as reviewed',
          place: { line: 3 },
        },
      ]);
    });

    test('other evidence, and other evidence again', () => {
      expect(kinds(failing('new'), [failing('newer')], input)).toEqual(['evidence-changed']);
    });

    test('passing, and as reviewed alone', () => {
      expect(judge(OK, [failing('reviewed')], input).findings).toMatchObject([
        { kind: 'flaky', first: 'SUCCESS', again: 'FAILURE as reviewed' },
      ]);
    });

    test('another status, and as reviewed alone', () => {
      const warned = [aCheck({ id: 'ok' }), aCheck({ id: 'bad', status: 'WARNING' })];
      expect(judge(warned, [failing('reviewed')], input).findings).toMatchObject([
        { kind: 'flaky', first: 'WARNING', again: 'FAILURE as reviewed' },
      ]);
      expect(kinds(warned, [warned], input)).toEqual(['status-changed']);
    });

    test('a flaky exception allows both results and no third', () => {
      const flaky = withException(failing('reviewed'), 'bad', { flaky: true, expires: '2027-01-01' });
      expect(kinds(failing('reviewed'), [OK], flaky)).toEqual([]);
      expect(kinds(OK, [failing('reviewed')], flaky)).toEqual([]);
      expect(kinds(failing('third'), [failing('reviewed')], flaky)).toEqual(['flaky']);
    });

    test('only the exception for this check of this scenario says what was reviewed', () => {
      const reviewed = [...failing('reviewed'), aFailure('known', 'known')];
      const report = aReport({ checks: reviewed });
      const baseline = aBaseline({
        exceptions: [
          exceptionFor(report, 'known'),
          anException({ scenario: 'extra', check: 'bad' }),
          exceptionFor(report, 'bad'),
        ],
      });
      const now = [...failing('new'), aFailure('known', 'known')];
      expect(judge(now, [reviewed], { baseline }).findings).toMatchObject([
        { kind: 'unknown-exception', scenario: 'extra' },
        { kind: 'flaky', first: 'FAILURE with other evidence', again: 'FAILURE as reviewed' },
      ]);
    });

    test('a log beside a verdict needs no exception, whatever it says alone', () => {
      const log = (message: string) => aCheck({ id: 'log', status: 'INFO', details: { message } });
      const silent = withException([log('reviewed')], 'log');
      const now = [log('reviewed'), aCheck({ id: 'ok' })];
      expect(kinds(now, [[log('other'), aCheck({ id: 'ok' })]], silent)).toEqual(['now-passing']);
    });

    test('nothing but INFO is described like in the run', () => {
      const info = (message: string) => [aCheck({ id: 'log', status: 'INFO', details: { message } })];
      const silent = withException(info('reviewed'), 'log');
      expect(judge(info('new'), [info('reviewed')], silent).findings).toMatchObject([
        { kind: 'flaky', first: 'INFO with other evidence', again: 'INFO as reviewed' },
        { kind: 'no-verdict' },
      ]);
    });
  });

  test('a check that vanished and comes alone', () => {
    const baseline = aBaseline({ inventory: new Map([['some-scenario', ['ok', 'bad']]]) });
    expect(judge([aCheck({ id: 'ok' })], [OK], { baseline }).findings).toMatchObject([
      { kind: 'flaky', first: 'not emitted', again: 'SUCCESS' },
    ]);
    expect(kinds([aCheck({ id: 'ok' })], [[aCheck({ id: 'ok' })]], { baseline })).toEqual(['vanished-check']);
  });

  test('findings about the baseline are not contradicted by a run', () => {
    const unreviewed = withException(failing(), 'bad', { reviewed: undefined as never });
    expect(kinds(failing(), [OK], unreviewed)).toEqual(['unreviewed']);
  });

  test.each<[string, (Check[] | Alone)[], Partial<JudgeInput>]>([
    ['a run for calibration', [{ checks: OK, rerun: { purpose: 'calibrate' } }], {}],
    ['a run of another scenario', [{ checks: OK, rerun: { scenario: 'other' } }], {}],
    [
      'a run of another scenario with a check of that name',
      [],
      {
        reruns: [
          { rerun: aRerun('extra'), reports: [aReport({ scenario: 'extra', checks: OK })], findings: [] },
        ],
      },
    ],
    ['a run that itself lost its connection', [[aCheck({ id: 'bad' }), aFailure('x', 'fetch failed')]], {}],
    [
      'a run that left no report',
      [],
      { reruns: [{ rerun: aRerun('some-scenario'), reports: [], findings: [] }] },
    ],
    [
      'a run whose report cannot be read',
      [],
      {
        reruns: [
          {
            rerun: aRerun('some-scenario'),
            reports: [aReport({ checks: OK })],
            findings: [{ kind: 'malformed-report', folder: 'f', message: 'm' }],
          },
        ],
      },
    ],
  ])('%s contradicts nothing', (_what, alone, input) => {
    expect(kinds(failing(), alone, input)).toEqual(['unclassified']);
  });

  test('evidence of a run alone is normalised by what that run knows', () => {
    const input = withException(failing('At localhost:3902'));
    expect(kinds(failing('At localhost:3902!'), [failing('At localhost:4100')], input)).toEqual(['flaky']);
    expect(kinds(failing('At localhost:3902!'), [failing('At localhost:3902')], input)).toEqual([
      'evidence-changed',
    ]);
  });
});

describe.each([
  ['scenario-timeout', NO_ANSWER, 'did not complete within 2000ms', 'scenario-timeout'],
  ['transport-failure', LOST, 'Failed: fetch failed', 'bad'],
  ['harness-error', HARNESS, 'HARNESS ERROR: x', 'wire-schema-harness-error'],
] as const)('%s in one scenario of a target that answers', (kind, checks, message, check) => {
  const list = [...checks];

  test('not confirmed: not measured, with what hangs on it', () => {
    expect(judge([...list, aCheck({ id: 'w', status: 'WARNING' })], []).findings).toEqual([
      {
        kind,
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        message,
        consequences: [
          { scenario: 'some-scenario', check, status: 'FAILURE' },
          { scenario: 'some-scenario', check: 'w', status: 'WARNING' },
        ],
      },
    ]);
  });

  test('confirmed alone: the behaviour of the server, to be reviewed', () => {
    expect(kinds(list, [list])).toEqual(['unclassified']);
    expect(kinds(list, [list, list])).toEqual(['unclassified']);
  });

  test('contradicted by one run alone: not measured', () => {
    expect(kinds(list, [list, OK])).toEqual([kind]);
    expect(kinds(list, [OK])).toEqual([kind]);
  });

  test('as reviewed needs no confirmation', () => {
    expect(kinds(list, [], withException(list, check))).toEqual([]);
  });

  test('an exception that does not match is none', () => {
    expect(kinds(list, [], withException(list, check, { evidence: `sha256:${'b'.repeat(64)}` }))).toEqual([
      kind,
    ]);
    expect(kinds(list, [], withException(list, check, { reviewed: undefined as never }))).toEqual([kind]);
  });

  test('strict: never, whatever was reviewed or repeated', () => {
    expect(kinds(list, [list], { ...withException(list, check), strictInfrastructure: true })).toEqual([
      kind,
    ]);
  });

  test('in a scenario that is not scored it decides too', () => {
    expect(kinds(list, [], {}, false)).toEqual([kind]);
    expect(kinds(list, [list], {}, false)).toEqual([]);
    expect(kinds(list, [list], { strictInfrastructure: true }, false)).toEqual([kind]);
  });

  test('success of that name is none', () => {
    const passing = list.map((one) => ({ ...one, status: 'SUCCESS' }));
    expect(kinds(passing, [])).toEqual([]);
  });
});

test('another kind of doubt alone confirms nothing', () => {
  const lost = [aFailure('bad', 'fetch failed')];
  expect(kinds(lost, [[aFailure('bad', 'x')]])).toEqual(['transport-failure']);
  expect(kinds(lost, [[aFailure('bad', 'fetch failed'), aFailure('bad', 'fetch failed')]])).toEqual([
    'transport-failure',
  ]);
});

test('the message is that of the occurrence that raised the doubt', () => {
  const checks = [
    aCheck({ id: 'bad', errorMessage: 'fetch failed' }),
    aFailure('bad', 'other'),
    aFailure('bad', 'Error: fetch failed'),
  ];
  expect(judge(checks, []).findings).toMatchObject([{ message: 'Error: fetch failed' }]);
  const silent = [aCheck({ id: 'scenario-timeout', status: 'FAILURE', description: 'The words' })];
  expect(judge(silent, []).findings).toMatchObject([{ message: 'The words' }]);
});

describe('unexpectedScenarios', () => {
  const names = (...args: Parameters<typeof judge>) => unexpectedScenarios(judge(...args));
  const baseline = aBaseline();

  test('what was not expected, each once', () => {
    expect(names([...failing(), aFailure('worse', 'y')], [], { baseline })).toEqual(['some-scenario']);
    expect(names(OK, [], withException(failing()))).toEqual(['some-scenario']);
    expect(
      names([aCheck({ id: 'ok' })], [], {
        baseline: aBaseline({ inventory: new Map([['some-scenario', ['gone']]]) }),
      }),
    ).toEqual(['some-scenario']);
  });

  test('nothing when all is as expected, or when a person is asked and not the server', () => {
    expect(names(failing(), [], withException(failing()))).toEqual([]);
    expect(names(failing(), [], withException(failing(), 'bad', { reviewed: undefined as never }))).toEqual(
      [],
    );
    expect(
      names(OK, [], {
        baseline: aBaseline({ requirements: 'sha256:x', exceptions: [anException({ scenario: 'nope' })] }),
      }),
    ).toEqual([]);
  });

  test('without a baseline nothing is expected; doubtful results are confirmed all the same', () => {
    expect(names(failing(), [])).toEqual([]);
    expect(names(NO_ANSWER, [])).toEqual(['some-scenario']);
    expect(names(LOST, [], {}, false)).toEqual(['extra']);
    expect(names(HARNESS, [])).toEqual(['some-scenario']);
  });

  test('nothing when one cause explains everything', () => {
    const judged = judge(failing(), [], {
      baseline,
      metadata: someMetadata({ faults: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 }] }),
    });
    expect(unexpectedScenarios(judged)).toEqual([]);
  });
});
