import { z } from 'zod';
import { MeasurementFault } from '../shared/errors.ts';
import { toolEnv } from './child-env.ts';
import { locateNpm, type Npm } from './locate-npm.ts';
import { runTool, type ToolResult, tailOf } from './run-tool.ts';

/** A slow registry gets this long for the whole tree. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

export interface NpmIo {
  readonly node: string;
  readonly signal: AbortSignal;
}

/**
 * @param pin for the finding
 * @throws MeasurementFault `referee-unavailable` when this machine has no npm
 */
export async function requireNpm(pin: string, node: string): Promise<Npm> {
  const npm = await locateNpm({ node, env: process.env });
  if (npm !== undefined) return npm;
  throw new MeasurementFault({
    kind: 'referee-unavailable',
    pin,
    message: 'npm is neither beside the running Node nor on PATH, and it installs the referee',
    remedy:
      'Put npm on PATH (hosted runner images have it; actions/setup-node brings it), or restore a filled referee cache.',
  });
}

/**
 * Installs exactly what the package-lock.json in `folder` names. No script of any package runs, and npm compares every
 * tarball with the lock's integrity. Options are given in full because the user's npm configuration may say otherwise.
 * @param dev whether development dependencies are wanted (a build needs them)
 * @param binLinks whether node_modules/.bin is wanted (a build needs it)
 * @throws MeasurementFault `referee-integrity`, `referee-unavailable` or `referee-build-failed`
 */
export async function npmCi(
  folder: string,
  pin: string,
  wanted: { readonly dev: boolean; readonly binLinks: boolean },
  io: NpmIo,
): Promise<void> {
  const npm = await requireNpm(pin, io.node);
  const install = (...more: string[]) =>
    runTool({
      file: npm.file,
      args: [...npm.args, ...CI, `--bin-links=${wanted.binLinks}`, ...dev(wanted.dev), ...more],
      cwd: folder,
      env: toolEnv(process.env),
      timeoutMs: INSTALL_TIMEOUT_MS,
      signal: io.signal,
    });
  // What npm remembers of a package is as good as asking again: the integrity decides. But it may be from before a version
  // was published.
  const remembered = await install('--prefer-offline');
  const stale = remembered.exitCode !== 0 && /^(ETARGET|E404)$/.test(npmError(remembered)?.code ?? '');
  const result = stale ? await install('--prefer-online') : remembered;
  if (result.exitCode !== 0) throw npmFault(result, pin, 'npm ci');
}

const CI = [
  'ci',
  '--json',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--install-strategy=hoisted',
];

function dev(wanted: boolean): string[] {
  return [wanted ? '--include=dev' : '--omit=dev'];
}

/** What npm prints on stdout with --json when it fails. */
const npmErrorSchema = z.object({
  error: z.object({
    code: z.string().nullish(),
    summary: z.string().nullish(),
    detail: z.string().nullish(),
  }),
});

/** npm's code and words, from its JSON; `undefined` when it did not get as far as writing any. */
export function npmError(result: ToolResult): { code: string; message: string } | undefined {
  const start = result.stdout.indexOf('{');
  if (start < 0) return undefined;
  try {
    const { error } = npmErrorSchema.parse(JSON.parse(result.stdout.slice(start)));
    return { code: error.code ?? '', message: error.summary ?? '' };
  } catch {
    return undefined;
  }
}

const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ERR_SOCKET_TIMEOUT|ENOTCACHED|E4\d\d|E5\d\d|ETARGET|UNABLE_TO_\w+|CERT_\w+|SELF_SIGNED\w*|DEPTH_ZERO\w*|EPROTO)$/;

/** Which finding a failed npm is. */
export function npmFault(result: ToolResult, pin: string, step: string): MeasurementFault {
  const error = npmError(result);
  if (error?.code === 'EINTEGRITY') {
    return new MeasurementFault({ kind: 'referee-integrity', pin, message: error.message });
  }
  if (result.problem !== undefined || (error !== undefined && UNREACHABLE.test(error.code))) {
    return new MeasurementFault({
      kind: 'referee-unavailable',
      pin,
      message: `${step}: ${error === undefined ? (result.problem ?? 'failed') : `${error.code} ${error.message}`}`,
      remedy:
        "Check the network and npm's configuration (npm ping); a cached referee runs without both: --offline.",
    });
  }
  return new MeasurementFault({ kind: 'referee-build-failed', pin, step, logTail: tailOf(result) });
}
