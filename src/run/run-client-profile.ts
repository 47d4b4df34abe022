import { join } from 'node:path';
import type { TargetSpec } from '../config/plan.ts';
import { levelOf } from '../gate/finding.ts';
import { keepLog } from '../shared/kept-log.ts';
import type { Redactor } from '../shared/redact.ts';
import { pickPort } from '../target/ports.ts';
import { confirmAlone } from './confirm-alone.ts';
import { allScenarios, type Part, profileDeadline } from './part.ts';
import { runSelected } from './run-selected.ts';
import { faultOf } from './stop-fault.ts';

/**
 * Runs a client profile: the referee starts the client, once for each scenario, each in a process of its own and at most
 * `jobs` at a time, because its own suite starts all of them at once and starves a small machine.
 */
export async function runClientProfile(
  part: Part,
  spec: Extract<TargetSpec, { kind: 'client' }>,
  redactor: Redactor,
  measured: () => Promise<readonly Part[]>,
): Promise<void> {
  const { ctx, record } = part;
  const { draft } = record;
  const log = keepLog(join(ctx.folder, 'target.log'), redactor);
  log.note("Each client's output is kept beside its report: raw/<scenario>/stdout.txt and stderr.txt.");
  log.close();
  const port = needsPort(spec) ? await pickPort() : undefined;
  const fill = (text: string): string =>
    port === undefined ? text : text.replaceAll('{port}', String(port));
  const how = {
    target: { command: fill(spec.command) },
    cwd: spec.cwd,
    env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)])),
  };
  ctx.targetReady?.();
  using deadline = profileDeadline(ctx.plan.deadlines.profileMs);
  const stop = AbortSignal.any([ctx.signal, deadline.signal]);
  draft.window = { ...draft.window, from: new Date().toISOString() };
  await runSelected(part, allScenarios(part), { ...how, atOnce: ctx.plan.jobs }, redactor, stop);
  draft.window = { ...draft.window, to: new Date().toISOString() };
  if (stop.aborted) record.stopped(faultOf(stop.reason, ctx.plan.deadlines.runMs).finding);
  const others = await measured();
  if (stop.aborted || draft.faults.some(({ kind }) => levelOf(kind) === 'inconclusive')) return;
  for (const each of others) await confirmAlone(each, redactor, stop, how);
}

function needsPort(spec: Extract<TargetSpec, { kind: 'client' }>): boolean {
  return [spec.command, ...Object.values(spec.env)].some((text) => text.includes('{port}'));
}
