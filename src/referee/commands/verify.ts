import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RefereePlan } from '../../config/plan.ts';
import { inspectEntry, readFiles, TREE } from '../cache-entry.ts';
import { differences, hashTree } from '../hash-tree.ts';
import { buildEntry, entryOf, recipeFor } from '../prepare.ts';
import type { PrepareIo } from '../recipe.ts';

export interface RefereeVerification {
  readonly pin: string;
  readonly folder: string;
  /** `whole`: every byte of the cached referee is what was built. */
  readonly state: 'whole' | 'damaged' | 'absent';
  readonly damage: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly tookMs: number;
  /** With `again`: how a build made just now differs from the cached one; empty when they are the same. */
  readonly again?: readonly string[];
}

/**
 * Compares the cached referee with its manifest and, when asked, with a second build from the pin: whoever could rewrite
 * a file of the cache could rewrite the manifest too, and only building again tells.
 * @param options.again build once more and compare; needs the network
 * @throws ConfigError | MeasurementFault from building again
 */
export async function verifyReferee(
  plan: RefereePlan,
  options: { readonly again: boolean },
  io: PrepareIo,
): Promise<RefereeVerification> {
  const started = performance.now();
  const recipe = await recipeFor(plan, io);
  const folder = join(plan.cache, entryOf(recipe));
  const found = inspectEntry(folder);
  const tookMs = Math.round(performance.now() - started);
  const result = {
    pin: plan.pin.text,
    folder,
    state: found.state,
    damage: found.state === 'damaged' ? found.damage : [],
    files: found.state === 'whole' ? found.manifest.files : 0,
    bytes: found.state === 'whole' ? found.manifest.bytes : 0,
    tookMs,
  };
  if (!options.again || found.state !== 'whole') return result;
  const fresh = await mkdtemp(join(tmpdir(), 'mcp-referee-again-'));
  try {
    const tree = join(fresh, 'tree');
    await mkdir(tree);
    await buildEntry(tree, recipe, plan.pin.text, io);
    const kept = readFiles(folder, found.manifest) ?? hashTree(join(folder, TREE)).tree;
    return { ...result, again: differences(hashTree(tree).tree, kept) };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
