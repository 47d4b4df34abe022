import { MeasurementFault } from '../shared/errors.ts';
import { toolEnv } from './child-env.ts';
import { runTool, type ToolResult } from './run-tool.ts';

const GIT_TIMEOUT_MS = 5 * 60_000;

/** How git is run: for which pin (findings name it), where, and with what beyond the user's own configuration. */
export interface GitContext {
  readonly pin: string;
  readonly signal: AbortSignal;
  /** File of ours that stands in for the user's configuration; only where no network and no credentials are needed. */
  readonly config?: string;
}

/**
 * Runs git without its prompts, hooks, monitors and line-end conversions: what comes out of an object must be the object.
 * @throws MeasurementFault `referee-unavailable` when this machine has no git, `interrupted`
 */
export async function git(
  cwd: string,
  args: readonly string[],
  { pin, signal, config }: GitContext,
): Promise<ToolResult> {
  const result = await runTool({
    file: 'git',
    args: [...PLAIN.flatMap((setting) => ['-c', setting]), ...args],
    cwd,
    env: {
      ...toolEnv(process.env),
      GIT_TERMINAL_PROMPT: '0',
      GIT_DEFAULT_HASH: 'sha1',
      LC_ALL: 'C',
      ...(config === undefined ? {} : { GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1' }),
    },
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
  });
  if (result.problem !== 'ENOENT') return result;
  throw new MeasurementFault({
    kind: 'referee-unavailable',
    pin,
    message: 'git is not on PATH, and this pin is a commit',
    remedy: 'Install git, or pin a published version: npm:<exact version>.',
  });
}

const PLAIN = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.longpaths=true',
  'advice.detachedHead=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Git's own complaint, in one line. */
export function gitComplaint(result: ToolResult): string {
  const lines = result.stderr.split(/\r?\n/).filter((line) => /^(fatal|error|remote):/.test(line));
  return lines.at(-1)?.replace(/^(fatal|error): /, '') ?? result.problem ?? `exit ${result.exitCode}`;
}
