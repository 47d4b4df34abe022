import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.ts';
import { TEST_CACHE } from './run-cli.ts';

export interface Gate {
  readonly child: ChildProcess;
  /** stdout and stderr so far. */
  said(): string;
  readonly ended: Promise<number | null>;
}

/** Starts `mcp-conformance-gate run …` from the sources, without a terminal. */
export function startGate(
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Gate {
  const entry = join(packageRoot(), 'src', 'entry', 'cli.ts');
  const child = spawn(process.execPath, [entry, 'run', ...args, '--cache', TEST_CACHE], {
    cwd: options.cwd,
    env: { ...process.env, CI: '', GITHUB_ACTIONS: '', NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, said: () => said, ended };
}
