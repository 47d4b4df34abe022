import { describe, expect, test } from 'vitest';
import type { Exception } from '../../src/baseline/baseline.ts';
import { judgeProfile } from '../../src/gate/judge.ts';
import { checkResultSchema, profileVerdictSchema } from '../../src/gate/verdict.ts';
import type { Check } from '../../src/reports/report.ts';
import type { RunMetadata } from '../../src/run/metadata.ts';
import { aBaseline, anException, exceptionFor } from '../support/a-baseline.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aProbe, aProfile, aRefereeRun, aRerun, someMetadata } from '../support/some-metadata.ts';

const passed = aReport({
  scenario: 'passed',
  checks: [aCheck({ id: 'ok' }), aCheck({ id: 'log', status: 'INFO' })],
});
const excepted = aReport({
  scenario: 'excepted',
  checks: [
    aCheck({ id: 'ok' }),
    aFailure('bad', 'x', {
      specReferences: [
        { id: 'A', url: 'https://example.com/a' },
        { id: 'A', url: 'https://example.com/a' },
        { id: 'B' },
        { id: 'A', url: 'https://example.com/c' },
        { id: 'C', url: 'https://example.com/a' },
      ],
    }),
  ],
});
const failing = aReport({
  scenario: 'failing',
  checks: [
    aFailure('worse', 'y'),
    aCheck({ id: 'warned', status: 'WARNING' }),
    aCheck({ id: 'skipped', status: 'SKIPPED' }),
  ],
});
const extra = aReport({ scenario: 'extra', checks: [aFailure('x', 'x')] });
const fine = aReport({ scenario: 'fine', checks: [aCheck()] });

function judge(metadata: Partial<RunMetadata> = {}, reports = [passed, excepted, failing, extra, fine]) {
  return judgeProfile({
    profile: aProfile(),
    metadata: someMetadata({
      runs: [aRefereeRun({ exitCode: 1 })],
      scenarios: {
        scored: ['passed', 'excepted', 'failing', 'missing'],
        notScored: [
          { scenario: 'extra', reason: 'extension', note: 'n' },
          { scenario: 'fine', reason: 'pending' },
        ],
      },
      durations: { referee: 1500 },
      ...metadata,
    }),
    reports,
    reportFindings: [],
    reruns: [],
    baseline: aBaseline({
      exceptions: [
        exceptionFor(excepted, 'bad', {
          class: 'referee-bug',
          reference: 'https://example.com/1',
          expires: '2027-01-01',
        }),
      ],
      inventory: new Map([['excepted', ['ok', 'bad']]]),
      information: new Map([['passed', ['log']]]),
    }),
    today: '2026-12-01',
    strictInfrastructure: false,
  });
}

describe('profile verdict', () => {
  test('is of the published shape', () => {
    const { verdict, checks } = judge();
    expect(profileVerdictSchema.parse(verdict)).toEqual(verdict);
    for (const check of checks) expect(checkResultSchema.parse(check)).toEqual(check);
  });

  test('counts scenarios, checks and exceptions', () => {
    expect(judge().verdict.counts).toEqual({
      scenarios: { scored: 4, notScored: 2, passed: 1, excepted: 1, failing: 1, notMeasured: 1 },
      checks: { total: 9, success: 3, failure: 3, warning: 1, skipped: 1, info: 1 },
      exceptions: { 'referee-bug': 1 },
      notScored: { passed: 1, failing: 1 },
    });
  });

  test('tells each scenario in order, with its result', () => {
    expect(judge().verdict.scenarios).toStrictEqual([
      {
        scenario: 'passed',
        scored: true,
        result: 'passed',
        checks: { success: 1, failure: 0, warning: 0, skipped: 0, info: 1 },
      },
      {
        scenario: 'excepted',
        scored: true,
        result: 'excepted',
        checks: { success: 1, failure: 1, warning: 0, skipped: 0, info: 0 },
      },
      {
        scenario: 'failing',
        scored: true,
        result: 'finding',
        checks: { success: 0, failure: 1, warning: 1, skipped: 1, info: 0 },
      },
      {
        scenario: 'missing',
        scored: true,
        result: 'not-measured',
        checks: { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 },
      },
      {
        scenario: 'extra',
        scored: false,
        reason: 'extension',
        result: 'not-scored-failing',
        checks: { success: 0, failure: 1, warning: 0, skipped: 0, info: 0 },
      },
      {
        scenario: 'fine',
        scored: false,
        reason: 'pending',
        result: 'not-scored-passed',
        checks: { success: 1, failure: 0, warning: 0, skipped: 0, info: 0 },
      },
    ]);
  });

  test('lists passing checks that the inventory does not know; INFO it knows', () => {
    expect(judge().verdict.newChecks).toEqual([{ scenario: 'passed', check: 'ok' }]);
  });

  test('carries who was measured by whom', () => {
    const { verdict } = judge();
    expect(verdict).toMatchObject({
      profile: 'server:2025-11-25',
      slug: 'server-2025-11-25',
      outcome: 'inconclusive',
      referee: someMetadata().referee,
      target: someMetadata().target,
      probe: someMetadata().probes.before,
      durations: { referee: 1500 },
      notEvaluated: [],
      notes: [],
    });
  });

  test('notes runs alone and scored scenarios that threw', () => {
    const reruns = [aRerun('a'), aRerun('b'), aRerun('c', { purpose: 'calibrate' })];
    expect(judge({ reruns }).verdict.notes).toEqual(['2 scenarios were run again alone.']);
    expect(judge({ reruns: [aRerun('a')] }).verdict.notes).toEqual(['1 scenario was run again alone.']);
    const thrown = aReport({
      scenario: 'passed',
      origin: 'thrown',
      checks: [aFailure('passed', 'one\ntwo')],
    });
    expect(judge({}, [thrown, excepted, failing, extra, fine]).verdict.notes).toEqual([
      'passed threw instead of reporting: one',
    ]);
  });

  test('notes a server that answered with an error, which may not speak this revision', () => {
    const note = (before: RunMetadata['probes']['before']) =>
      judge({ probes: { before, after: null } }).verdict.notes;
    const error = { code: -32602, message: 'Unsupported protocol version' };
    expect(note(aProbe({ capabilities: null, error }))).toEqual([
      'The server answered initialize with an error (-32602: Unsupported protocol version): it seems not to speak 2025-11-25. Name the profiles that it does speak with --profile or profiles:.',
    ]);
    expect(note(aProbe({ error }))).toEqual([]);
    expect(note(aProbe({ capabilities: null }))).toEqual([]);
  });

  test('counts a status that nobody knows only in the total', () => {
    const odd = aReport({ scenario: 'passed', checks: [aCheck({ id: 'ok', status: 'MAYBE' })] });
    const { counts, scenarios } = judge({}, [odd]).verdict;
    const none = { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 };
    expect(counts.checks).toEqual({ total: 1, ...none });
    expect(scenarios[0]?.checks).toEqual(none);
  });

  test('a dead target leaves no scenario passed', () => {
    const { verdict } = judge({ faults: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 }] });
    expect(verdict.scenarios.map(({ result }) => result)).toEqual([
      'passed',
      'excepted',
      'finding',
      'not-measured',
      'not-scored-failing',
      'not-scored-passed',
    ]);
  });
});

describe('checks', () => {
  test('each id once, with what became of it', () => {
    expect(judge().checks.map(({ scenario, check, disposition }) => [scenario, check, disposition])).toEqual([
      ['passed', 'ok', 'passed'],
      ['passed', 'log', 'passed'],
      ['excepted', 'ok', 'passed'],
      ['excepted', 'bad', 'excepted'],
      ['failing', 'worse', 'finding'],
      ['failing', 'warned', 'finding'],
      ['failing', 'skipped', 'finding'],
      ['extra', 'x', 'not-scored'],
      ['fine', 'some-check', 'not-scored'],
    ]);
  });

  test('an excepted one says why', () => {
    const exception = exceptionFor(excepted, 'bad');
    expect(judge().checks[3]).toStrictEqual({
      scenario: 'excepted',
      scored: true,
      check: 'bad',
      name: 'Name of bad',
      description: 'Description of bad',
      statuses: ['FAILURE'],
      disposition: 'excepted',
      fingerprint: exception.evidence,
      evidence: 'x',
      exception: {
        class: 'referee-bug',
        reason: 'Known.',
        reference: 'https://example.com/1',
        reviewed: '2026-11-30',
        expires: '2027-01-01',
      },
      specReferences: [
        { id: 'A', url: 'https://example.com/a' },
        { id: 'B' },
        { id: 'A', url: 'https://example.com/c' },
        { id: 'C', url: 'https://example.com/a' },
      ],
      occurrences: [excepted.checks[1]],
    });
  });

  test('a success has no evidence', () => {
    const [ok] = judge().checks;
    expect(ok).not.toHaveProperty('fingerprint');
    expect(ok).not.toHaveProperty('evidence');
    expect(ok).not.toHaveProperty('exception');
    expect(ok).not.toHaveProperty('specReferences');
  });

  test('INFO that was reviewed is excepted, and shown masked', () => {
    const info = aReport({ checks: [aCheck({ id: 'log', status: 'INFO', details: { a: 'x y' } })] });
    const exception = exceptionFor(info, 'log', { masked: ['details.a #2'] });
    const { checks, findings } = judgeProfile({
      profile: aProfile(),
      metadata: someMetadata(),
      reports: [info],
      reportFindings: [],
      reruns: [],
      baseline: aBaseline({ exceptions: [exception] }),
      today: '2026-12-01',
      strictInfrastructure: false,
    });
    expect(findings).toEqual([]);
    expect(checks).toMatchObject([{ disposition: 'excepted' }]);
  });

  test('a check of a scenario that is not scored has no exception, whatever the baseline says', () => {
    const { checks } = judgeProfile({
      profile: aProfile(),
      metadata: someMetadata({
        scenarios: { scored: ['passed'], notScored: [{ scenario: 'extra', reason: 'pending' }] },
      }),
      reports: [passed, extra],
      reportFindings: [],
      reruns: [],
      baseline: aBaseline({ exceptions: [exceptionFor(extra, 'x')] }),
      today: '2026-12-01',
      strictInfrastructure: false,
    });
    expect(checks.at(-1)).not.toHaveProperty('exception');
  });

  /** One scored scenario of these checks, all that came of it. */
  const judgeOne = (one: Check[], exceptions: Exception[]) =>
    judgeProfile({
      profile: aProfile(),
      metadata: someMetadata({
        runs: [aRefereeRun({ exitCode: one.some(({ status }) => status === 'FAILURE') ? 1 : 0 })],
      }),
      reports: [aReport({ checks: one })],
      reportFindings: [],
      reruns: [],
      baseline: aBaseline({ exceptions }),
      today: '2026-12-01',
      strictInfrastructure: false,
    });

  test.each<[string, Check, Exception, string]>([
    ['with other evidence', aFailure('bad', 'x'), anException(), 'finding'],
    ['that passes now', aCheck({ id: 'bad' }), anException(), 'finding'],
    [
      'that is flaky and passes',
      aCheck({ id: 'bad' }),
      anException({ flaky: true, expires: '2027-01-01' }),
      'passed',
    ],
  ])('an exception excuses nothing for a check %s', (_what, check, exception, disposition) => {
    const { checks, verdict } = judgeOne([aCheck({ id: 'ok' }), check], [exception]);
    expect(checks[1]).toMatchObject({ check: 'bad', disposition });
    expect(verdict.counts.exceptions).toEqual({});
    expect(verdict.counts.scenarios).toMatchObject({ excepted: 0 });
  });

  test('what was excepted is a finding while its scenario is in doubt', () => {
    const bad = aFailure('bad', 'x');
    const { checks } = judgeOne(
      [bad, aFailure('lost', 'fetch failed')],
      [exceptionFor(aReport({ checks: [bad] }), 'bad')],
    );
    expect(checks.map(({ disposition }) => disposition)).toEqual(['finding', 'finding']);
  });

  test('evidence is shown in lines and as it was masked, and an exception with what it says', () => {
    const bad = aFailure('bad', 'Token abc unknown\nTry again');
    const { reviewed: _none, ...exception } = exceptionFor(aReport({ checks: [bad] }), 'bad', {
      masked: ['errorMessage #2'],
    });
    const [check] = judgeOne([bad], [exception]).checks;
    expect(check?.evidence).toMatch(/^Token (?!abc).* unknown\nTry again$/);
    expect(check?.fingerprint).toBe(exception.evidence);
    expect(check?.exception).toStrictEqual({ class: 'genuine-protocol-failure', reason: 'Known.' });
  });

  test('what hangs on a cause is a finding too', () => {
    const { checks } = judge({ faults: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 }] });
    expect(checks.find(({ check }) => check === 'worse')?.disposition).toBe('finding');
  });
});
