import type { Baseline, Exception } from '../baseline/baseline.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import type { Profile } from '../profile.ts';
import type { Report } from '../reports/report.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { isConfirmed, usableReruns, withFlaky } from './confirm.ts';
import type { CheckRef, Finding } from './finding.ts';
import { suspectFinding, suspectMessage, suspicionOf } from './infrastructure.ts';
import { judgeBaseline } from './judge-baseline.ts';
import { judgeIntegrity } from './judge-integrity.ts';
import { judgeScenario } from './judge-scenario.ts';
import { type MeasuredScenario, type Measurement, measure, type RerunReports } from './measurement.ts';
import { profileVerdict } from './profile-verdict.ts';
import { causesFirst, collapse, rootCause } from './root-cause.ts';
import type { CheckResult, ProfileVerdict } from './verdict.ts';

export { combine } from './combine.ts';
export { unexpectedScenarios } from './unexpected.ts';

export interface JudgeInput {
  readonly profile: Profile;
  readonly metadata: RunMetadata;
  readonly reports: readonly Report[];
  /** What reading the reports brought. */
  readonly reportFindings: readonly Finding[];
  readonly reruns: readonly RerunReports[];
  readonly baseline: Baseline | undefined;
  /** For findings about the baseline as a whole. */
  readonly baselineFile?: string;
  /** YYYY-MM-DD: exceptions that expire before it have expired. */
  readonly today: string;
  /** A lost connection or a timeout is never reviewable, not even when it repeats. */
  readonly strictInfrastructure: boolean;
}

export interface Judgement {
  readonly verdict: ProfileVerdict;
  /** All of this profile, causes first. */
  readonly findings: readonly Finding[];
  /** checks.json of the report folder. */
  readonly checks: readonly CheckResult[];
  /** True when some baseline was there to be held against. */
  readonly hasBaseline: boolean;
}

/**
 * Judges one profile: reports × baseline → verdict. Pure: no clock, no file, no network.
 *
 * 1. Is there one cause that explains everything (no target, no answer)? Then that is the finding.
 * 2. Was everything measured, once, and understood?
 * 3. Is the baseline about this profile, referee, requirement set and these capabilities?
 * 4. Does each check of each scored scenario stand as reviewed?
 */
export function judgeProfile(input: JudgeInput): Judgement {
  const { profile, metadata, baseline } = input;
  const measurement = measure(profile, metadata, input.reports);
  const faults = metadata.faults.map((fault) => ({ ...fault, profile: profile.id }));
  const scenarios = [...measurement.scenarios.values()];
  const matching = baseline?.profile === profile.id ? baseline : undefined;
  const own: OwnBaseline = {
    baseline: matching,
    exceptions: Map.groupBy(matching?.exceptions ?? [], ({ scenario }) => scenario),
  };
  const findings = collapse(rootCause(profile, metadata, measurement), [
    ...faults,
    ...judgeIntegrity(profile, metadata, measurement, input.reportFindings),
    ...(baseline === undefined
      ? []
      : judgeBaseline(profile, metadata, measurement, baseline).map((finding) =>
          placed(finding, input.baselineFile),
        )),
    ...scenarios.flatMap((scenario) => scenarioFindings(input, measurement, own, scenario)),
  ]);
  const sorted = causesFirst(findings);
  return {
    ...profileVerdict({ profile, metadata, measurement, baseline, findings: sorted }),
    findings: sorted,
    hasBaseline: baseline !== undefined,
  };
}

/** The baseline, when it is this profile's, with its exceptions by scenario. */
interface OwnBaseline {
  readonly baseline: Baseline | undefined;
  readonly exceptions: ReadonlyMap<string, readonly Exception[]>;
}

function scenarioFindings(
  input: JudgeInput,
  measurement: Measurement,
  { baseline, exceptions }: OwnBaseline,
  { scenario, scored, groups, report }: MeasuredScenario,
): Finding[] {
  const { profile } = input;
  const alone = usableReruns(profile, scenario, input.reruns);
  const own = exceptions.get(scenario) ?? [];
  const findings =
    scored && !measurement.notEvaluated.has(scenario)
      ? judgeScenario({
          profile: profile.id,
          scenario,
          groups,
          cutShort:
            report.origin === 'thrown'
              ? scenario
              : groups.find((group) => suspicionOf(group) === 'scenario-timeout')?.check,
          baseline,
          exceptions: own,
          today: input.today,
        })
      : [];
  for (const group of groups) {
    const suspicion = suspicionOf(group);
    if (suspicion === undefined || !isDoubtful(input, group, own, alone, findings)) continue;
    const consequences: CheckRef[] = groups
      .filter(({ passed }) => !passed)
      .map(({ check, statuses }) => ({ scenario, check, status: statuses.join(', ') }));
    return [
      {
        ...suspectFinding(suspicion, {
          profile: profile.id,
          scenario,
          message: suspectMessage(group, suspicion),
        }),
        consequences,
      },
    ];
  }
  return withFlaky(findings, groups, alone, baseline);
}

/**
 * A lost connection, a timeout or a fault of the referee itself is the target's behaviour only when it is as reviewed, or
 * came again when the scenario ran alone; otherwise nothing was measured.
 */
function isDoubtful(
  input: JudgeInput,
  group: CheckGroup,
  exceptions: readonly Exception[],
  alone: readonly (readonly CheckGroup[])[],
  findings: readonly Finding[],
): boolean {
  if (input.strictInfrastructure) return true;
  const excepted =
    exceptions.some(({ check }) => check === group.check) &&
    !findings.some((finding) => 'check' in finding && finding.check === group.check);
  return !excepted && !isConfirmed(group, alone);
}

function placed(finding: Finding, file: string | undefined): Finding {
  return finding.place !== undefined || file === undefined ? finding : { ...finding, place: { file } };
}
