import type { Baseline, Exception } from '../baseline/baseline.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import type { Profile } from '../profile.ts';
import type { RunMetadata } from '../run/metadata.ts';
import type { CheckRef, Finding } from './finding.ts';
import type { MeasuredScenario, Measurement } from './measurement.ts';
import { outcomeOf } from './outcome.ts';
import type { CheckResult, ProfileVerdict } from './verdict.ts';

interface Input {
  readonly profile: Profile;
  readonly metadata: RunMetadata;
  readonly measurement: Measurement;
  readonly baseline: Baseline | undefined;
  readonly findings: readonly Finding[];
}

type Row = ProfileVerdict['scenarios'][number];
type Counts = Row['checks'];

/** Puts the judgement of one profile into the shape of verdict.json and checks.json. */
export function profileVerdict(input: Input): { verdict: ProfileVerdict; checks: CheckResult[] } {
  const { profile, metadata, measurement, baseline } = input;
  const concerned = concernedChecks(input.findings);
  const exceptions = new Map(
    (baseline?.profile === profile.id ? baseline.exceptions : []).map((one) => [keyOf(one), one]),
  );
  const checks = [...measurement.scenarios.values()].flatMap((measured) =>
    measured.groups.map((group) => checkResult(measured, group, exceptions, concerned)),
  );
  const byScenario = Map.groupBy(checks, ({ scenario }) => scenario);
  const concernedNames = concernedScenarios(input.findings);
  const order = [...measurement.evaluated, ...measurement.notEvaluated];
  const scenarios = order.map((scenario) =>
    scenarioRow(scenario, measurement, byScenario.get(scenario) ?? [], concernedNames),
  );
  return {
    verdict: {
      profile: profile.id,
      slug: profile.slug,
      outcome: outcomeOf(input.findings),
      counts: countAll(scenarios, checks, measurement),
      scenarios,
      newChecks: newChecks(checks, baseline),
      notEvaluated: (baseline?.exceptions ?? [])
        .filter(({ scenario }) => measurement.notEvaluated.has(scenario))
        .map(({ scenario, check }) => ({ scenario, check })),
      notes: notesOf(input),
      referee: metadata.referee,
      target: metadata.target,
      probe: metadata.probes.before,
      durations: metadata.durations,
    },
    checks,
  };
}

const keyOf = ({ scenario, check }: { scenario: string; check: string }) => `${scenario}\n${check}`;

/** Every check that a finding is about, itself or as a consequence. */
function concernedChecks(findings: readonly Finding[]): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (ref: CheckRef) => keys.add(keyOf(ref));
  for (const finding of findings) {
    if ('check' in finding) add(finding);
    for (const consequence of finding.consequences ?? []) add(consequence);
  }
  return keys;
}

/** Every scenario that a finding is about, itself or as a consequence. */
function concernedScenarios(findings: readonly Finding[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const finding of findings) {
    if ('scenario' in finding && finding.scenario !== undefined) names.add(finding.scenario);
    for (const { scenario } of finding.consequences ?? []) names.add(scenario);
  }
  return names;
}

function checkResult(
  { scenario, scored }: MeasuredScenario,
  group: CheckGroup,
  exceptions: ReadonlyMap<string, Exception>,
  concerned: ReadonlySet<string>,
): CheckResult {
  const exception = scored ? exceptions.get(keyOf(group)) : undefined;
  const [first] = group.occurrences;
  const disposition = concerned.has(keyOf(group))
    ? 'finding'
    : !scored
      ? 'not-scored'
      : exception !== undefined && !(group.passed && !group.infoOnly)
        ? 'excepted'
        : group.passed
          ? 'passed'
          : 'finding';
  const references = specReferences(group);
  const masks = exception?.masked;
  return {
    scenario,
    scored,
    check: group.check,
    name: first?.name ?? '',
    description: first?.description ?? '',
    statuses: group.occurrences.map(({ status }) => status),
    disposition,
    ...(group.passed
      ? {}
      : { fingerprint: group.fingerprint(masks), evidence: group.readable(masks).join('\n') }),
    ...(exception === undefined
      ? {}
      : {
          exception: {
            class: exception.class,
            reason: exception.reason,
            ...(exception.reference === undefined ? {} : { reference: exception.reference }),
            ...(exception.reviewed === undefined ? {} : { reviewed: exception.reviewed }),
            ...(exception.expires === undefined ? {} : { expires: exception.expires }),
          },
        }),
    ...(references.length === 0 ? {} : { specReferences: references }),
    occurrences: [...group.occurrences],
  };
}

/** What the check's occurrences refer to, each once. */
function specReferences(group: CheckGroup): { id: string; url?: string }[] {
  const found: { id: string; url?: string }[] = [];
  for (const { specReferences: all } of group.occurrences) {
    for (const { id, url } of all ?? []) {
      if (found.some((one) => one.id === id && one.url === url)) continue;
      found.push({ id, ...(url === undefined ? {} : { url }) });
    }
  }
  return found;
}

function scenarioRow(
  scenario: string,
  measurement: Measurement,
  checks: readonly CheckResult[],
  concerned: ReadonlySet<string>,
): Row {
  const scored = measurement.scored.has(scenario);
  const reason = measurement.notScored.get(scenario)?.reason;
  const base = {
    scenario,
    scored,
    ...(reason === undefined ? {} : { reason }),
    checks: countStatuses(checks),
  };
  if (measurement.notEvaluated.has(scenario)) return { ...base, result: 'not-evaluated' };
  if (!measurement.scenarios.has(scenario)) return { ...base, result: 'not-measured' };
  if (concerned.has(scenario)) return { ...base, result: 'finding' };
  if (!scored) {
    const failing = base.checks.failure > 0;
    return { ...base, result: failing ? 'not-scored-failing' : 'not-scored-passed' };
  }
  const excepted = checks.some(({ disposition }) => disposition === 'excepted');
  return { ...base, result: excepted ? 'excepted' : 'passed' };
}

function countStatuses(checks: readonly CheckResult[]): Counts {
  const counts: Counts = { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 };
  for (const { statuses } of checks) {
    for (const status of statuses) {
      const key = status.toLowerCase();
      if (key in counts) counts[key as keyof Counts] += 1;
    }
  }
  return counts;
}

function countAll(
  scenarios: readonly Row[],
  checks: readonly CheckResult[],
  measurement: Measurement,
): ProfileVerdict['counts'] {
  const scored = scenarios.filter((row) => row.scored && row.result !== 'not-evaluated');
  const notScored = scenarios.filter((row) => !row.scored && measurement.scenarios.has(row.scenario));
  const withResult = (rows: readonly Row[], result: Row['result']) =>
    rows.filter((row) => row.result === result).length;
  const passed = withResult(scored, 'passed');
  const excepted = withResult(scored, 'excepted');
  const exceptions: Record<string, number> = {};
  for (const { disposition, exception } of checks) {
    if (disposition !== 'excepted' || exception === undefined) continue;
    exceptions[exception.class] = (exceptions[exception.class] ?? 0) + 1;
  }
  const notScoredFailing = notScored.filter((row) => row.checks.failure > 0).length;
  return {
    scenarios: {
      scored: scored.length,
      notScored: notScored.length,
      passed,
      excepted,
      failing: withResult(scored, 'finding'),
      notMeasured: withResult(scored, 'not-measured'),
    },
    checks: {
      total: checks.reduce((sum, { statuses }) => sum + statuses.length, 0),
      ...countStatuses(checks),
    },
    exceptions,
    notScored: { passed: notScored.length - notScoredFailing, failing: notScoredFailing },
  };
}

/** Passing checks that the inventory does not know yet: information, no findings. */
function newChecks(
  checks: readonly CheckResult[],
  baseline: Baseline | undefined,
): ProfileVerdict['newChecks'] {
  if (baseline === undefined) return [];
  return checks
    .filter(({ scored, disposition, scenario, check }) => {
      const known = [baseline.inventory, baseline.information].some(
        (lists) => lists.get(scenario)?.includes(check) === true,
      );
      return scored && disposition === 'passed' && !known;
    })
    .map(({ scenario, check }) => ({ scenario, check }));
}

function notesOf({ profile, metadata, measurement }: Input): string[] {
  const notes: string[] = [];
  const { before } = metadata.probes;
  if (before?.answered && before.error !== undefined && before.capabilities === null) {
    notes.push(
      `The server answered ${before.method} with an error (${before.error.code}: ${before.error.message}): it seems not to speak ${profile.revision}. Name the profiles that it does speak with --profile or profiles:.`,
    );
  }
  const thrown = [...measurement.scenarios.values()].filter(({ report }) => report.origin === 'thrown');
  for (const { scenario, scored, report } of thrown) {
    notes.push(
      `${scenario}${scored ? '' : ' (not scored)'} threw instead of reporting: ${report.checks[0]?.errorMessage?.split('\n')[0] ?? ''}`,
    );
  }
  const confirmed = metadata.reruns.filter(({ purpose }) => purpose === 'confirm').length;
  if (confirmed > 0)
    notes.push(`${confirmed} ${confirmed === 1 ? 'scenario was' : 'scenarios were'} run again alone.`);
  return notes;
}
