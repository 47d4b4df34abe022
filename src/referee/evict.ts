import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILDING, isEntryName, readManifest, TRASH, USED } from './cache-entry.ts';

/** All entries together; a referee takes about 15 MB, one built from a commit twice that. */
export const DEFAULT_LIMIT = 1024 ** 3;

/** A job on a hosted runner ends after six hours, so what was used within them may still be running. */
const IN_USE_MS = 6 * 60 * 60 * 1000;

/**
 * Keeps the cache within its size: the entries that were used longest ago go, except those that a run may be using. What
 * a killed run left half-built goes too, once it is as old.
 * @returns names of the entries that went
 */
export async function evict(
  cache: string,
  options: { readonly limit: number; readonly keep: string; readonly now: Date },
): Promise<string[]> {
  const names = await readdir(cache);
  const old = (time: number) => options.now.getTime() - time > IN_USE_MS;
  for (const name of names.filter((name) => name.startsWith(BUILDING) || name.startsWith(TRASH))) {
    if (old(await modified(join(cache, name)))) await rm(join(cache, name), { recursive: true, force: true });
  }
  const entries = await Promise.all(names.filter(isEntryName).map((name) => weigh(cache, name)));
  let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const gone: string[] = [];
  for (const entry of entries.sort((a, b) => a.used - b.used)) {
    if (total <= options.limit) break;
    if (entry.name === options.keep || !old(entry.used)) continue;
    await remove(cache, entry.name);
    total -= entry.bytes;
    gone.push(entry.name);
  }
  return gone;
}

async function weigh(cache: string, name: string): Promise<{ name: string; bytes: number; used: number }> {
  const folder = join(cache, name);
  const used = (await modified(join(folder, USED))) || (await modified(folder));
  return { name, bytes: readManifest(folder)?.bytes ?? 0, used };
}

async function remove(cache: string, name: string): Promise<void> {
  const trash = await mkdtemp(join(cache, `${TRASH}${name}-`));
  await rename(join(cache, name), join(trash, 'entry')).catch(() => undefined);
  await rm(trash, { recursive: true, force: true });
}

/** Milliseconds since the epoch; 0 when there is nothing. */
async function modified(path: string): Promise<number> {
  return stat(path).then(
    (stats) => stats.mtimeMs,
    () => 0,
  );
}
