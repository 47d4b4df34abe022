import pLimit from 'p-limit';
import { refereeEnvironment } from '../shared/child-environment.ts';
import type { KeptLog } from '../shared/kept-log.ts';
import type { RefereeRun, RunMetadata } from './metadata.ts';
import type { Part } from './part.ts';
import type { RawFolder } from './raw-folder.ts';
import { aloneArguments } from './referee-arguments.ts';
import { readRefereeLine } from './referee-lines.ts';
import { runReferee } from './referee-process.ts';

/** How a scenario's client ended. */
export type ClientEnding = NonNullable<RunMetadata['clients']>[number];

export interface AloneOptions {
  readonly part: Part;
  readonly target: { readonly url: string } | { readonly command: string };
  readonly cwd: string;
  /** Added to the referee's environment, which clients inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly raw: RawFolder;
  readonly log: KeptLog;
  readonly stop: AbortSignal;
}

export interface AloneResult {
  readonly run: RefereeRun;
  readonly client?: ClientEnding;
  /** Nothing was run: the stop signal came first. */
  readonly skipped: boolean;
  /** What the referee said last. */
  readonly logTail: string[];
}

/** The referee ends a client at its deadline; where a child of that client holds the pipes, it waits for ever. */
const SLACK_MS = 3_000;

/** Runs one scenario in a process of its own. Never throws. */
export async function runAlone(options: AloneOptions, scenario: string): Promise<AloneResult> {
  const { part, target, log, raw, stop } = options;
  const { ctx, job } = part;
  const { scenarioMs } = ctx.plan.deadlines;
  const common = { referee: ctx.referee, profile: job.profile, scenarioMs, output: raw.output, scenario };
  const block = log.block((text) => `\n=== Running scenario: ${scenario} ===\n${text}`);
  const slow = new AbortController();
  const watch = setTimeout(() => slow.abort(), scenarioMs + SLACK_MS);
  const client = clientReader(scenario);
  try {
    const run = await runReferee({
      referee: ctx.referee,
      args: aloneArguments({
        ...common,
        ...('command' in target ? { command: underShell(target.command) } : target),
      }),
      cwd: options.cwd,
      env: refereeEnvironment(process.env, options.env),
      stdout: block.source(),
      stderr: block.source(),
      ...('command' in target
        ? { signal: stop, endClients: slow.signal }
        : { signal: AbortSignal.any([stop, slow.signal]) }),
      scenario,
      onLine(line) {
        const said = readRefereeLine(line);
        if (said?.kind === 'saved') raw.saved(said.folder);
        client.read(line);
      },
    });
    const skipped = stop.aborted && run.tookMs === 0;
    const logTail = block.text().trimEnd().split('\n').slice(-20);
    const ended = { run: { ...run, timedOut: slow.signal.aborted }, skipped, logTail };
    return 'command' in target && !skipped ? { ...ended, client: client.ending(slow.signal.aborted) } : ended;
  } finally {
    clearTimeout(watch);
    block.end();
  }
}

/**
 * The referee takes a client that a signal killed for one that ended well. Under a shell that stays, its exit code is
 * 128 + the signal's number. The referee appends the server's address to the line and gives it to a shell; the line goes
 * through unharmed although the referee splits it, because it joins the pieces with the same single spaces.
 */
export function underShell(command: string): string {
  const script = `( ${command} "$1" ); exit $?`;
  return `sh -c '${script.replaceAll("'", "'\\''")}' client`;
}

/** Runs scenarios each in a process of its own, at most `atOnce` at a time, in order. */
export async function runEachAlone(
  options: AloneOptions,
  scenarios: readonly string[],
  atOnce: number,
  onResult: (result: AloneResult, scenario: string) => void,
): Promise<void> {
  const { progress } = options.part.ctx;
  const profile = options.part.job.profile.id;
  const limit = pLimit(Math.max(1, atOnce));
  const started = performance.now();
  let n = 0;
  await Promise.all(
    scenarios.map((scenario) =>
      limit(async () => {
        if (options.stop.aborted) return;
        n += 1;
        const elapsedMs = Math.round(performance.now() - started);
        progress({ kind: 'scenario', profile, scenario, n, of: scenarios.length, elapsedMs });
        onResult(await runAlone(options, scenario), scenario);
      }),
    ),
  );
}

/**
 * Reads from the referee's output how the client ended. The client's own output is in there as well, behind the lines that
 * count, so the first of each kind is the referee's.
 */
function clientReader(scenario: string): {
  read(line: string): void;
  ending(killed: boolean): ClientEnding;
} {
  let started = false;
  let exitCode: number | undefined;
  let timedOut = false;
  let refused = false;
  return {
    read(line) {
      if (line.startsWith('Executing client: ')) started = true;
      const code = /^Client exited with code (-?\d+)$/.exec(line)?.[1];
      if (code !== undefined) exitCode ??= Number(code);
      if (line.startsWith('Client timed out after ')) timedOut = true;
      if (line.includes('CLIENT EXITED WITH ERROR')) refused = true;
    },
    ending(killed) {
      // The referee says nothing about a client that ended well.
      const code = started ? (exitCode ?? 0) : null;
      const ended = { scenario, exitCode: timedOut || killed ? null : code, timedOut: timedOut || killed };
      return code === null || code === 0 || ended.timedOut ? ended : { ...ended, allowed: !refused };
    },
  };
}
