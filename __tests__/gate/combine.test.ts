import { describe, expect, test } from 'vitest';
import { type CombineInput, combine } from '../../src/gate/combine.ts';
import { type Finding, findingSchema, levelOf } from '../../src/gate/finding.ts';
import { judgeProfile } from '../../src/gate/judge.ts';
import { classOf, outcomeClassOf, outcomeOf } from '../../src/gate/outcome.ts';
import { causesFirst } from '../../src/gate/root-cause.ts';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { aBaseline, exceptionFor } from '../support/a-baseline.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

const TIMING = {
  startedAt: '2026-12-01T00:00:00.000Z',
  finishedAt: '2026-12-01T00:00:05.000Z',
  tookMs: 5000,
};

function judged(checks = [aCheck()], excepted = false) {
  const report = aReport({ checks });
  const failed = checks.some(({ status }) => status === 'FAILURE');
  return judgeProfile({
    profile: aProfile(),
    metadata: someMetadata({ runs: [aRefereeRun({ exitCode: failed ? 1 : 0 })] }),
    reports: [report],
    reportFindings: [],
    reruns: [],
    baseline: excepted ? aBaseline({ exceptions: [exceptionFor(report, 'bad')] }) : undefined,
    today: '2026-12-01',
    strictInfrastructure: false,
  });
}
const verdict = (rest: Partial<CombineInput> = {}) =>
  combine({ profiles: [judged()], setupFindings: [], source: {}, timing: TIMING, version: '1.2.3', ...rest });

const UNAVAILABLE: Finding = { kind: 'referee-unavailable', pin: 'npm:1.0.0', message: 'offline' };

describe('combine', () => {
  test('is verdict.json', () => {
    const made = verdict({ name: 'mine', source: { commit: 'abc' } });
    expect(verdictSchema.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      schemaVersion: 1,
      tool: { name: 'mcp-conformance-gate', version: '1.2.3' },
      name: 'mine',
      outcome: 'pass',
      outcomeClass: 'pass',
      source: { commit: 'abc' },
      timing: TIMING,
      findings: [],
    });
    expect(made.profiles).toHaveLength(1);
    expect(verdict()).not.toHaveProperty('name');
  });

  test('without a single profile nothing was measured', () => {
    expect(verdict({ profiles: [] })).toMatchObject({
      outcome: 'inconclusive',
      outcomeClass: 'setup',
      findings: [{ kind: 'nothing-applicable' }],
    });
    expect(verdict({ profiles: [], setupFindings: [UNAVAILABLE] }).findings).toEqual([UNAVAILABLE]);
  });

  test('what was not measured comes first and outranks what fails', () => {
    const made = verdict({ profiles: [judged([aFailure('bad', 'x')])], setupFindings: [UNAVAILABLE] });
    expect(made.findings.map(({ kind }) => kind)).toEqual(['referee-unavailable', 'unclassified']);
    expect(made.outcome).toBe('inconclusive');
    expect(made.outcomeClass).toBe('referee');
  });

  test.each<[string, Partial<CombineInput>, string]>([
    ['pass', {}, 'Passes without an exception: 1 profile, 1 scenario.'],
    [
      'two profiles',
      { profiles: [judged(), judged()] },
      'Passes without an exception: 2 profiles, 2 scenarios.',
    ],
    [
      'with exceptions',
      { profiles: [judged([aFailure('bad', 'x')], true)] },
      'Passes its reviewed baseline: 1 profile, 1 scenario, 1 reviewed exception.',
    ],
    [
      'fail',
      { profiles: [judged([aFailure('bad', 'x')])] },
      '1 check is not a success and has no reviewed exception.',
    ],
    [
      'fail twice',
      { profiles: [judged([aFailure('bad', 'x'), aFailure('b', 'x')])] },
      '2 checks are not a success and have no reviewed exception.',
    ],
    [
      'fail often',
      { profiles: [judged([aFailure('bad', 'x'), aFailure('b', 'x'), aFailure('c', 'x')])] },
      '3 checks are not a success and have no reviewed exception.',
    ],
    [
      'not measured',
      { profiles: [], setupFindings: [UNAVAILABLE] },
      'Could not measure: the referee npm:1.0.0 is not available.',
    ],
  ])('headline: %s', (_what, input, expected) => {
    expect(verdict(input).headline).toBe(expected);
  });
});

describe('outcome', () => {
  const at = { profile: 'p', scenario: 's', check: 'c' };
  const unclassified: Finding = { kind: 'unclassified', ...at, statuses: [], firstLine: '', fingerprint: '' };
  const stale: Finding = { kind: 'now-passing', ...at, expected: [] };
  const review: Finding = { kind: 'unreviewed', ...at, statuses: [], firstLine: '', fingerprint: '' };
  const target: Finding = { kind: 'probe-failed', when: 'before', url: '', reason: '', message: '' };
  const setup: Finding = { kind: 'port-occupied', port: 1 };

  test('inconclusive outranks fail, fail outranks pass', () => {
    expect(outcomeOf([])).toBe('pass');
    expect(outcomeOf([review])).toBe('fail');
    expect(outcomeOf([unclassified, target])).toBe('inconclusive');
  });

  test.each<[string, Finding[], string]>([
    ['nothing', [], 'pass'],
    ['review', [review], 'review'],
    ['stale before review', [review, stale], 'stale'],
    ['regression before stale', [review, stale, unclassified], 'regression'],
    ['what was not measured before what fails', [unclassified, UNAVAILABLE], 'referee'],
    ['target before referee', [UNAVAILABLE, target], 'target'],
    ['setup before target', [target, setup], 'setup'],
  ])('the class is the first that somebody has to act on: %s', (_what, findings, expected) => {
    expect(outcomeClassOf(findings)).toBe(expected);
  });

  test('whatever was not measured is for who sets up, who owns the target or who owns the referee', () => {
    const kinds = findingSchema.options.map(({ shape }) => shape.kind.value);
    const notMeasured = kinds.filter((kind) => levelOf(kind) === 'inconclusive');
    const byClass = kinds.filter((kind) => ['setup', 'target', 'referee'].includes(classOf(kind)));
    expect(notMeasured).toEqual(byClass);
    expect(notMeasured.length).toBeGreaterThan(0);
  });

  test('causes come first, otherwise the order stays', () => {
    expect(causesFirst([review, target, stale, setup])).toEqual([target, setup, review, stale]);
  });
});
