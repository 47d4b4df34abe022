import { setTimeout as sleep } from 'node:timers/promises';
import type { Referee } from '../referee/referee.ts';
import type { LogSource } from '../shared/kept-log.ts';
import { type ProcessGroup, startGroup } from '../shared/process-group.ts';
import type { RefereeRun } from './metadata.ts';

export interface RefereeJob {
  readonly referee: Referee;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its output goes, one source per stream. */
  readonly stdout: LogSource;
  readonly stderr: LogSource;
  /** Each complete line of either stream, unredacted. */
  readonly onLine: (line: string) => void;
  /** Ends the referee and everything that it started. */
  readonly signal: AbortSignal;
  /** Ends what the referee started, so that it can finish its report; should it not, the referee is ended too. */
  readonly endClients?: AbortSignal;
  readonly scenario?: string;
}

/** The referee has nothing to tidy up: what it had to say is on disk already. */
const GRACE_MS = 200;
const LAST_WORDS_MS = 500;
const CLIENT_GRACE_MS = 500;
const REPORT_MS = 3_000;
const LONGEST_LINE = 64 * 1024;

/**
 * Runs the referee once, to its end or until the signal aborts. Never throws.
 * @returns how it ended; `timedOut` is left to the caller, who knows what the signal meant
 */
export async function runReferee(job: RefereeJob): Promise<RefereeRun> {
  const { referee, args, signal } = job;
  const argv = [referee.node, referee.entry, ...args];
  const alone = job.scenario === undefined ? {} : { scenario: job.scenario };
  if (signal.aborted) return { ...alone, argv, exitCode: null, signal: null, timedOut: false, tookMs: 0 };
  const started = performance.now();
  const group = startGroup({
    run: { file: referee.node, args: [referee.entry, ...args] },
    cwd: job.cwd,
    env: job.env,
  });
  const drained = [drain(group.stdout, job.stdout, job.onLine), drain(group.stderr, job.stderr, job.onLine)];
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    // Itself first and at once: it must not report on a client that we end, as if that were the client's doing.
    if (stopping === undefined && group.pid > 0 && group.ending === undefined)
      process.kill(group.pid, 'SIGKILL');
    stopping ??= group.stop(GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  const endClients = (): void => void endDescendants(group).then(stop);
  job.endClients?.addEventListener('abort', endClients, { once: true });
  const { exitCode, signal: killedBy } = await group.ended;
  signal.removeEventListener('abort', stop);
  job.endClients?.removeEventListener('abort', endClients);
  const tookMs = Math.round(performance.now() - started);
  // What it said last may still be in the pipes, which a client that it left behind can hold for ever.
  await Promise.race([Promise.all(drained), sleep(LAST_WORDS_MS)]);
  // Clients that outlive it, and pipes that they hold.
  await (stopping ?? group.stop(0));
  await Promise.all(drained);
  return { ...alone, argv, exitCode, signal: killedBy, timedOut: false, tookMs };
}

/** Resolves when the referee had the time to write its report after its clients were ended. */
async function endDescendants(group: ProcessGroup): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of await group.members()) {
      if (pid === group.pid) continue;
      try {
        process.kill(pid, signal);
      } catch {
        // Gone already.
      }
    }
    await Promise.race([group.ended, sleep(CLIENT_GRACE_MS)]);
  }
  await Promise.race([group.ended, sleep(REPORT_MS)]);
}

function drain(
  stream: NodeJS.ReadableStream | null,
  log: LogSource,
  onLine: (line: string) => void,
): Promise<void> {
  if (stream === null) return Promise.resolve();
  const decoder = new TextDecoder();
  let rest = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk: Uint8Array) => {
      log.write(chunk);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) onLine(line);
    });
    stream.on('error', () => undefined);
    stream.once('close', () => {
      if (rest !== '') onLine(rest);
      log.end();
      resolve();
    });
  });
}
