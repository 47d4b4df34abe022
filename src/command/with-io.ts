import type { GateIo } from './run-gate.ts';
import { showProgress } from './show-progress.ts';
import { interruptible } from './signals.ts';

/**
 * Runs something with this process's own effects: progress on stderr in the style that fits, signals, clock, environment.
 * What is printed afterwards comes after the progress line is gone.
 */
export async function withIo<T>(use: (io: GateIo) => Promise<T>): Promise<T> {
  using interrupt = interruptible();
  using shown = showProgress(
    process.stderr.isTTY ? 'terminal' : process.env.GITHUB_ACTIONS ? 'runner' : 'lines',
    process.stderr,
  );
  return await use({
    progress: shown.progress,
    signal: interrupt.signal,
    environment: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
  });
}
