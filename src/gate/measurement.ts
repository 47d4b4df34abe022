import { type CheckGroup, groupChecks } from '../evidence/evaluate-check.ts';
import { textNormaliser } from '../evidence/normalise-text.ts';
import { contextOfRerun, contextOfRun, type RunContext } from '../evidence/run-context.ts';
import type { Profile } from '../profile.ts';
import type { Check, Report } from '../reports/report.ts';
import type { NotScored, Rerun, RunMetadata } from '../run/metadata.ts';
import type { Finding } from './finding.ts';

/** One scenario as it was measured: its checks, grouped by id. */
export interface MeasuredScenario {
  readonly scenario: string;
  readonly scored: boolean;
  readonly report: Report;
  readonly groups: readonly CheckGroup[];
}

/** A scenario that was run again alone. */
export interface RerunReports {
  readonly rerun: Rerun;
  readonly reports: readonly Report[];
  readonly findings: readonly Finding[];
}

/** A profile's reports, held against the list of what had to run. */
export interface Measurement {
  readonly scored: ReadonlySet<string>;
  readonly notScored: ReadonlyMap<string, NotScored>;
  /** What had to run: all of the above, or what a partial run asked for. */
  readonly evaluated: readonly string[];
  /** In the list but not asked for. */
  readonly notEvaluated: ReadonlySet<string>;
  readonly scenarios: ReadonlyMap<string, MeasuredScenario>;
  /** Second and further reports of one scenario, and reports of scenarios that are not in the list. */
  readonly extra: readonly Report[];
}

/** The id of the check that stands for a client's own bad end, which the referee counts but does not report as a check. */
export const CLIENT_TIMED_OUT = 'client-timed-out';
export const CLIENT_EXITED = 'client-exited-with-error';

/**
 * Sorts reports by scenario. Pure; the reports' evidence is worked out later and only where it matters.
 * @param reports of the main run, in any order
 */
export function measure(profile: Profile, metadata: RunMetadata, reports: readonly Report[]): Measurement {
  const { scored, notScored, only } = metadata.scenarios;
  const all = [...new Set([...scored, ...notScored.map(({ scenario }) => scenario)])];
  const asked = only === undefined ? undefined : new Set(only);
  const evaluated = asked === undefined ? all : all.filter((scenario) => asked.has(scenario));
  const inList = new Set(all);
  const scoredSet = new Set(scored);
  const text = textNormaliser(contextOfRun(metadata, profile.leg));
  const clients = new Map(metadata.clients?.map((client) => [client.scenario, client]));
  const scenarios = new Map<string, MeasuredScenario>();
  const extra: Report[] = [];
  for (const report of reports) {
    if (!inList.has(report.scenario) || scenarios.has(report.scenario)) extra.push(report);
    else {
      const whole = withClientEnd(report, clients.get(report.scenario));
      scenarios.set(report.scenario, {
        scenario: report.scenario,
        scored: scoredSet.has(report.scenario),
        report: whole,
        groups: groupChecks(whole, text),
      });
    }
  }
  return {
    scored: scoredSet,
    notScored: new Map(notScored.map((entry) => [entry.scenario, entry])),
    evaluated,
    notEvaluated: new Set(all.filter((scenario) => asked !== undefined && !asked.has(scenario))),
    scenarios,
    extra,
  };
}

/** The checks of a scenario that was run again; `undefined` when that run brought no report of it. */
export function measureRerun(profile: Profile, again: RerunReports): readonly CheckGroup[] | undefined {
  const report = again.reports.find(({ scenario }) => scenario === again.rerun.scenario);
  return report === undefined
    ? undefined
    : groupChecks(report, textNormaliser(contextOfRerun(again.rerun, profile.leg)));
}

/** Groups of a report in another run of the same profile, for calibration. */
export function measureReport(report: Report, context: RunContext): readonly CheckGroup[] {
  return groupChecks(report, textNormaliser(context));
}

/**
 * The referee fails a client scenario also when the client runs out of time or exits with an error that the scenario does
 * not allow (printClientResults upstream), and leaves no check of it. Without one such a scenario would look passed.
 */
function withClientEnd(report: Report, end: NonNullable<RunMetadata['clients']>[number] | undefined): Report {
  if (end === undefined) return report;
  const failed: Check | undefined = end.timedOut
    ? {
        id: CLIENT_TIMED_OUT,
        name: 'ClientTimedOut',
        description: 'The client ends before the scenario timeout',
        status: 'FAILURE',
        errorMessage: 'The client was still running at the scenario timeout and was killed.',
      }
    : end.exitCode !== 0 && end.allowed !== true
      ? {
          id: CLIENT_EXITED,
          name: 'ClientExitedWithError',
          description: 'The client exits with 0 where the scenario does not expect it to fail',
          status: 'FAILURE',
          errorMessage: `The client exited with code ${end.exitCode ?? 'none (killed by a signal)'}.`,
        }
      : undefined;
  return failed === undefined ? report : { ...report, checks: [...report.checks, failed] };
}
