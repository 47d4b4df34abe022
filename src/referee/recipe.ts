import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pin, RefereePlan } from '../config/plan.ts';
import type { Progress } from '../shared/progress.ts';
import { buildCommit } from './build-commit.ts';
import type { Built } from './cache.ts';
import type { CacheSource } from './cache-entry.ts';
import { checkCheckout } from './check-checkout.ts';
import { fetchCommit } from './fetch-commit.ts';
import { INSTALLED_ROOT, installNpmPin } from './install-npm-pin.ts';
import { findLock } from './lock.ts';
import { shippedLocks } from './shipped-locks.ts';
import { noLock } from './versions.ts';

export interface PrepareIo {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** How one pin becomes a tree: what the cache knows it by, and how it is made when the cache has none. */
export interface Recipe {
  readonly source: CacheSource;
  /** @param tree an empty folder of ours */
  readonly make: (
    tree: string,
    progress: Progress,
  ) => Promise<Pick<Built, 'root' | 'lock' | 'version' | 'integrity' | 'commit'>>;
}

/** @throws ConfigError when the pin has no lock, or one that does not nail it down */
export async function npmRecipe(
  plan: RefereePlan,
  pin: Extract<Pin, { kind: 'npm' }>,
  io: PrepareIo,
): Promise<Recipe> {
  const { version } = pin;
  const lock = await findLock(version, [plan.locks, shippedLocks()]);
  if (lock === undefined) throw await noLock(pin, { offline: plan.offline, signal: io.signal });
  const { integrity, hash } = lock;
  return {
    source: { kind: 'npm', version, integrity, lock: hash },
    make: async (tree, progress) => {
      progress({ kind: 'step', text: `Installing referee ${pin.text}` });
      await installNpmPin(tree, pin.text, lock, { node: process.execPath, signal: io.signal });
      return { root: INSTALLED_ROOT, version, integrity, lock: hash };
    },
  };
}

/** @throws ConfigError when a `path:` pin's checkout is not at that commit */
export async function commitRecipe(
  plan: RefereePlan,
  pin: Exclude<Pin, { kind: 'npm' }>,
  io: PrepareIo,
): Promise<Recipe> {
  const { commit, text } = pin;
  if (pin.kind === 'path') await withOwnConfig((config) => checkCheckout(pin, { pin: text, config, ...io }));
  return {
    source: { kind: 'commit', commit },
    make: async (tree, progress) => {
      progress({ kind: 'step', text: `Fetching the commit of ${text}` });
      if (pin.kind === 'path') {
        await withOwnConfig((config) => fetchCommit(tree, pin.path, commit, { pin: text, config, ...io }));
      } else {
        await fetchCommit(tree, addressOf(plan.repository), commit, { pin: text, ...io });
      }
      const { version, lock } = await buildCommit(tree, text, {
        node: process.execPath,
        signal: io.signal,
        progress,
      });
      return { root: '.', commit, lock, ...(version === undefined ? {} : { version }) };
    },
  };
}

/** Git runs elsewhere, so a repository that is a folder needs its whole path. */
function addressOf(repository: string): string {
  return existsSync(repository) ? resolve(repository) : repository;
}

/**
 * For a checkout that the user named: it counts as trusted whoever owns it (in containers that is often somebody else),
 * and nothing in the user's own configuration is needed to read it.
 */
async function withOwnConfig<T>(use: (config: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-referee-git-'));
  try {
    const config = join(folder, 'config');
    await writeFile(config, '[safe]\n\tdirectory = *\n');
    return await use(config);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
