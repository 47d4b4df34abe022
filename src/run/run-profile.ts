import { join } from 'node:path';
import type { Plan, ProfilePlan } from '../config/plan.ts';
import type { Referee } from '../referee/referee.ts';
import { MeasurementFault } from '../shared/errors.ts';
import { assertPlatform } from '../shared/platform.ts';
import type { Progress } from '../shared/progress.ts';
import { redactor } from '../shared/redact.ts';
import type { RunMetadata, ScenarioList } from './metadata.ts';
import { startRecord } from './record.ts';
import { runServerProfile } from './run-server-profile.ts';
import { faultOf } from './stop-signal.ts';

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
  /** Stops everything; see stopSignal. */
  readonly signal: AbortSignal;
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
  assertPlatform();
  const started = performance.now();
  const headers = job.target.kind === 'client' ? [] : job.target.headers;
  const clean = redactor([...ctx.plan.secrets, ...headers.map(({ value }) => value)]);
  const record = startRecord({ ...ctx, job, redactor: clean });
  await record.keep();
  try {
    await runServerProfile(job, ctx, record, clean);
  } catch (error) {
    if (ctx.signal.aborted) record.fault(faultOf(ctx.signal.reason).finding);
    else if (error instanceof MeasurementFault) record.fault(error.finding);
    else throw error;
  }
  record.took('total', started);
  return record.finish();
}

/** @returns where a profile's raw reports lie */
export function rawFolderOf(folder: string): string {
  return join(folder, 'raw');
}
