import { join } from 'node:path';
import type { ProfilePlan } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import { refereeEnvironment } from '../shared/child-environment.ts';
import { MeasurementFault } from '../shared/errors.ts';
import { keepLog } from '../shared/kept-log.ts';
import type { Redactor } from '../shared/redact.ts';
import type { RunningTarget } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';
import { openRawFolder } from './raw-folder.ts';
import type { Record } from './record.ts';
import { wholeArguments } from './referee-arguments.ts';
import { readRefereeLine } from './referee-lines.ts';
import { runReferee } from './referee-process.ts';
import type { RunContext } from './run-profile.ts';
import { scenariosWithReport } from './scenarios-with-report.ts';
import { faultOf } from './stop-signal.ts';

/** Runs a server profile; everything learnt goes into the record. */
export async function runServerProfile(
  job: ProfilePlan,
  ctx: RunContext,
  record: Record,
  redactor: Redactor,
): Promise<void> {
  const { profile } = job;
  const begun = performance.now();
  const target = { profile, targetLog: join(ctx.folder, 'target.log'), secrets: ctx.plan.secrets };
  await withTarget(job.target, { ...target, progress: ctx.progress, signal: ctx.signal }, async (server) => {
    record.took('ready', begun);
    const { draft } = record;
    draft.target = { ...draft.target, url: server.url, notes: [...server.notes] };
    draft.probes = {
      ...draft.probes,
      before: server.before,
      ...(server.boundary ? { boundary: server.boundary } : {}),
    };
    await record.keep();
    await runWhole(job, ctx, record, redactor, server);
    draft.target = { ...draft.target, notes: [...server.notes] };
  });
}

async function runWhole(
  job: ProfilePlan,
  ctx: RunContext,
  record: Record,
  redactor: Redactor,
  server: RunningTarget,
): Promise<void> {
  const { draft } = record;
  const { profileMs, scenarioMs } = ctx.plan.deadlines;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new MeasurementFault({ kind: 'profile-timeout', timeoutMs: profileMs, notRun: [] })),
    profileMs,
  );
  const stop = AbortSignal.any([ctx.signal, deadline.signal, server.died]);
  const raw = await openRawFolder(join(ctx.folder, 'raw'), redactor);
  const log = keepLog(join(ctx.folder, 'referee.log'), redactor);
  const started = performance.now();
  const all = [...ctx.scenarios.scored, ...ctx.scenarios.notScored.map(({ scenario }) => scenario)];
  let n = 0;
  draft.window = { ...draft.window, from: new Date().toISOString() };
  try {
    const run = await runReferee({
      referee: ctx.referee,
      args: wholeArguments({
        referee: ctx.referee,
        profile: job.profile,
        scenarioMs,
        output: raw.output,
        url: server.url,
      }),
      cwd: ctx.folder,
      env: refereeEnvironment(process.env),
      stdout: log.source(),
      stderr: log.source(),
      signal: stop,
      onLine(line) {
        const said = readRefereeLine(line);
        if (said?.kind === 'saved') raw.saved(said.folder);
        if (said?.kind !== 'started') return;
        n += 1;
        ctx.progress({
          kind: 'scenario',
          profile: job.profile.id,
          scenario: said.scenario,
          n,
          of: all.length,
          elapsedMs: Math.round(performance.now() - started),
        });
      },
    });
    draft.runs = [{ ...run, timedOut: deadline.signal.aborted }];
    if (!stop.aborted && (n === 0 || (run.exitCode !== 0 && run.exitCode !== 1))) {
      record.fault({
        kind: 'referee-crashed',
        exitCode: run.exitCode,
        signal: run.signal,
        logTail: log.tail(),
      });
    }
  } finally {
    clearTimeout(timer);
    draft.window = { ...draft.window, to: new Date().toISOString() };
    record.took('referee', started);
    log.close();
    await raw.finish();
  }
  if (stop.aborted) {
    const withReport = await scenariosWithReport(join(ctx.folder, 'raw'), job.profile);
    const notRun = all.filter((scenario) => !withReport.has(scenario));
    record.fault({ ...findingOf(stop.reason), notRun });
    return;
  }
  const after = await server.probe();
  draft.probes = { ...draft.probes, after };
  if (server.died.aborted) record.fault(server.died.reason as Finding);
  else if (!after.answered) {
    record.fault({
      kind: 'probe-failed',
      when: 'after',
      url: after.url,
      reason: after.reason,
      message: after.message,
    });
  }
}

function findingOf(reason: unknown): Finding {
  return typeof reason === 'object' && reason !== null && 'kind' in reason
    ? (reason as Finding)
    : faultOf(reason).finding;
}
