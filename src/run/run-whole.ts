import { join } from 'node:path';
import type { Finding } from '../gate/finding.ts';
import { refereeEnvironment } from '../shared/child-environment.ts';
import { keepLog } from '../shared/kept-log.ts';
import type { Redactor } from '../shared/redact.ts';
import { allScenarios, type Part, rawOf } from './part.ts';
import { openRawFolder } from './raw-folder.ts';
import { wholeArguments } from './referee-arguments.ts';
import { readRefereeLine } from './referee-lines.ts';
import { runReferee } from './referee-process.ts';

/** Referees without a --timeout of their own, and ones whose own did not strike, are given this much more. */
const SLACK_MS = 5_000;

/**
 * Runs everything that a server profile contains in one process of the referee. Runs and faults go into the record.
 * @param stop ends it early; the caller records why
 */
export async function runWhole(
  part: Part,
  url: string,
  redactor: Redactor,
  stop: AbortSignal,
): Promise<void> {
  const { job, ctx, record } = part;
  const { profile } = job;
  const { scenarioMs } = ctx.plan.deadlines;
  const all = allScenarios(part);
  // The extension scenarios alone cannot be asked for; what else the requirement set holds is run and left out.
  const belongs =
    profile.kind === 'server-extensions' ? (scenario: string) => all.includes(scenario) : undefined;
  const raw = await openRawFolder(rawOf(part), profile.leg, redactor, belongs);
  const log = keepLog(join(ctx.folder, 'referee.log'), redactor);
  const started = performance.now();
  let n = 0;
  let current: string | undefined;
  const slow = new AbortController();
  let watch: NodeJS.Timeout | undefined;
  const watchScenario = (): void => {
    clearTimeout(watch);
    watch = setTimeout(() => slow.abort(), scenarioMs + SLACK_MS);
  };
  try {
    watchScenario();
    const run = await runReferee({
      referee: ctx.referee,
      args: wholeArguments({ referee: ctx.referee, profile, scenarioMs, output: raw.output, url }),
      cwd: ctx.folder,
      env: refereeEnvironment(process.env),
      stdout: log.source(),
      stderr: log.source(),
      signal: AbortSignal.any([stop, slow.signal]),
      onLine(line) {
        const said = readRefereeLine(line);
        if (said?.kind === 'saved') raw.saved(said.folder);
        if (said?.kind !== 'started') return;
        current = said.scenario;
        watchScenario();
        if (!all.includes(current)) return;
        n += 1;
        const elapsedMs = Math.round(performance.now() - started);
        const { id } = profile;
        ctx.progress({ kind: 'scenario', profile: id, scenario: current, n, of: all.length, elapsedMs });
      },
    });
    const timedOut = slow.signal.aborted;
    record.draft.runs = [...record.draft.runs, { ...run, timedOut }];
    if (stop.aborted) return;
    const fault = refereeFault(run, current, timedOut ? scenarioMs : undefined, log.tail());
    if (fault) record.fault(fault);
  } finally {
    clearTimeout(watch);
    record.took('referee', started);
    log.close();
    await raw.finish();
  }
}

function refereeFault(
  run: { exitCode: number | null; signal: string | null },
  scenario: string | undefined,
  timeoutMs: number | undefined,
  logTail: string[],
): Finding | undefined {
  if (timeoutMs !== undefined && scenario !== undefined) {
    const message = `The referee did not finish this scenario within ${timeoutMs} ms and was stopped.`;
    return { kind: 'scenario-timeout', scenario, message };
  }
  // Wrong usage is exit 1 as well: then no scenario was begun.
  if (scenario !== undefined && (run.exitCode === 0 || run.exitCode === 1)) return undefined;
  return { kind: 'referee-crashed', exitCode: run.exitCode, signal: run.signal, logTail };
}
