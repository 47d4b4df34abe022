import { join } from 'node:path';
import { type Finding, levelOf } from '../gate/finding.ts';
import { MeasurementFault } from '../shared/errors.ts';
import type { Redactor } from '../shared/redact.ts';
import type { RunningTarget } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { capabilitiesChanged } from './capabilities-changed.ts';
import { confirmAlone } from './confirm-alone.ts';
import { allScenarios, type Part, profileDeadline } from './part.ts';
import { runSelected } from './run-selected.ts';
import { runWhole } from './run-whole.ts';
import { faultOf } from './stop-fault.ts';

/**
 * Runs a server profile; everything learnt goes into its record.
 * @param measured called when the raw reports are complete, while the target still runs; returns the profiles whose
 *   unexpected scenarios are to be confirmed
 */
export async function runServerProfile(
  part: Part,
  redactor: Redactor,
  measured: () => Promise<readonly Part[]>,
): Promise<void> {
  const { job, ctx, record } = part;
  const { draft } = record;
  const begun = performance.now();
  const context = {
    profile: job.profile,
    targetLog: join(ctx.folder, 'target.log'),
    secrets: ctx.plan.secrets,
    progress: ctx.progress,
    signal: ctx.signal,
  };
  await withTarget(job.target, context, async (server) => {
    record.took('ready', begun);
    ctx.targetReady?.();
    const { url, behind, boundary } = server;
    draft.target = {
      ...draft.target,
      url,
      ...(behind === undefined ? {} : { behind }),
      notes: [...server.notes],
    };
    draft.probes = { ...draft.probes, before: server.before, ...(boundary ? { boundary } : {}) };
    const open = boundaryOpen(part, boundary);
    if (open) record.fault(open);
    const now = new Date().toISOString();
    draft.window = { from: now, to: now };
    await record.keep();
    using deadline = profileDeadline(ctx.plan.deadlines.profileMs);
    const stop = AbortSignal.any([ctx.signal, deadline.signal, server.died]);
    await runReferees(part, server.url, redactor, stop);
    draft.window = { ...draft.window, to: new Date().toISOString() };
    if (stop.aborted) {
      const reason: unknown = stop.reason;
      const finding = isFinding(reason) ? reason : faultOf(reason, ctx.plan.deadlines.runMs).finding;
      record.stopped(finding);
      draft.runs = draft.runs.map((run) => ({ ...run, timedOut: run.timedOut || deadline.signal.aborted }));
    }
    if (!ctx.signal.aborted) await probeAfter(part, server);
    const others = await measured();
    if (stop.aborted || draft.faults.some(({ kind }) => levelOf(kind) === 'inconclusive')) return;
    const how = { target: { url: server.url }, cwd: ctx.folder, env: {} };
    for (const each of others) await confirmAlone(each, redactor, stop, how);
    if (
      others.some(
        ({
          record: {
            draft: { reruns },
          },
        }) => reruns.length > 0,
      )
    )
      await probeAfter(part, server);
  });
}

async function runReferees(part: Part, url: string, redactor: Redactor, stop: AbortSignal): Promise<void> {
  if (part.ctx.scenarios.only === undefined) return runWhole(part, url, redactor, stop);
  const how = { target: { url }, cwd: part.ctx.folder, env: {}, atOnce: 1 };
  return runSelected(part, allScenarios(part), how, redactor, stop);
}

/** After the run the target must still answer, and be what it was before. */
async function probeAfter({ record, job }: Part, server: RunningTarget): Promise<void> {
  const { draft } = record;
  const died = () => (server.died.aborted ? (server.died.reason as Finding) : undefined);
  if (died() === undefined) {
    const after = await server.probe();
    draft.probes = { ...draft.probes, after };
    if (!after.answered && died() === undefined) {
      const { url, reason, message } = after;
      record.fault({ kind: 'probe-failed', when: 'after', url, reason, message });
    }
    const changed = capabilitiesChanged(
      job.profile.id,
      server.before,
      after,
      [draft.target.url, draft.target.behind].filter((url) => url !== undefined),
    );
    if (changed) record.fault(changed);
  }
  const finding = died();
  if (finding) record.stopped(finding);
}

/** `boundary: required`: nobody may come in without the headers, and with them one must. */
function boundaryOpen({ job }: Part, boundary: RunningTarget['boundary']): Finding | undefined {
  const { target, profile } = job;
  if (target.kind === 'client' || target.boundary !== 'required' || boundary === undefined) return undefined;
  const refused = boundary.without === 401 || boundary.without === 403;
  const admitted = boundary.with !== null && boundary.with >= 200 && boundary.with < 300;
  return refused && admitted ? undefined : { kind: 'boundary-open', profile: profile.id, ...boundary };
}

function isFinding(value: unknown): value is Finding {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && !(value instanceof MeasurementFault)
  );
}
