import type { Plan, ProfilePlan } from '../config/plan.ts';
import type { Referee } from '../referee/referee.ts';
import { MeasurementFault } from '../shared/errors.ts';
import { assertPlatform } from '../shared/platform.ts';
import type { Progress } from '../shared/progress.ts';
import { redactor } from '../shared/redact.ts';
import type { RunMetadata, ScenarioList } from './metadata.ts';
import { allScenarios, type Part, rawOf } from './part.ts';
import { startRecord } from './record.ts';
import { scenariosWithReport } from './report-folders.ts';
import { runClientProfile } from './run-client-profile.ts';
import { runServerProfile } from './run-server-profile.ts';
import { shareFacts, shareLogs, shareReports } from './share.ts';
import { faultOf } from './stop-fault.ts';

/** What the run of one profile needs beside its plan. */
export interface RunContext {
  readonly referee: Referee;
  readonly scenarios: ScenarioList;
  /** `sha256:…` of the frozen requirement set, when the profile has one. */
  readonly requirements?: string;
  /** profiles/<slug>, exists; raw/, referee.log, target.log, reruns/ and metadata.json are written into it. */
  readonly folder: string;
  readonly plan: Plan;
  readonly source: RunMetadata['source'];
  readonly progress: Progress;
  /** Stops everything; see faultOf for its reasons. */
  readonly signal: AbortSignal;
  /** Called when the target answers, or at once when the referee starts it. */
  readonly targetReady?: () => void;
  /** Asked after the main run: the scenarios that have to be confirmed alone. */
  readonly unexpected?: (metadata: RunMetadata) => Promise<readonly string[]>;
}

/**
 * Runs one profile: target up, referee, target still up, re-runs, target down. What happened on the way is in the
 * returned metadata, faults too, and in `folder`, written as it came.
 * @returns what metadata.json holds
 * @throws ConfigError on an unsupported platform; never a MeasurementFault
 */
export async function runProfile(job: ProfilePlan, ctx: RunContext): Promise<RunMetadata> {
  const [metadata] = await runTogether([{ job, ctx }]);
  if (!metadata) throw new TypeError('one profile was run, so there is one result');
  return metadata;
}

/**
 * Runs a profile and lets the extension profiles that belong to it share its target and its referee's run (see
 * groupProfiles). Each keeps its own folder, metadata and re-runs.
 * @param group the profile that runs first, then those that share
 * @returns one metadata for each, in the same order
 * @throws like runProfile
 */
export async function runTogether(
  group: readonly { readonly job: ProfilePlan; readonly ctx: RunContext }[],
): Promise<RunMetadata[]> {
  assertPlatform();
  const started = performance.now();
  const secrets = group.flatMap(({ job, ctx }) => [
    ...ctx.plan.secrets,
    ...(job.target.kind === 'client' ? [] : job.target.headers.map(({ value }) => value)),
  ]);
  const clean = redactor(secrets);
  const parts = group.map(
    ({ job, ctx }): Part => ({
      job,
      ctx,
      record: startRecord({ ...ctx, job, redactor: clean }),
    }),
  );
  const [main, ...others] = parts;
  if (!main) return [];
  for (const { record } of parts) await record.keep();
  const measured = async (): Promise<readonly Part[]> => {
    for (const other of others) await shareReports(main, other);
    for (const { record } of parts) await record.keep();
    return parts;
  };
  const { target } = main.job;
  try {
    if (target.kind === 'client') await runClientProfile(main, target, clean, measured);
    else await runServerProfile(main, clean, measured);
  } catch (error) {
    if (!(error instanceof MeasurementFault) && !main.ctx.signal.aborted) throw error;
    const { signal, plan } = main.ctx;
    main.record.stopped(faultOf(signal.aborted ? signal.reason : error, plan.deadlines.runMs).finding);
  }
  await nameNotRun(main);
  for (const other of others) {
    shareFacts(main, other);
    await shareLogs(main, other);
  }
  return Promise.all(
    parts.map(({ record }) => {
      record.took('total', started);
      return record.finish();
    }),
  );
}

/** Completes the faults that ended the run early. */
async function nameNotRun(part: Part): Promise<void> {
  const reported = await scenariosWithReport(rawOf(part), part.job.profile.leg);
  const missing = allScenarios(part).filter((scenario) => !reported.has(scenario));
  const { draft } = part.record;
  draft.faults = draft.faults.map((fault) =>
    fault.notRun?.length === 0 ? { ...fault, notRun: missing } : fault,
  );
}
