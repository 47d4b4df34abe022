import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Pin, RefereePlan } from '../../config/plan.ts';
import { toolEnv } from '../child-env.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { REFEREE_PACKAGE } from '../known-pins.ts';
import { checkLock, findLock, lockFolder, type PinLock } from '../lock.ts';
import { npmError, npmFault, requireNpm } from '../npm-ci.ts';
import { prepareReferee } from '../prepare.ts';
import type { PrepareIo } from '../recipe.ts';
import { runTool } from '../run-tool.ts';
import { noSuchVersion, publishedVersions } from '../versions.ts';

const RESOLVE_TIMEOUT_MS = 5 * 60_000;

export interface PinnedReferee {
  readonly pin: string;
  readonly integrity?: string | undefined;
  readonly commit?: string | undefined;
  /** `sha256:…` of the lock. */
  readonly lock: string;
  /** The lock that was written; a commit carries its own. */
  readonly file?: string;
  readonly packages?: number;
  /** What a lock that was there before said otherwise: `express 5.1.0 → 5.2.0`. */
  readonly changed: readonly string[];
}

/**
 * Nails a pin down. For an npm version the whole tree is resolved once and its lock written to `<baselines>/referee/`,
 * with integrities and without addresses; that folder belongs in version control. A commit carries its own lock, so it is
 * fetched and built, which shows that it can be.
 * @throws ConfigError when there is no such version or commit
 * @throws MeasurementFault `referee-unavailable` when the registry or repository cannot be asked
 */
export async function pinReferee(plan: RefereePlan, io: PrepareIo): Promise<PinnedReferee> {
  const { pin } = plan;
  if (pin.kind !== 'npm') {
    const { facts } = await prepareReferee(plan, io);
    return { pin: pin.text, commit: facts.commit, lock: facts.lock, changed: [] };
  }
  const before = await findLock(pin.version, [plan.locks]).catch(() => undefined);
  const lock = await withHeartbeat(io.progress, (progress) => {
    progress({ kind: 'step', text: `Resolving the dependencies of ${pin.text}` });
    return resolveTree(pin, io);
  });
  const folder = join(plan.locks, lockFolder(pin.version));
  const file = join(folder, 'package-lock.json');
  await mkdir(folder, { recursive: true });
  await writeFileAtomic(join(folder, 'package.json'), packageJson(pin.version));
  await writeFileAtomic(file, `${JSON.stringify(lock.content, null, 2)}\n`);
  return {
    pin: pin.text,
    integrity: lock.integrity,
    lock: lock.hash,
    file,
    packages: Object.keys(lock.content.packages).length - 1,
    changed: before === undefined ? [] : changes(before, lock),
  };
}

async function resolveTree(pin: Extract<Pin, { kind: 'npm' }>, io: PrepareIo): Promise<PinLock> {
  const npm = await requireNpm(pin.text, process.execPath);
  const folder = await mkdtemp(join(tmpdir(), 'mcp-referee-pin-'));
  try {
    await writeFile(join(folder, 'package.json'), packageJson(pin.version));
    const result = await runTool({
      file: npm.file,
      args: [...npm.args, ...RESOLVE],
      cwd: folder,
      env: toolEnv(process.env),
      timeoutMs: RESOLVE_TIMEOUT_MS,
      signal: io.signal,
    });
    if (/^(ETARGET|E404)$/.test(npmError(result)?.code ?? '')) {
      const versions = await publishedVersions(io.signal);
      if (versions?.includes(pin.version) === false) throw noSuchVersion(pin.version, versions);
    }
    if (result.exitCode !== 0) throw npmFault(result, pin.text, 'npm install --package-lock-only');
    const file = join(folder, 'package-lock.json');
    return checkLock(pin.version, file, await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const RESOLVE = [
  'install',
  '--package-lock-only',
  '--json',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--prefer-online',
  '--lockfile-version=3',
  '--install-strategy=hoisted',
];

function packageJson(version: string): string {
  const content = {
    name: 'mcp-conformance-referee',
    private: true,
    dependencies: { [REFEREE_PACKAGE]: version },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function changes(before: PinLock, after: PinLock): string[] {
  const paths = new Set([...Object.keys(before.content.packages), ...Object.keys(after.content.packages)]);
  const version = (lock: PinLock, path: string) => lock.content.packages[path]?.version ?? 'none';
  return [...paths]
    .filter((path) => path !== '' && version(before, path) !== version(after, path))
    .sort()
    .map(
      (path) => `${path.replace(/^node_modules\//, '')} ${version(before, path)} → ${version(after, path)}`,
    );
}
