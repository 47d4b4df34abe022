import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/shared/package-root.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Built referees are kept here between the tests of one run and the next: what is tested elsewhere is the cache itself. */
export const TEST_CACHE = join(packageRoot(), 'node_modules', '.cache', 'mcp-conformance-gate');

/**
 * Runs the committed bundle as a person does: `node dist/cli.js …`, without a terminal.
 * @param cwd where it runs
 */
export function runCli(
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; signal?: AbortSignal },
): Promise<CliResult> {
  const started = performance.now();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CI: '',
    GITHUB_ACTIONS: '',
    NO_COLOR: '1',
    ...options.env,
  };
  if (['run', 'accept', 'demo', 'check'].includes(args[0] ?? '') && !args.includes('--cache'))
    args = [...args, '--cache', TEST_CACHE];
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'cli.js'), ...args], {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  options.signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr, ms: performance.now() - started }));
  });
}
