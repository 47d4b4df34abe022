import { describe, expect, test } from 'vitest';
import type { Baseline, Exception } from '../../src/baseline/baseline.ts';
import { NORMALISER_VERSION } from '../../src/evidence/normalise.ts';
import type { Finding } from '../../src/gate/finding.ts';
import { type JudgeInput, judgeProfile } from '../../src/gate/judge.ts';
import type { Check, Report } from '../../src/reports/report.ts';
import { aBaseline, anException, exceptionFor } from '../support/a-baseline.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aProbe, aProfile, aRefereeRun, aRerun, someMetadata } from '../support/some-metadata.ts';

interface Case {
  readonly checks?: Check[];
  readonly report?: Partial<Report>;
  readonly baseline?: Partial<Baseline>;
  readonly metadata?: Parameters<typeof someMetadata>[0];
  readonly input?: Partial<JudgeInput>;
}

const BAD = aFailure('bad', 'Expected 404, got 400');
const failing = aReport({ checks: [aCheck({ id: 'ok' }), BAD] });

/** One scored scenario, judged; the exit code fits its checks unless the case is about it. */
function judge({ checks = [aCheck({ id: 'ok' })], report, baseline, metadata, input }: Case) {
  const made = aReport({ checks, ...report });
  const failed = made.checks.some(({ status }) => status === 'FAILURE');
  return judgeProfile({
    profile: aProfile(),
    metadata: someMetadata({ runs: [aRefereeRun({ exitCode: failed ? 1 : 0 })], ...metadata }),
    reports: [made],
    reportFindings: [],
    reruns: [],
    baseline: baseline === undefined ? undefined : aBaseline(baseline),
    baselineFile: 'baselines/server-2025-11-25.yaml',
    today: '2026-12-01',
    strictInfrastructure: false,
    ...input,
  });
}
const findings = (one: Case) => judge(one).findings;
const kinds = (one: Case) => findings(one).map(({ kind }) => kind);
const withException = (overrides: Partial<Exception> = {}, rest: Partial<Baseline> = {}) => ({
  exceptions: [exceptionFor(failing, 'bad', overrides)],
  ...rest,
});

describe('without a baseline', () => {
  test('success passes', () => {
    const judged = judge({});
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.outcome).toBe('pass');
    expect(judged.hasBaseline).toBe(false);
  });

  test.each(['FAILURE', 'WARNING', 'SKIPPED'])('%s needs an exception', (status) => {
    const check = aCheck({ id: 'bad', status, errorMessage: 'why\nmore' });
    expect(findings({ checks: [aCheck({ id: 'ok' }), check] })).toEqual([
      {
        kind: 'unclassified',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        check: 'bad',
        statuses: [status],
        firstLine: 'why',
        fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ]);
  });

  test('an id that occurs five times is one finding with five statuses', () => {
    const five = ['FAILURE', 'SUCCESS', 'WARNING', 'FAILURE', 'SKIPPED'].map((status) =>
      aCheck({ id: 'bad', status, errorMessage: 'x' }),
    );
    expect(findings({ checks: five })).toMatchObject([
      { kind: 'unclassified', statuses: ['FAILURE', 'SUCCESS', 'WARNING', 'FAILURE', 'SKIPPED'] },
    ]);
  });

  test('the first line is cut where it has no end', () => {
    const [finding] = findings({ checks: [aFailure('bad', 'x'.repeat(301))] });
    expect(finding).toMatchObject({ firstLine: `${'x'.repeat(300)}…` });
    expect(findings({ checks: [aFailure('bad', 'x'.repeat(300))] })).toMatchObject([
      { firstLine: 'x'.repeat(300) },
    ]);
  });
});

describe('exceptions', () => {
  const checks = failing.checks as Check[];

  test('as reviewed: pass', () => {
    const judged = judge({ checks, baseline: withException() });
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.outcome).toBe('pass');
    expect(judged.hasBaseline).toBe(true);
  });

  test.each<[string, Case, string[]]>([
    ['not reviewed', { checks, baseline: withException({ reviewed: undefined as never }) }, ['unreviewed']],
    [
      'expired yesterday',
      { checks, baseline: withException({ expires: '2026-11-30' }) },
      ['exception-expired'],
    ],
    ['expires today', { checks, baseline: withException({ expires: '2026-12-01' }) }, []],
    ['another status', { checks, baseline: withException({ statuses: ['WARNING'] }) }, ['status-changed']],
    [
      'more statuses',
      { checks, baseline: withException({ statuses: ['FAILURE', 'FAILURE'] }) },
      ['status-changed'],
    ],
    ['fewer statuses', { checks: [...checks, BAD], baseline: withException() }, ['status-changed']],
    [
      'other order',
      {
        checks: [aCheck({ id: 'bad', status: 'WARNING', errorMessage: 'x' }), BAD],
        baseline: withException({ statuses: ['FAILURE', 'WARNING'] }),
      },
      ['status-changed'],
    ],
    [
      'other evidence',
      { checks: [aFailure('bad', 'Expected 404, got 500')], baseline: withException() },
      ['evidence-changed'],
    ],
    ['passes now', { checks: [aCheck({ id: 'bad' })], baseline: withException() }, ['now-passing']],
    [
      'another scenario',
      { checks, baseline: withException({ scenario: 'some-scenari' }) },
      ['unknown-exception', 'unclassified'],
    ],
    [
      'another check',
      { checks, baseline: withException({ check: 'bat' }) },
      ['unclassified', 'unknown-exception'],
    ],
    [
      'recorded infrastructure',
      { checks, baseline: withException({ class: 'inconclusive-infrastructure' }) },
      ['transport-failure'],
    ],
    [
      'flaky and failing as reviewed',
      { checks, baseline: withException({ flaky: true, expires: '2027-01-01' }) },
      [],
    ],
    [
      'flaky and passing',
      { checks: [aCheck({ id: 'bad' })], baseline: withException({ flaky: true, expires: '2027-01-01' }) },
      [],
    ],
    [
      'flaky and failing otherwise',
      { checks: [aFailure('bad', 'x')], baseline: withException({ flaky: true, expires: '2027-01-01' }) },
      ['evidence-changed'],
    ],
    [
      'flaky and expired',
      { checks, baseline: withException({ flaky: true, expires: '2026-01-01' }) },
      ['exception-expired'],
    ],
    [
      'flaky, expired, and passing today',
      {
        checks: [aCheck({ id: 'bad' })],
        baseline: withException({ flaky: true, expires: '2026-11-30' }),
      },
      ['exception-expired'],
    ],
    [
      'flaky, on its last day, and passing',
      {
        checks: [aCheck({ id: 'bad' })],
        baseline: withException({ flaky: true, expires: '2026-12-01' }),
      },
      [],
    ],
    [
      'flaky, reviewed by nobody, and passing today',
      {
        checks: [aCheck({ id: 'bad' })],
        baseline: withException({ flaky: true, expires: '2027-01-01', reviewed: undefined as never }),
      },
      ['unreviewed'],
    ],
    [
      'one of two statuses',
      { checks: [...checks, BAD], baseline: withException({ statuses: ['FAILURE', 'WARNING'] }) },
      ['status-changed'],
    ],
    [
      'reviewed tomorrow, which is today elsewhere',
      { checks, baseline: withException({ reviewed: '2026-12-02' }) },
      [],
    ],
    [
      'gone silent',
      { checks: [aCheck({ id: 'ok' }), aCheck({ id: 'bad', status: 'INFO' })], baseline: withException() },
      ['status-changed'],
    ],
  ])('%s', (_what, one, expected) => {
    expect(kinds(one)).toEqual(expected);
  });

  test.each<[string, Partial<Exception>, string]>([
    ['masks leave nothing', { masked: ['errorMessage'] }, 'nothing-stable'],
    ['words are all masked', { masked: [1, 2, 3, 4].map((n) => `errorMessage #${n}`) }, 'nothing-stable'],
    ['reviewed the day after tomorrow', { reviewed: '2026-12-03' }, 'future-date'],
    ['flaky for more than a year', { flaky: true, expires: '2028-01-01' }, 'flaky-for-ever'],
    ['flaky without an end', { flaky: true }, 'flaky-for-ever'],
  ])('%s: nobody stands behind it', (_what, overrides, why) => {
    expect(findings({ checks, baseline: withException(overrides) })).toMatchObject([
      { kind: 'unreviewed', why },
    ]);
  });

  test('its dates come first: who writes one looks at the masks as well', () => {
    const overrides = { masked: ['errorMessage'], reviewed: undefined as never };
    const [finding, ...more] = findings({ checks, baseline: withException(overrides) });
    expect(finding).toMatchObject({ kind: 'unreviewed', check: 'bad' });
    expect(finding).not.toHaveProperty('why');
    expect(more).toEqual([]);
  });

  test('a flaky exception without an end in sight is a finding while the check passes, too', () => {
    const passing = [aCheck({ id: 'ok' }), aCheck({ id: 'bad' })];
    const until = (expires: string) =>
      findings({ checks: passing, baseline: withException({ flaky: true, expires }) });
    expect(until('9999-12-31')).toMatchObject([
      { kind: 'unreviewed', check: 'bad', why: 'flaky-for-ever', statuses: ['SUCCESS'], firstLine: '' },
    ]);
    expect(until('2027-12-03')).toMatchObject([{ kind: 'unreviewed' }]);
    expect(until('2027-12-02')).toEqual([]);
  });

  test('one without a date is not reviewed, and nothing worse', () => {
    const [finding] = findings({ checks, baseline: withException({ reviewed: undefined as never }) });
    expect(finding).toMatchObject({ kind: 'unreviewed', check: 'bad' });
    expect(finding).not.toHaveProperty('why');
  });

  test('one that is recorded as infrastructure says so, with the check under it', () => {
    const both = [...checks, aCheck({ id: 'bad', status: 'WARNING', errorMessage: 'x' })];
    const reviewed = exceptionFor(aReport({ checks: both }), 'bad', {
      class: 'inconclusive-infrastructure',
      reason: 'The proxy was down.',
    });
    expect(findings({ checks: both, baseline: { exceptions: [reviewed] } })).toEqual([
      {
        kind: 'transport-failure',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        message: 'Its reason: The proxy was down.',
        recordedFor: 'bad',
        consequences: [{ scenario: 'some-scenario', check: 'bad', status: 'FAILURE, WARNING' }],
      },
    ]);
  });

  const place = { file: 'b.yaml', line: 7, column: 5 };
  test.each<[string, Case, Partial<Finding> & Record<string, unknown>]>([
    [
      'passes now',
      {
        checks: [aCheck({ id: 'bad' })],
        baseline: withException({ place, statuses: ['FAILURE', 'WARNING'] }),
      },
      { kind: 'now-passing', expected: ['FAILURE', 'WARNING'] },
    ],
    [
      'has other statuses',
      { checks, baseline: withException({ place, statuses: ['SKIPPED'] }) },
      { kind: 'status-changed', expected: ['SKIPPED'], statuses: ['FAILURE'] },
    ],
    [
      'does not come',
      {
        baseline: withException(
          { place, statuses: ['SKIPPED'] },
          { inventory: new Map([['some-scenario', ['ok', 'bad']]]) },
        ),
      },
      { kind: 'not-emitted', expected: ['SKIPPED'] },
    ],
    [
      'never came',
      { baseline: { exceptions: [anException({ place, check: 'completely-different' })] } },
      { kind: 'unknown-exception', why: 'no-such-check' },
    ],
    [
      'came only while something was wrong',
      { baseline: { exceptions: [anException({ place, check: 'scenario-timeout' })] } },
      { kind: 'now-passing', expected: ['FAILURE'] },
    ],
    [
      'is of no scenario',
      { baseline: { exceptions: [anException({ place, scenario: 'completely-different' })] } },
      { kind: 'unknown-exception', why: 'no-such-scenario' },
    ],
  ])('a finding about a check that %s points to the line of its exception', (_what, one, expected) => {
    const [finding, ...rest] = findings(one);
    expect(finding).toMatchObject({ ...expected, place });
    expect(finding).not.toHaveProperty('nearest');
    expect(rest).toEqual([]);
  });

  test('one for INFO and a verdict has changed when only INFO is left', () => {
    const silent = [aCheck({ id: 'ok' }), aCheck({ id: 'bad', status: 'INFO' })];
    expect(kinds({ checks: silent, baseline: withException({ statuses: ['INFO', 'FAILURE'] }) })).toEqual([
      'status-changed',
    ]);
  });

  test('what was masked differs in no difference', () => {
    const [finding] = findings({
      checks: [aFailure('bad', 'Token xyz expired')],
      baseline: {
        exceptions: [
          exceptionFor(aReport({ checks: [aFailure('bad', 'Token abc unknown')] }), 'bad', {
            masked: ['errorMessage #2'],
          }),
        ],
      },
    });
    expect(finding).toMatchObject({
      kind: 'evidence-changed',
      diff: expect.stringContaining('[-unknown-]{+expired+}'),
    });
    expect(finding).not.toMatchObject({ diff: expect.stringContaining('xyz') });
  });

  test.each([true, false])(
    'a check named like its scenario is missed when it is ordinary (flaky: %s)',
    (flaky) => {
      const named = aReport({ checks: [aFailure('some-scenario', 'x')] });
      const baseline = {
        exceptions: [exceptionFor(named, 'some-scenario', { flaky, expires: '2027-01-01' })],
      };
      const inventory = new Map([['some-scenario', ['ok', 'some-scenario']]]);
      expect(kinds({ baseline: { ...baseline, inventory } })).toEqual(['not-emitted']);
      expect(kinds({ baseline })).toEqual(flaky ? [] : ['now-passing']);
    },
  );

  test('a difference shows what was reviewed and what came', () => {
    const [finding] = findings({
      checks: [aFailure('bad', 'Expected 404, got 500')],
      baseline: withException({ place: { file: 'b.yaml', line: 7, column: 5 } }),
    });
    expect(finding).toMatchObject({
      kind: 'evidence-changed',
      place: { file: 'b.yaml', line: 7, column: 5 },
      statuses: ['FAILURE'],
      firstLine: 'Expected 404, got 500',
      diff: 'Expected 404, got [-400-]{+500+}',
      expected: exceptionFor(failing, 'bad').evidence,
    });
  });

  test('without the reviewed text there is no difference to show', () => {
    const [finding] = findings({
      checks: [aFailure('bad', 'x')],
      baseline: withException({ observed: undefined as never }),
    });
    expect(finding).not.toHaveProperty('diff');
  });

  test('one changed occurrence of five is enough', () => {
    const five = (third: string) =>
      [1, 2, 3, 4, 5].map((n) => aFailure('bad', n === 3 ? third : `case ${n}`));
    const reviewed = aReport({ checks: five('case 3') });
    const baseline = { exceptions: [exceptionFor(reviewed, 'bad')] };
    expect(kinds({ checks: five('case 3'), baseline })).toEqual([]);
    expect(findings({ checks: five('case 33'), baseline })).toMatchObject([
      { kind: 'evidence-changed', diff: expect.stringContaining('[3] case [-3-]{+33+}') },
    ]);
  });

  test('masked places may change, others may not', () => {
    const token = (text: string) => [aFailure('bad', text)];
    const reviewed = aReport({ checks: token('Token abc unknown') });
    const baseline = { exceptions: [exceptionFor(reviewed, 'bad', { masked: ['errorMessage #2'] })] };
    expect(kinds({ checks: token('Token xyz unknown'), baseline })).toEqual([]);
    expect(kinds({ checks: token('Token xyz expired'), baseline })).toEqual(['evidence-changed']);
  });

  test('statuses and fingerprint in findings are those of the masked evidence', () => {
    const reviewed = aReport({ checks: [aFailure('bad', 'Token abc unknown')] });
    const exception = exceptionFor(reviewed, 'bad', {
      masked: ['errorMessage #2'],
      reviewed: undefined as never,
    });
    expect(
      findings({ checks: [aFailure('bad', 'Token xyz unknown')], baseline: { exceptions: [exception] } }),
    ).toMatchObject([
      { kind: 'unreviewed', fingerprint: exception.evidence, firstLine: 'Token xyz unknown' },
    ]);
  });

  test('an exception of another scenario excuses nothing here', () => {
    const [finding] = findings({
      checks,
      baseline: withException({ scenario: 'other' }),
      metadata: { scenarios: { scored: ['some-scenario', 'other'], notScored: [] } },
    });
    expect(finding).toMatchObject({ kind: 'missing-report', scenario: 'other' });
    expect(
      kinds({
        checks,
        baseline: withException({ scenario: 'other' }),
        metadata: { scenarios: { scored: ['some-scenario', 'other'], notScored: [] } },
      }),
    ).toContain('unclassified');
  });
});

describe('exceptions that name nothing', () => {
  test.each<[string, Case, Partial<Finding> & Record<string, unknown>]>([
    [
      'no such scenario, with the nearest one',
      { baseline: { exceptions: [anException({ scenario: 'some-scenarios' })] } },
      { why: 'no-such-scenario', nearest: 'some-scenario' },
    ],
    [
      'a scenario that is not scored',
      {
        baseline: { exceptions: [anException({ scenario: 'extension' })] },
        metadata: {
          scenarios: { scored: ['some-scenario'], notScored: [{ scenario: 'extension', reason: 'pending' }] },
        },
        input: { reports: [aReport({ checks: [aCheck({ id: 'ok' })] }), aReport({ scenario: 'extension' })] },
      },
      { why: 'not-scored' },
    ],
    [
      'a scenario that is not scored, however near it is to one that is',
      {
        baseline: { exceptions: [anException({ scenario: 'some-scenario2' })] },
        metadata: {
          scenarios: {
            scored: ['some-scenario'],
            notScored: [{ scenario: 'some-scenario2', reason: 'pending' }],
          },
        },
        input: {
          reports: [aReport({ checks: [aCheck({ id: 'ok' })] }), aReport({ scenario: 'some-scenario2' })],
        },
      },
      { why: 'not-scored' },
    ],
    [
      'no such check, with the nearest one',
      {
        checks: [aCheck({ id: 'tools-list' })],
        baseline: { exceptions: [anException({ check: 'tool-list' })] },
      },
      { why: 'no-such-check', nearest: 'tools-list' },
    ],
  ])('%s', (_what, one, expected) => {
    const found = findings(one);
    expect(found).toMatchObject([{ kind: 'unknown-exception', ...expected }]);
    if (!('nearest' in expected)) expect(found[0]).not.toHaveProperty('nearest');
  });

  test('a check that the inventory knows was not emitted', () => {
    const inventory = new Map([['some-scenario', ['ok', 'bad']]]);
    expect(findings({ baseline: { exceptions: [anException()], inventory } })).toStrictEqual([
      {
        kind: 'not-emitted',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        check: 'bad',
        expected: ['FAILURE'],
      },
    ]);
  });

  test.each([
    'client-timed-out',
    'client-exited-with-error',
    'scenario-timeout',
    'wire-schema-harness-error',
    'some-scenario',
  ])('that %s does not come is good news', (check) => {
    expect(kinds({ baseline: { exceptions: [anException({ check })] } })).toEqual(['now-passing']);
    const flaky = anException({ check, flaky: true, expires: '2027-01-01' });
    expect(kinds({ baseline: { exceptions: [flaky] } })).toEqual([]);
    const over = anException({ check, flaky: true, expires: '2026-01-01' });
    expect(findings({ baseline: { exceptions: [over] } })).toEqual([
      expect.objectContaining({ kind: 'exception-expired', check, expires: '2026-01-01' }),
    ]);
    const nobodys = { ...flaky, reviewed: undefined as never };
    expect(findings({ baseline: { exceptions: [nobodys] } })).toEqual([
      expect.objectContaining({
        kind: 'unreviewed',
        check,
        statuses: [],
        firstLine: '',
        fingerprint: flaky.evidence,
      }),
    ]);
  });

  test('a flaky check that would pass by coming has to come', () => {
    const flaky = anException({ flaky: true, expires: '2027-01-01' });
    const inventory = new Map([['some-scenario', ['bad']]]);
    expect(kinds({ baseline: { exceptions: [flaky], inventory } })).toEqual(['not-emitted']);
  });
});

describe('inventory', () => {
  const inventory = new Map([['some-scenario', ['ok', 'gone']]]);

  test('a check that no longer comes is a finding, a new one that passes is listed', () => {
    const judged = judge({ checks: [aCheck({ id: 'ok' }), aCheck({ id: 'new' })], baseline: { inventory } });
    expect(judged.findings).toEqual([
      { kind: 'vanished-check', profile: 'server:2025-11-25', scenario: 'some-scenario', check: 'gone' },
    ]);
    expect(judged.verdict.newChecks).toEqual([{ scenario: 'some-scenario', check: 'new' }]);
  });

  test('INFO entries that no longer come too', () => {
    const information = new Map([['some-scenario', ['log']]]);
    expect(kinds({ baseline: { information } })).toEqual(['vanished-check']);
    expect(
      kinds({
        checks: [aCheck({ id: 'ok' }), aCheck({ id: 'log', status: 'INFO' })],
        baseline: { information },
      }),
    ).toEqual([]);
  });

  test('a verdict that turned into INFO is lost', () => {
    const checks = [aCheck({ id: 'ok' }), aCheck({ id: 'gone', status: 'INFO' })];
    expect(findings({ checks, baseline: { inventory } })).toMatchObject([
      { kind: 'status-changed', check: 'gone', expected: ['SUCCESS'], statuses: ['INFO'] },
    ]);
    expect(kinds({ checks, baseline: { inventory: new Map([['some-scenario', ['ok']]]) } })).toEqual([]);
    expect(kinds({ checks, baseline: { inventory: new Map([['other', ['gone']]]) } })).toEqual([
      'vanished-check',
    ]);
  });

  test('INFO that turned into a verdict is new', () => {
    const information = new Map([['some-scenario', ['ok']]]);
    const judged = judge({ baseline: { information } });
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.newChecks).toEqual([]);
  });

  test('a scenario that is no longer scored is lost, unless the requirement set says so', () => {
    const removed = new Map([['removed', ['a', 'b']]]);
    expect(findings({ baseline: { inventory: removed } })).toMatchObject([
      { kind: 'vanished-check', scenario: 'removed', check: 'a' },
      { kind: 'vanished-check', scenario: 'removed', check: 'b' },
    ]);
    expect(kinds({ baseline: { inventory: removed, requirements: `sha256:${'9'.repeat(64)}` } })).toEqual([
      'requirements-changed',
    ]);
  });

  test('what a scenario that was cut short did not say hangs on that', () => {
    const thrown = aReport({ origin: 'thrown', checks: [aFailure('some-scenario', 'Bad Request')] });
    const [finding, ...rest] = findings({
      report: thrown,
      baseline: { inventory, exceptions: [anException()] },
    });
    expect(finding).toMatchObject({
      kind: 'unclassified',
      check: 'some-scenario',
      consequences: [
        { scenario: 'some-scenario', check: 'ok' },
        { scenario: 'some-scenario', check: 'gone' },
      ],
    });
    expect(rest).toMatchObject([{ kind: 'unknown-exception' }]);
    expect(
      kinds({ report: thrown, baseline: { inventory, exceptions: [exceptionFor(thrown, 'some-scenario')] } }),
    ).toEqual(['vanished-check', 'vanished-check']);
  });

  test('an exception for what a scenario that threw did not come to hangs on that too', () => {
    const thrown = aReport({ origin: 'thrown', checks: [aFailure('some-scenario', 'Bad Request')] });
    const exceptions = [anException({ check: 'gone' })];
    expect(findings({ report: thrown, baseline: { inventory, exceptions } })).toMatchObject([
      {
        kind: 'unclassified',
        consequences: [
          { scenario: 'some-scenario', check: 'gone' },
          { scenario: 'some-scenario', check: 'ok' },
        ],
      },
    ]);
    const [alone] = findings({ report: thrown, baseline: {} });
    expect(alone).not.toHaveProperty('consequences');
  });

  test('what a scenario that never ended did not say hangs on that, once it is confirmed', () => {
    const endless = aReport({ checks: [aFailure('scenario-timeout', 'did not complete')] });
    const reruns = [{ rerun: aRerun('some-scenario'), reports: [endless], findings: [] }];
    expect(findings({ report: endless, baseline: { inventory }, input: { reruns } })).toMatchObject([
      {
        kind: 'unclassified',
        check: 'scenario-timeout',
        consequences: [{ check: 'ok' }, { check: 'gone' }],
      },
    ]);
  });

  test('a scenario that merely fails explains nothing', () => {
    expect(kinds({ checks: [aFailure('some-scenario', 'x')], baseline: { inventory } })).toEqual([
      'unclassified',
      'vanished-check',
      'vanished-check',
    ]);
  });
});

describe('no verdict', () => {
  test.each<[string, Check[], string]>([
    ['empty', [], 'empty'],
    ['info-only', [aCheck({ id: 'log', status: 'INFO' })], 'info-only'],
  ])('%s', (_what, checks, why) => {
    expect(findings({ checks })).toEqual([
      { kind: 'no-verdict', profile: 'server:2025-11-25', scenario: 'some-scenario', why },
    ]);
  });

  test('nothing but INFO can be reviewed, and then has to stay as it is', () => {
    const info = (message: string) => [aCheck({ id: 'log', status: 'INFO', details: { message } })];
    const exception = exceptionFor(aReport({ checks: info('not applicable') }), 'log');
    expect(kinds({ checks: info('not applicable'), baseline: { exceptions: [exception] } })).toEqual([]);
    expect(kinds({ checks: info('other'), baseline: { exceptions: [exception] } })).toEqual([
      'evidence-changed',
      'no-verdict',
    ]);
    expect(
      kinds({
        checks: [...info('not applicable'), aCheck({ id: 'ok' })],
        baseline: { exceptions: [exception] },
      }),
    ).toEqual(['now-passing']);
    const unreviewed = { ...exception, reviewed: undefined as never };
    expect(kinds({ checks: info('not applicable'), baseline: { exceptions: [unreviewed] } })).toEqual([
      'unreviewed',
    ]);
  });
});

describe('what the baseline was reviewed against', () => {
  test.each<[string, Partial<Baseline>, Partial<Finding> & Record<string, unknown>]>([
    [
      'another version',
      { referee: { pin: 'npm:0.2.0-alpha.11' } },
      { kind: 'pin-mismatch', reviewed: 'npm:0.2.0-alpha.11', running: 'npm:0.2.0-alpha.12' },
    ],
    [
      'the same version, other bytes',
      { referee: { pin: 'npm:0.2.0-alpha.12', integrity: 'sha512-x' } },
      { kind: 'pin-mismatch', reviewed: 'sha512-x', running: 'sha512-abc' },
    ],
    [
      'another requirement set',
      { requirements: 'sha256:x' },
      { kind: 'requirements-changed', reviewed: 'sha256:x' },
    ],
    [
      'no requirement set',
      { requirements: undefined as never },
      { kind: 'requirements-changed', reviewed: 'none' },
    ],
    [
      'another profile',
      { profile: 'server:2026-07-28' },
      { kind: 'wrong-baseline', reviewed: 'server:2026-07-28' },
    ],
  ])('%s', (_what, baseline, expected) => {
    expect(findings({ baseline })).toEqual([
      expect.objectContaining({
        ...expected,
        profile: 'server:2025-11-25',
        place: { file: 'baselines/server-2025-11-25.yaml' },
      }),
    ]);
  });

  test('findings about the baseline as a whole have no place when there is no file', () => {
    const found = findings({
      baseline: { requirements: 'sha256:x', exceptions: [anException({ scenario: 'unheard-of' })] },
      input: { baselineFile: undefined as never },
    });
    expect(found.map(({ kind }) => kind)).toEqual(['requirements-changed', 'unknown-exception']);
    for (const finding of found) expect(finding).not.toHaveProperty('place');
  });

  test('a run without a requirement set against a baseline with one', () => {
    const { requirements: _gone, ...referee } = someMetadata().referee;
    expect(findings({ baseline: {}, metadata: { referee } })).toMatchObject([
      { kind: 'requirements-changed', running: 'none' },
    ]);
  });

  const commit = 'c'.repeat(40);
  test.each<[string, string, string, string[]]>([
    ['the same commit in another checkout', `path:/a@${commit}`, `path:/b@${commit}`, []],
    ['the same commit by git and by path', `git:${commit}`, `path:/b@${commit}`, []],
    ['another commit', `git:${commit}`, `git:${'d'.repeat(40)}`, ['pin-mismatch']],
    ['a commit and a version', `git:${commit}`, 'npm:1.0.0', ['pin-mismatch']],
    ['two versions', 'npm:1.0.0', 'npm:1.0.1', ['pin-mismatch']],
    [
      'two longer names that begin with the same forty digits',
      `git:${commit}${'a'.repeat(24)}`,
      `git:${commit}${'b'.repeat(24)}`,
      ['pin-mismatch'],
    ],
  ])('%s', (_what, reviewed, running, expected) => {
    const referee = { ...someMetadata().referee, pin: running };
    expect(kinds({ baseline: { referee: { pin: reviewed } }, metadata: { referee } })).toEqual(expected);
  });

  test('commits are compared when both are known', () => {
    const referee = { ...someMetadata().referee, commit: 'x' };
    const against = (own: string) =>
      kinds({ baseline: { referee: { pin: 'npm:0.2.0-alpha.12', commit: own } }, metadata: { referee } });
    expect(against('x')).toEqual([]);
    expect(against('y')).toEqual(['pin-mismatch']);
    expect(kinds({ baseline: { referee: { pin: 'npm:0.2.0-alpha.12', commit: 'x' } } })).toEqual([]);
  });

  test('fingerprints of another normaliser are one finding, with the exceptions under it', () => {
    const baseline = withException({}, { normaliser: NORMALISER_VERSION + 1 });
    expect(findings({ checks: failing.checks as Check[], baseline })).toEqual([
      {
        kind: 'normaliser-changed',
        profile: 'server:2025-11-25',
        reviewed: NORMALISER_VERSION + 1,
        running: NORMALISER_VERSION,
        place: { file: 'baselines/server-2025-11-25.yaml' },
        consequences: [{ scenario: 'some-scenario', check: 'bad' }],
      },
    ]);
  });

  test('a baseline of another profile excuses nothing', () => {
    expect(
      kinds({
        checks: failing.checks as Check[],
        baseline: withException({}, { profile: 'server:2026-07-28' }),
      }),
    ).toEqual(['wrong-baseline', 'unclassified']);
  });
});

describe('capabilities', () => {
  const optional = anException({
    check: 'ok',
    class: 'optional-capability',
    reference: 'https://example.com',
  });

  test('other ones than at review, with the exceptions that hang on them', () => {
    expect(
      findings({
        checks: [aFailure('ok', 'x')],
        baseline: {
          capabilities: { tools: {}, prompts: { listChanged: true } },
          exceptions: [
            {
              ...optional,
              ...exceptionFor(aReport({ checks: [aFailure('ok', 'x')] }), 'ok'),
              class: 'optional-capability',
            },
            anException({ scenario: 'some-scenario', check: 'other' }),
          ],
        },
      })[0],
    ).toEqual({
      kind: 'capability-changed',
      profile: 'server:2025-11-25',
      before: { tools: {}, prompts: { listChanged: true } },
      now: { tools: {} },
      diff: '[-prompts.listChanged: true\n-]tools: {}',
      consequences: [{ scenario: 'some-scenario', check: 'ok' }],
      place: { file: 'baselines/server-2025-11-25.yaml' },
    });
  });

  test.each<[string, NonNullable<Baseline['capabilities']> | null, string[]]>([
    ['the same in another order', { b: { y: 1, x: [1, 2] }, a: {} }, []],
    ['another order of a list', { a: {}, b: { x: [2, 1], y: 1 } }, ['capability-changed']],
    ['one more', { a: {}, b: { x: [1, 2], y: 1 }, c: {} }, ['capability-changed']],
    ['none', null, ['capability-changed']],
  ])('%s', (_what, capabilities, expected) => {
    const before = aProbe({ capabilities: { a: {}, b: { x: [1, 2], y: 1 } } });
    expect(kinds({ baseline: { capabilities }, metadata: { probes: { before, after: before } } })).toEqual(
      expected,
    );
  });

  test('a server that answers with an error advertises none', () => {
    const before = aProbe({ capabilities: null });
    const metadata = { probes: { before, after: before } };
    expect(kinds({ baseline: { capabilities: null }, metadata })).toEqual([]);
    expect(kinds({ baseline: { capabilities: {} }, metadata })).toEqual(['capability-changed']);
    expect(findings({ baseline: { capabilities: { tools: {} } }, metadata })).toMatchObject([
      { kind: 'capability-changed', now: null, diff: '[-tools: {}-]{+none+}' },
    ]);
  });

  test('a server that was not asked advertises none', () => {
    expect(kinds({ baseline: {}, metadata: { probes: { before: null, after: null } } })).toEqual([
      'capability-changed',
    ]);
  });

  test('a run that was stopped before the probe has that as its only finding', () => {
    const faults = [{ kind: 'interrupted' as const, signal: 'SIGINT' }];
    expect(kinds({ baseline: {}, metadata: { faults, probes: { before: null, after: null } } })).toEqual([
      'interrupted',
    ]);
  });

  test('a run that was stopped later still says that other capabilities came', () => {
    const faults = [{ kind: 'interrupted' as const, signal: 'SIGINT' }];
    expect(kinds({ baseline: { capabilities: {} }, metadata: { faults } })).toEqual([
      'interrupted',
      'capability-changed',
    ]);
  });

  test('without a snapshot, and for clients, nothing is compared', () => {
    expect(kinds({ baseline: { capabilities: undefined as never } })).toEqual([]);
    const client = {
      profile: 'client:2025-11-25',
      runs: [aRefereeRun({ argv: ['client', '--scenario', 'some-scenario'] })],
      target: { kind: 'client' as const, notes: [] },
      probes: { before: null, after: null },
    };
    expect(
      kinds({
        baseline: { profile: 'client:2025-11-25' },
        metadata: client,
        input: { profile: aProfile('client:2025-11-25') },
      }),
    ).toEqual([]);
  });
});

describe('partial runs', () => {
  const scenarios = {
    scored: ['some-scenario', 'other'],
    notScored: [{ scenario: 'third', reason: 'pending' }],
    only: ['some-scenario'],
  };

  test('what did not run is not evaluated', () => {
    const judged = judge({
      metadata: { scenarios },
      baseline: {
        exceptions: [anException({ scenario: 'other', check: 'x' })],
        inventory: new Map([['other', ['x', 'y']]]),
      },
    });
    expect(judged.findings).toEqual([]);
    expect(judged.verdict.notEvaluated).toEqual([{ scenario: 'other', check: 'x' }]);
    expect(judged.verdict.scenarios.map(({ scenario, result }) => [scenario, result])).toEqual([
      ['some-scenario', 'passed'],
      ['other', 'not-evaluated'],
      ['third', 'not-evaluated'],
    ]);
    expect(judged.verdict.counts.scenarios).toMatchObject({ scored: 1, notScored: 0, passed: 1 });
  });

  test('a report that was not asked for is not judged', () => {
    const reports = [
      aReport({ checks: [aCheck({ id: 'ok' })] }),
      aReport({ scenario: 'other', checks: [BAD] }),
    ];
    const runs = [aRefereeRun({ argv: ['server', '--scenario', 'some-scenario'] })];
    const judged = judge({ metadata: { scenarios, runs }, input: { reports } });
    expect(judged.findings).toEqual([]);
    expect(judged.checks).toMatchObject([
      { check: 'ok', disposition: 'passed' },
      { check: 'bad', disposition: 'finding' },
    ]);
  });
});

describe('doubt', () => {
  const lost = aFailure('lost', 'Failed: fetch failed');

  test('names everything of its scenario that did not pass', () => {
    const checks = [aCheck({ id: 'ok' }), lost, BAD, aCheck({ id: 'bad', status: 'SKIPPED' })];
    expect(findings({ checks })).toEqual([
      {
        kind: 'transport-failure',
        profile: 'server:2025-11-25',
        scenario: 'some-scenario',
        message: 'Failed: fetch failed',
        consequences: [
          { scenario: 'some-scenario', check: 'lost', status: 'FAILURE' },
          { scenario: 'some-scenario', check: 'bad', status: 'FAILURE, SKIPPED' },
        ],
      },
    ]);
  });

  test('is none where a lost connection is as reviewed, whatever else is wrong beside it', () => {
    const exceptions = [exceptionFor(aReport({ checks: [lost] }), 'lost')];
    expect(kinds({ checks: [lost, BAD], baseline: { exceptions } })).toEqual(['unclassified']);
  });

  test('is told in the words of the occurrence that raised it', () => {
    const id = 'wire-schema-harness-error';
    const checks = [
      aCheck({ id, errorMessage: 'a success' }),
      aCheck({ id, status: 'INFO', errorMessage: 'a log entry' }),
      aCheck({ id, status: 'FAILURE', description: 'The referee speaks the protocol' }),
    ];
    expect(findings({ checks })).toMatchObject([
      { kind: 'harness-error', message: 'The referee speaks the protocol' },
    ]);
  });

  test('is gone only when the same scenario lost its connection again', () => {
    const again = (scenario: string) => ({
      rerun: aRerun('some-scenario'),
      reports: [aReport({ scenario: 'other' }), aReport({ scenario, checks: [lost] })],
      findings: [],
    });
    expect(kinds({ checks: [lost], input: { reruns: [again('some-scenario')] } })).toEqual(['unclassified']);
    expect(kinds({ checks: [lost], input: { reruns: [again('another')] } })).toEqual(['transport-failure']);
  });
});
