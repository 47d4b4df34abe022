import { calibrate } from '../evidence/calibrate.ts';
import { advertised } from '../evidence/capabilities.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import { NORMALISER_VERSION } from '../evidence/normalise.ts';
import { isCut } from '../evidence/readable.ts';
import type { RunContext } from '../evidence/run-context.ts';
import { isRecognisable } from '../evidence/stable.ts';
import { type Finding, type FindingKind, levelOf } from '../gate/finding.ts';
import { judgeProfile } from '../gate/judge.ts';
import { judgeBaseline } from '../gate/judge-baseline.ts';
import { observedText } from '../gate/judge-scenario.ts';
import { type Match, matchException } from '../gate/match-exception.ts';
import { type MeasuredScenario, measure, measureReport, type RerunReports } from '../gate/measurement.ts';
import { isInventoried } from '../gate/special-checks.ts';
import type { Profile } from '../profile.ts';
import type { Report } from '../reports/report.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { ConfigError } from '../shared/errors.ts';
import { judgesBridge } from '../target/stdio/transport-checks.ts';
import type { Baseline, Exception } from './baseline.ts';
import { parseBaseline } from './parse.ts';
import { writeBaseline } from './write-baseline.ts';

/** A second run of the same target, to learn what in its evidence is volatile (DESIGN.md section 8.4). */
export interface CalibrationRun {
  /** Where the target was reached; absent for clients. */
  readonly url?: string | undefined;
  /** The target's own address behind a relay, as in the metadata. */
  readonly behind?: string | undefined;
  readonly window: RunContext['window'];
  readonly reports: readonly Report[];
}

export interface AcceptInput {
  readonly profile: Profile;
  readonly metadata: RunMetadata;
  readonly reports: readonly Report[];
  readonly reportFindings: readonly Finding[];
  readonly reruns: readonly RerunReports[];
  readonly calibrations: readonly CalibrationRun[];
  /** The baseline as it is now. */
  readonly previous?: { readonly text: string; readonly file: string } | undefined;
  /** YYYY-MM-DD */
  readonly today: string;
  /** Date for every exception that this acceptance adds or changes; without it they are not reviewed yet. */
  readonly reviewed?: string | undefined;
  readonly strictInfrastructure?: boolean;
  /** For `import`: only what it names becomes a new exception, with these words; the rest stays a finding. */
  readonly proposed?: (check: CheckName & { readonly statuses: readonly string[] }) => Proposal | undefined;
}

/** What another list of known failures says about a check. */
export type Proposal = Partial<Pick<Exception, 'class' | 'reason' | 'reference' | 'expires'>>;

export interface CheckName {
  readonly scenario: string;
  readonly check: string;
}

export interface RefusedCheck extends CheckName {
  /**
   * nothing-stable: between two runs, or over all acceptances, all of its evidence differed: nothing could be recognised.
   * occurrences-differ: the second run had another result.
   */
  readonly why: 'nothing-stable' | 'occurrences-differ';
  /** The exception that was there stays; its review does not when what it was reviewed against cannot be compared. */
  readonly kept?: 'as-it-was' | 'without-review';
}

export type Acceptance =
  | {
      readonly accepted: true;
      /** The new file; the same bytes as the old one when nothing changed. */
      readonly yaml: string;
      readonly added: readonly CheckName[];
      /** Status or evidence is new: their review date is gone. */
      readonly changed: readonly CheckName[];
      readonly kept: readonly CheckName[];
      readonly removed: readonly CheckName[];
      /** In the inventory until now, and not emitted any more: nobody will miss them from here on. */
      readonly vanished: readonly CheckName[];
      /** Not written anew: they stay findings, unless the exception that is there matches. */
      readonly refused: readonly RefusedCheck[];
      /** Not written because nothing proposed them (`import`): they stay findings. */
      readonly left: readonly CheckName[];
      /** Exceptions of the new file that have no review date, from this acceptance or an earlier one. */
      readonly unreviewed: number;
      /** The server advertised other capabilities than the baseline has; from here on it has these. */
      readonly otherCapabilities: boolean;
    }
  /** The profile was not measured; from that nothing is ever accepted. */
  | { readonly accepted: false; readonly findings: readonly Finding[] };

/**
 * Makes a baseline from what was measured. Pure. What people wrote (class, reason, reference, review, expiry, comments) is
 * kept as long as the evidence under it is the same; with other evidence the review date goes.
 * @throws ConfigError when the previous baseline is not valid, or a partial run would change what it says of all scenarios
 */
export function acceptProfile(input: AcceptInput): Acceptance {
  const { profile, metadata } = input;
  const previous =
    input.previous === undefined
      ? undefined
      : parseBaseline(input.previous.text, input.previous.file, profile);
  const judged = judgeProfile({
    profile,
    metadata,
    reports: input.reports,
    reportFindings: input.reportFindings,
    reruns: input.reruns,
    baseline: undefined,
    today: input.today,
    strictInfrastructure: input.strictInfrastructure ?? false,
  });
  const unmeasured = judged.findings.filter(({ kind }) => levelOf(kind) === 'inconclusive');
  if (unmeasured.length > 0) return { accepted: false, findings: unmeasured };

  const measurement = measure(profile, metadata, input.reports);
  const scenarios = measurement.evaluated
    .map((scenario) => measurement.scenarios.get(scenario))
    .filter((scenario): scenario is MeasuredScenario => scenario?.scored === true);
  const lists = { added: [], changed: [], kept: [], removed: [], refused: [], left: [] } as {
    added: CheckName[];
    changed: CheckName[];
    kept: CheckName[];
    removed: CheckName[];
    refused: RefusedCheck[];
    left: CheckName[];
  };
  const differences = previous === undefined ? [] : judgeBaseline(profile, metadata, measurement, previous);
  if (input.previous !== undefined && metadata.scenarios.only !== undefined) {
    refusePartial(profile, input.previous.file, differences);
  }
  const capabilities = advertised(metadata, profile.leg);
  const otherCapabilities = differences.some(({ kind }) => kind === 'capability-changed');
  const exceptions = scenarios.flatMap((scenario) =>
    acceptScenario(input, scenario, previous, otherCapabilities, lists),
  );
  // A partial run says nothing about the other scenarios.
  const untouched = (previous?.exceptions ?? []).filter(({ scenario }) =>
    measurement.notEvaluated.has(scenario),
  );
  const all = [...exceptions, ...untouched];
  const names = new Set(all.map(keyOf));
  const refused = new Set(lists.refused.map(keyOf));
  for (const { scenario, check } of previous?.exceptions ?? []) {
    const key = keyOf({ scenario, check });
    if (!names.has(key) && !refused.has(key)) lists.removed.push({ scenario, check });
  }
  const yaml = writeBaseline(
    {
      profile: profile.id,
      referee: {
        pin: metadata.referee.pin,
        ...(metadata.referee.integrity === undefined ? {} : { integrity: metadata.referee.integrity }),
        ...(metadata.referee.commit === undefined ? {} : { commit: metadata.referee.commit }),
      },
      ...(metadata.referee.requirements === undefined ? {} : { requirements: metadata.referee.requirements }),
      normaliser: NORMALISER_VERSION,
      ...(profile.leg === 'client' ? {} : { capabilities }),
      exceptions: all,
      inventory: inventory(scenarios, previous?.inventory, measurement.notEvaluated, false),
      information: inventory(scenarios, previous?.information, measurement.notEvaluated, true),
    },
    input.previous?.text,
  );
  // What was written must be readable: better a crash here than a broken baseline in a repository.
  parseBaseline(yaml, input.previous?.file ?? `${profile.slug}.yaml`, profile);
  const vanished = vanishedChecks(previous, scenarios, measurement.notEvaluated);
  const unreviewed = all.filter(({ reviewed }) => reviewed === undefined).length;
  return { accepted: true, yaml, ...lists, vanished, unreviewed, otherCapabilities };
}

const keyOf = ({ scenario, check }: CheckName) => `${scenario}\n${check}`;

/** What a partial run may not change: it would be written as reviewed for scenarios that it did not look at. */
const OF_THE_WHOLE: Readonly<Partial<Record<FindingKind, string>>> = {
  'pin-mismatch': 'another referee',
  'requirements-changed': 'another requirement set',
  'normaliser-changed': 'another evidence normaliser',
  'capability-changed': 'other capabilities',
};

function refusePartial(profile: Profile, file: string, differences: readonly Finding[]): void {
  const what = differences.map(({ kind }) => OF_THE_WHOLE[kind]).filter((word) => word !== undefined);
  if (what.length === 0) return;
  throw new ConfigError(
    `The run of ${profile.id} was partial, and its baseline was reviewed against ${what.join(' and ')}.`,
    {
      place: { file },
      hint: 'Run all scenarios and accept the whole run first.',
    },
  );
}

/** Checks that were in the inventory and did not come, of scenarios that had to run or are not in the list any more. */
function vanishedChecks(
  previous: Baseline | undefined,
  scenarios: readonly MeasuredScenario[],
  notEvaluated: ReadonlySet<string>,
): CheckName[] {
  const emitted = new Set(
    scenarios.flatMap(({ scenario, groups }) => groups.map(({ check }) => keyOf({ scenario, check }))),
  );
  return [...(previous?.inventory ?? []), ...(previous?.information ?? [])].flatMap(([scenario, checks]) =>
    notEvaluated.has(scenario)
      ? []
      : checks.map((check) => ({ scenario, check })).filter((name) => !emitted.has(keyOf(name))),
  );
}

function acceptScenario(
  input: AcceptInput,
  { scenario, groups }: MeasuredScenario,
  previous: Baseline | undefined,
  otherCapabilities: boolean,
  lists: {
    readonly added: CheckName[];
    readonly changed: CheckName[];
    readonly kept: CheckName[];
    readonly refused: RefusedCheck[];
    readonly left: CheckName[];
  },
): Exception[] {
  const infoOnly = groups.every((group) => group.infoOnly);
  const exceptions: Exception[] = [];
  for (const group of groups) {
    const { check } = group;
    const old = previous?.exceptions.find((one) => one.scenario === scenario && one.check === check);
    // That a capability is optional was reviewed against what the server advertised then.
    const outlived = otherCapabilities && old?.class === 'optional-capability';
    const leave = (exception: Exception, why: RefusedCheck['why']) => {
      const left = leftAsItWas(group, exception, previous?.normaliser ?? 0, infoOnly, outlived);
      exceptions.push(left);
      const lost = exception.reviewed !== undefined && left.reviewed === undefined;
      lists.refused.push({ scenario, check, why, kept: lost ? 'without-review' : 'as-it-was' });
    };
    if (group.passed && !(infoOnly && group === groups[0])) {
      if (old?.flaky === true) {
        exceptions.push(outlived ? unreviewed(old) : old);
        lists[outlived ? 'changed' : 'kept'].push({ scenario, check });
      } else if (old !== undefined && failsAgain(input, group)) leave(old, 'occurrences-differ');
      continue;
    }
    const proposal = old === undefined ? proposed(input, group) : {};
    if (proposal === undefined) {
      lists.left.push({ scenario, check });
      continue;
    }
    const volatile = volatilePlaces(input, group, old);
    if (typeof volatile === 'string') {
      // What somebody reviewed stays: a run that cannot be compared with another is no reason against it.
      if (old === undefined) lists.refused.push({ scenario, check, why: volatile });
      else leave(old, volatile);
      continue;
    }
    const match = matchException(group, old, previous?.normaliser ?? 0, infoOnly);
    const same = old !== undefined && !outlived && sameReview(group, old, match, volatile);
    exceptions.push(
      exceptionFor(input, group, { old, review: same ? old.reviewed : undefined, proposal }, volatile),
    );
    const list = old === undefined ? lists.added : same ? lists.kept : lists.changed;
    list.push({ scenario, check });
  }
  return exceptions;
}

/** An exception that is not written anew. Its fingerprint and its review stand only as far as they can be compared. */
function leftAsItWas(
  group: CheckGroup,
  old: Exception,
  normaliser: number,
  infoOnly: boolean,
  outlived: boolean,
): Exception {
  if (outlived) return unreviewed(old);
  if (normaliser === NORMALISER_VERSION) return old;
  const same =
    matchException(group, old, normaliser, infoOnly) === 'normaliser-changed' && readsTheSame(group, old);
  return same ? { ...old, evidence: group.fingerprint(old.masked) } : unreviewed(old);
}

/** Whether a check that passed in the run did not in a second one. */
const failsAgain = (input: AcceptInput, group: CheckGroup): boolean =>
  input.calibrations.some((run) => measuredAgain(input, run, group)?.passed === false);

const unreviewed = ({ reviewed: _, ...exception }: Exception): Exception => exception;

/** Masks that the check needs: those it has, and what differs in the calibration runs; or why it cannot be pinned. */
function volatilePlaces(
  input: AcceptInput,
  group: CheckGroup,
  old: Exception | undefined,
): readonly string[] | RefusedCheck['why'] {
  const masks = new Set(old?.masked ?? []);
  for (const run of input.calibrations) {
    if (!run.reports.some(({ scenario }) => scenario === group.scenario)) continue;
    const again = measuredAgain(input, run, group);
    if (again === undefined || again.statuses.join() !== group.statuses.join()) {
      if (old?.flaky === true) continue;
      return 'occurrences-differ';
    }
    const result = calibrate(group.evidence(), again.evidence());
    if (!result.ok) return result.why;
    for (const mask of result.masks) masks.add(mask);
  }
  const all = [...masks].sort();
  // Masks add up over acceptances: each run may have left something that together they do not.
  return isRecognisable(group.evidence(), all) ? all : 'nothing-stable';
}

/** The same check in a second run; `undefined` when it did not come. */
function measuredAgain(input: AcceptInput, run: CalibrationRun, group: CheckGroup): CheckGroup | undefined {
  const report = run.reports.find(({ scenario }) => scenario === group.scenario);
  if (report === undefined) return undefined;
  const context = {
    leg: input.profile.leg,
    urls: [run.url, run.behind].filter((url) => url !== undefined),
    window: run.window,
  };
  return measureReport(report, context).find(({ check }) => check === group.check);
}

/** The words for a new exception; `undefined` when it must not become one. */
function proposed(input: AcceptInput, group: CheckGroup): Proposal | undefined {
  const { scenario, check, statuses } = group;
  if (input.proposed !== undefined) return input.proposed({ scenario, check, statuses });
  return input.metadata.target.kind === 'stdio' && judgesBridge(scenario, check)
    ? { class: 'bridge-transport' }
    : {};
}

function exceptionFor(
  input: AcceptInput,
  group: CheckGroup,
  from: {
    readonly old: Exception | undefined;
    readonly review: string | undefined;
    readonly proposal: Proposal;
  },
  masked: readonly string[],
): Exception {
  const { old, review, proposal } = from;
  const observed = observedText(group, masked);
  const reviewed = review ?? input.reviewed;
  const reference = old?.reference ?? proposal.reference;
  const expires = old?.expires ?? proposal.expires;
  return {
    scenario: group.scenario,
    check: group.check,
    statuses: [...group.statuses],
    evidence: group.fingerprint(masked),
    // Until a person says otherwise, a check that is not a success is taken at its word.
    class: old?.class ?? proposal.class ?? 'genuine-protocol-failure',
    reason: old?.reason ?? proposal.reason ?? firstReason(observed),
    ...(reference === undefined ? {} : { reference }),
    ...(reviewed === undefined ? {} : { reviewed }),
    ...(expires === undefined ? {} : { expires }),
    flaky: old?.flaky ?? false,
    masked,
    observed,
  };
}

/** True when what a person reviewed is what was measured: by fingerprint, or by its text when the normaliser changed. */
function sameReview(group: CheckGroup, old: Exception, match: Match, masked: readonly string[]): boolean {
  // With more masks it excuses more than what was looked at.
  if (masked.some((mask) => !old.masked.includes(mask))) return false;
  if (match === 'as-reviewed') return true;
  return match === 'normaliser-changed' && readsTheSame(group, old);
}

/** By its text, where fingerprints cannot be compared; a text that was cut does not say all. */
function readsTheSame(group: CheckGroup, { observed, masked }: Exception): boolean {
  return observed !== undefined && !isCut(observed) && observed === observedText(group, masked);
}

const MAX_REASON = 200;

/** Until a person writes a better one, the reason is what the referee said. */
function firstReason(observed: string): string {
  const line =
    observed
      .split('\n')
      .map((one) => one.replace(/^\[\d+\] /, '').trim())
      .find((one) => one !== '') ?? 'No evidence was given.';
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}

function inventory(
  scenarios: readonly MeasuredScenario[],
  previous: ReadonlyMap<string, readonly string[]> | undefined,
  notEvaluated: ReadonlySet<string>,
  infoOnly: boolean,
): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  for (const [scenario, checks] of previous ?? [])
    if (notEvaluated.has(scenario)) lists.set(scenario, checks);
  for (const { scenario, groups, report } of scenarios) {
    const checks = groups
      .filter((group) => group.infoOnly === infoOnly && isInventoried(report, group.check))
      .map(({ check }) => check);
    if (checks.length > 0) lists.set(scenario, checks.sort());
  }
  return lists;
}
