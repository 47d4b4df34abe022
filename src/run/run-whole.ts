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
import { runEachAlone } from './run-alone.ts';

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
  const begun = new Set<string>();
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
        begun.add(current);
        const n = begun.size;
        const elapsedMs = Math.round(performance.now() - started);
        const { id } = profile;
        ctx.progress({ kind: 'scenario', profile: id, scenario: current, n, of: all.length, elapsedMs });
      },
    });
    const timedOut = slow.signal.aborted;
    record.draft.runs = [...record.draft.runs, { ...run, timedOut }];
    if (stop.aborted) return;
    if (!timedOut) {
      // Wrong usage is exit 1 as well: then no scenario was begun.
      if (current !== undefined && (run.exitCode === 0 || run.exitCode === 1)) return;
      record.fault({
        kind: 'referee-crashed',
        exitCode: run.exitCode,
        signal: run.signal,
        logTail: log.tail(),
      });
      return;
    }
    if (current !== undefined) record.fault(scenarioTimeout(current, scenarioMs));
    // One scenario that hangs must not take the others with it.
    const rest = all.filter((scenario) => !begun.has(scenario));
    const alone = { part, target: { url }, cwd: ctx.folder, env: {}, raw, log, stop };
    await runEachAlone(alone, rest, 1, (result, scenario) => {
      if (result.skipped) return;
      record.draft.runs = [...record.draft.runs, result.run];
      if (result.run.timedOut) record.fault(scenarioTimeout(scenario, scenarioMs));
    });
  } finally {
    clearTimeout(watch);
    record.took('referee', started);
    log.close();
    await raw.finish();
  }
}

/** @returns the finding for a scenario that did not end by itself */
export function scenarioTimeout(scenario: string, timeoutMs: number): Finding {
  const message = `The referee did not finish this scenario within ${timeoutMs} ms and was stopped.`;
  return { kind: 'scenario-timeout', scenario, message };
}
