import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RefereePlan } from '../../config/plan.ts';
import { isEntryName, readManifest, USED } from '../cache-entry.ts';
import { DEFAULT_PIN } from '../known-pins.ts';
import { findLock, LOCK_FOLDER } from '../lock.ts';
import { shippedLocks } from '../shipped-locks.ts';
import { publishedVersions } from '../versions.ts';

export interface LockedPin {
  readonly pin: string;
  readonly integrity: string;
  /** `sha256:…` of the lock. */
  readonly lock: string;
  readonly file: string;
  /** It came with this project; `false`: `referee pin` wrote it. */
  readonly ships: boolean;
}

export interface CachedReferee {
  readonly name: string;
  /** `npm:<version>` or `git:<commit>`; a path pin of the same commit shares the entry. `undefined`: cannot be read. */
  readonly pin: string | undefined;
  readonly node: string | undefined;
  readonly bytes: number;
  readonly builtAt: string | undefined;
  readonly buildMs: number | undefined;
  readonly lastUsed: string | undefined;
}

export interface RefereeList {
  readonly default: string;
  /** The pin that the configuration asks for. */
  readonly wanted: string;
  readonly locked: readonly LockedPin[];
  readonly cache: string;
  readonly cached: readonly CachedReferee[];
  /** Versions on the registry, oldest first; `undefined` when it was not asked or did not answer. */
  readonly published: readonly string[] | undefined;
}

/**
 * Which referees there are: locked, cached, published. Looks and changes nothing; hashes are not checked (`verify` does).
 * @throws ConfigError when a lock is broken
 */
export async function listReferees(
  plan: RefereePlan,
  io: { readonly signal: AbortSignal },
): Promise<RefereeList> {
  const [own, shipped, cached, published] = await Promise.all([
    // In this project's own repository the two are one.
    resolve(plan.locks) === shippedLocks() ? [] : lockedIn(plan.locks, false),
    lockedIn(shippedLocks(), true),
    cachedIn(plan.cache),
    plan.offline ? undefined : publishedVersions(io.signal),
  ]);
  const hidden = new Set(own.map((lock) => lock.pin));
  return {
    default: DEFAULT_PIN,
    wanted: plan.pin.text,
    locked: [...own, ...shipped.filter((lock) => !hidden.has(lock.pin))],
    cache: plan.cache,
    cached,
    published,
  };
}

async function lockedIn(folder: string, ships: boolean): Promise<LockedPin[]> {
  const locked: LockedPin[] = [];
  for (const name of await namesIn(folder)) {
    const version = LOCK_FOLDER.exec(name)?.[1];
    const lock = version === undefined ? undefined : await findLock(version, [folder]);
    if (version === undefined || lock === undefined) continue;
    locked.push({
      pin: `npm:${version}`,
      integrity: lock.integrity,
      lock: lock.hash,
      file: lock.file,
      ships,
    });
  }
  return locked;
}

async function cachedIn(cache: string): Promise<CachedReferee[]> {
  const names = (await namesIn(cache)).filter(isEntryName);
  return Promise.all(
    names.map(async (name) => {
      const folder = join(cache, name);
      const manifest = readManifest(folder);
      const used = await stat(join(folder, USED)).catch(() => undefined);
      return {
        name,
        pin: manifest && (manifest.commit ? `git:${manifest.commit}` : `npm:${manifest.version}`),
        node: manifest?.node,
        bytes: manifest?.bytes ?? 0,
        builtAt: manifest?.builtAt,
        buildMs: manifest?.buildMs,
        lastUsed: used?.mtime.toISOString(),
      };
    }),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
