import { join } from 'node:path';
import type { RefereePlan } from '../../config/plan.ts';
import { inspectEntry, TREE } from '../cache-entry.ts';
import { entryOf, recipeFor, refereeOf } from '../prepare.ts';
import type { PrepareIo } from '../recipe.ts';
import type { Referee } from '../referee.ts';

/**
 * The pinned referee as it lies in the cache. Builds nothing, asks no network and leaves a damaged entry where it is.
 * @returns the referee, or `undefined` when the cache does not hold it whole
 * @throws ConfigError when the pin names nothing that can be installed exactly
 */
export async function cachedReferee(plan: RefereePlan, io: PrepareIo): Promise<Referee | undefined> {
  const started = performance.now();
  const folder = join(plan.cache, entryOf(await recipeFor({ ...plan, offline: true }, io)));
  const found = inspectEntry(folder);
  if (found.state !== 'whole') return undefined;
  const answer = { tree: join(folder, TREE), manifest: found.manifest, cache: 'hit' } as const;
  return refereeOf(plan, answer, performance.now() - started);
}
