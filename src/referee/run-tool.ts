import { execa } from 'execa';
import { MeasurementFault } from '../shared/errors.ts';

export interface ToolResult {
  /** `undefined` when the program could not be started or was killed. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** ENOENT and the like, or that the time limit struck: why there is no exit code. */
  readonly problem: string | undefined;
}

export interface ToolJob {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Enough for any message a person reads; a tool that writes more is cut, not obeyed. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/**
 * Runs one program to its end, without a shell, and hands back what it said. A failing program is a result, not an
 * exception: its caller knows what the failure means.
 * @throws MeasurementFault `interrupted` when the signal was aborted
 */
export async function runTool(job: ToolJob): Promise<ToolResult> {
  throwIfInterrupted(job.signal);
  const child = execa(job.file, job.args, {
    cwd: job.cwd,
    env: job.env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: job.timeoutMs,
    cancelSignal: job.signal,
    forceKillAfterDelay: 2_000,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
    killDescendants: true,
  });
  // A build script may leave servers and watchers behind, and one that holds its output would keep us waiting.
  child.nodeChildProcess.once('exit', () => child.kill('SIGKILL'));
  const result = await child;
  throwIfInterrupted(job.signal);
  return {
    exitCode: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    problem: result.timedOut
      ? `no end after ${Math.round(job.timeoutMs / 1000)} s`
      : result.exitCode === undefined
        ? (result.code ?? result.signal ?? 'not started')
        : undefined,
  };
}

/** @throws MeasurementFault `interrupted`; whoever aborted may have given one as the reason. */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const reason: unknown = signal.reason;
  if (reason instanceof MeasurementFault) throw reason;
  throw new MeasurementFault(
    { kind: 'interrupted', signal: reason instanceof Error ? reason.message : String(reason) },
    { cause: reason },
  );
}

/** The last lines of what a tool said, without empty ones: enough to see what went wrong. */
export function tailOf(result: Pick<ToolResult, 'stdout' | 'stderr' | 'problem'>, lines = 20): string[] {
  const said = `${result.stdout}\n${result.stderr}`.split(/\r?\n/).filter((line) => line.trim() !== '');
  return [...said, ...(result.problem === undefined ? [] : [result.problem])].slice(-lines);
}
