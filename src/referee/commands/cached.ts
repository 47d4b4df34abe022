import { join } from 'node:path';
import type { RefereePlan } from '../../config/plan.ts';
import { inspectEntry, TREE } from '../cache-entry.ts';
import { entryOf, refereeOf } from '../prepare.ts';
import { npmRecipe, type PrepareIo } from '../recipe.ts';
import type { Referee } from '../referee.ts';

/**
 * The pinned referee as it lies in the cache. Builds and starts nothing, asks no network and leaves a damaged entry where it
 * is; a `path:` checkout is not looked at, since its commit alone says which referee it is.
 * @returns the referee, or why the cache does not give it
 * @throws ConfigError when the pin names nothing that can be installed exactly
 */
export async function cachedReferee(
  plan: RefereePlan,
  io: PrepareIo,
): Promise<Referee | 'absent' | 'damaged'> {
  const started = performance.now();
  const { pin } = plan;
  const source =
    pin.kind === 'npm'
      ? (await npmRecipe({ ...plan, offline: true }, pin, io)).source
      : ({ kind: 'commit', commit: pin.commit } as const);
  const folder = join(plan.cache, entryOf({ source }));
  const found = inspectEntry(folder);
  if (found.state !== 'whole') return found.state;
  const answer = { tree: join(folder, TREE), manifest: found.manifest, cache: 'hit' } as const;
  return refereeOf(plan, answer, performance.now() - started);
}
