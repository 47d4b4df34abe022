import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import type { Progress } from '../shared/progress.ts';
import { foreignEnv } from './child-env.ts';
import { trimModules } from './install-npm-pin.ts';
import { type Lock, parseLock } from './lock.ts';
import { type NpmIo, npmCi, requireNpm } from './npm-ci.ts';
import { runTool, tailOf } from './run-tool.ts';

const BUILD_TIMEOUT_MS = 10 * 60_000;

export interface BuiltCommit {
  readonly lock: string;
  readonly version: string | undefined;
}

/**
 * Builds the referee whose sources lie in `tree`, the way its own repository does: the tools of its lock, its build
 * script, and then only what it takes to run. A dist/ that the commit carries is not trusted: it is removed first.
 * @param pin for messages
 * @throws ConfigError when the commit has no lock that pins its tree
 * @throws MeasurementFault `referee-build-failed`, `referee-integrity`, `referee-unavailable`
 */
export async function buildCommit(
  tree: string,
  pin: string,
  io: NpmIo & { readonly progress: Progress },
): Promise<BuiltCommit> {
  const lock = await lockOfCommit(tree, pin);
  const { version } = await packageOfCommit(tree, pin);
  io.progress({ kind: 'step', text: `Installing the build tools of ${pin}` });
  for (const folder of ['dist', 'node_modules'])
    await rm(join(tree, folder), { recursive: true, force: true });
  await npmCi(tree, pin, { dev: true, binLinks: true }, io);
  io.progress({ kind: 'step', text: `Building ${pin}` });
  await runBuild(tree, pin, io);
  await requireEntry(tree, pin);
  // Installed anew, because foreign code ran beside the old ones.
  io.progress({ kind: 'step', text: `Installing what ${pin} needs to run` });
  await rm(join(tree, 'node_modules'), { recursive: true, force: true });
  await npmCi(tree, pin, { dev: false, binLinks: false }, io);
  await trimModules(join(tree, 'node_modules'));
  return { lock: lock.hash, version };
}

async function runBuild(tree: string, pin: string, io: NpmIo): Promise<void> {
  const npm = await requireNpm(pin, io.node);
  const home = await mkdtemp(join(tmpdir(), 'mcp-referee-home-'));
  try {
    const env = foreignEnv(process.env, home);
    const result = await runTool({
      file: npm.file,
      args: [...npm.args, 'run', 'build', '--no-update-notifier'],
      cwd: tree,
      env: { ...withNodeFirst(env, io.node), CI: 'true' },
      timeoutMs: BUILD_TIMEOUT_MS,
      signal: io.signal,
    });
    if (result.exitCode !== 0) throw buildFailed(pin, 'npm run build', tailOf(result));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A script that says `node` means the Node that the referee will run on. */
function withNodeFirst(env: Readonly<Record<string, string>>, node: string): Record<string, string> {
  const name = Object.keys(env).find((candidate) => candidate.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...env, [name]: [dirname(node), env[name] ?? ''].join(delimiter) };
}

async function requireEntry(tree: string, pin: string): Promise<void> {
  const entry = await lstat(join(tree, 'dist', 'index.js')).catch(() => undefined);
  if (entry?.isFile() === true) return;
  throw buildFailed(pin, 'npm run build', ['The build ended well and left no file dist/index.js.']);
}

function buildFailed(pin: string, step: string, logTail: string[]): MeasurementFault {
  return new MeasurementFault({ kind: 'referee-build-failed', pin, step, logTail });
}

/** npm reads npm-shrinkwrap.json before package-lock.json; so do we. */
const LOCK_FILES = ['npm-shrinkwrap.json', 'package-lock.json'];

async function lockOfCommit(tree: string, pin: string): Promise<Lock> {
  for (const name of LOCK_FILES) {
    const text = await readFile(join(tree, name), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const lock = parseLock(text);
    if ('problem' in lock) throw new ConfigError(`${pin}: the commit's ${name} ${lock.problem}.`);
    if (lock.loose.length === 0) return lock;
    throw new ConfigError(
      `${pin}: the commit's ${name} does not say what these packages must contain: ${lock.loose.slice(0, 5).join(', ')}.`,
      { hint: 'Pin a commit whose lock has an integrity for each package.' },
    );
  }
  throw new ConfigError(`${pin}: the commit has no package-lock.json, so its dependencies can move.`, {
    hint: 'Pin a commit that has one, or a published version: npm:<exact version>.',
  });
}

const packageSchema = z.looseObject({ version: z.string().optional() });

async function packageOfCommit(tree: string, pin: string): Promise<{ version?: string | undefined }> {
  try {
    return packageSchema.parse(JSON.parse(await readFile(join(tree, 'package.json'), 'utf8')));
  } catch (error) {
    throw new ConfigError(`${pin}: the commit has no package.json that can be read.`, { cause: error });
  }
}
