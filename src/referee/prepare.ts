import { join } from 'node:path';
import type { RefereePlan } from '../config/plan.ts';
import { MeasurementFault } from '../shared/errors.ts';
import { type Built, type CacheAnswer, fromCache } from './cache.ts';
import { entryName } from './cache-entry.ts';
import { withHeartbeat } from './heartbeat.ts';
import { learnAbilities } from './learn-abilities.ts';
import type { Manifest } from './manifest.ts';
import { commitRecipe, npmRecipe, type PrepareIo, type Recipe } from './recipe.ts';
import type { Referee, RequirementSet } from './referee.ts';
import { requireNode } from './require-node.ts';
import { readRequirementSets } from './requirements.ts';

/**
 * Makes the pinned referee runnable: out of the cache when every byte of it is still what was built, built anew
 * otherwise (DESIGN.md section 9).
 * @returns the referee and how it came to be
 * @throws ConfigError when the pin names nothing that can be installed exactly
 * @throws MeasurementFault `referee-unavailable`, `referee-integrity`, `referee-build-failed`, `interrupted`
 */
export async function prepareReferee(plan: RefereePlan, io: PrepareIo): Promise<Referee> {
  const started = performance.now();
  requireNode(process.versions.node);
  const answer = await fromCacheOrBuilt(plan, io);
  return refereeOf(plan, answer, performance.now() - started);
}

/** @param prepareMs how long it took to have it */
export function refereeOf(
  plan: RefereePlan,
  { tree, manifest, cache }: CacheAnswer,
  prepareMs: number,
): Referee {
  const root = join(tree, manifest.root);
  return {
    facts: factsOf(plan, manifest, cache, prepareMs),
    root,
    entry: join(root, 'dist', 'index.js'),
    node: process.execPath,
    abilities: manifest.abilities,
  };
}

async function fromCacheOrBuilt(plan: RefereePlan, io: PrepareIo): Promise<CacheAnswer> {
  const pin = plan.pin.text;
  try {
    const recipe = await recipeFor(plan, io);
    return await fromCache({
      cache: plan.cache,
      name: entryOf(recipe),
      pin,
      offline: plan.offline,
      ...io,
      build: (folder) => buildEntry(folder, recipe, pin, io),
    });
  } catch (error) {
    throw isSystemError(error) ? systemFault(pin, error) : error;
  }
}

/** A full disk, a folder that may not be written to: nothing that the user wrote is wrong, and nothing in the code. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function systemFault(pin: string, cause: Error): MeasurementFault {
  const remedy =
    'Make room, or give a folder that can be written to: --cache DIR, and TMPDIR for temporary files.';
  return new MeasurementFault(
    { kind: 'referee-unavailable', pin, message: cause.message, remedy },
    { cause },
  );
}

/** How the plan's pin becomes a tree. @throws ConfigError when it names nothing that can be installed exactly */
export function recipeFor(plan: RefereePlan, io: PrepareIo): Promise<Recipe> {
  return plan.pin.kind === 'npm' ? npmRecipe(plan, plan.pin, io) : commitRecipe(plan, plan.pin, io);
}

/** Name of the cache entry that a recipe makes on this machine. */
export function entryOf(recipe: Pick<Recipe, 'source'>): string {
  return entryName(recipe.source, {
    node: process.version,
    platform: process.platform,
    arch: process.arch,
  });
}

/** Makes the tree and lets the referee in it say what it can do. */
export async function buildEntry(tree: string, recipe: Recipe, pin: string, io: PrepareIo): Promise<Built> {
  const started = performance.now();
  const { root, ...made } = await withHeartbeat(io.progress, (progress) => recipe.make(tree, progress));
  const requirements = requirementsOf(pin, join(tree, root));
  const ask = { node: process.execPath, signal: io.signal };
  return {
    ...made,
    root,
    node: process.version,
    abilities: { requirements, ...(await learnAbilities(join(tree, root), pin, ask)) },
    builtAt: new Date().toISOString(),
    buildMs: Math.round(performance.now() - started),
  };
}

function factsOf(
  plan: RefereePlan,
  manifest: Manifest,
  cache: CacheAnswer['cache'],
  prepareMs: number,
): Referee['facts'] {
  return {
    pin: plan.pin.text,
    ...(manifest.version === undefined ? {} : { version: manifest.version }),
    ...(manifest.integrity === undefined ? {} : { integrity: manifest.integrity }),
    ...(manifest.commit === undefined ? {} : { commit: manifest.commit }),
    lock: manifest.lock,
    node: process.version,
    cache,
    prepareMs: Math.round(prepareMs),
    buildMs: manifest.buildMs,
  };
}

/** A set that cannot be understood must not pass for one that requires nothing. */
function requirementsOf(pin: string, root: string): RequirementSet[] {
  try {
    return readRequirementSets(root);
  } catch (error) {
    throw new MeasurementFault(
      {
        kind: 'referee-build-failed',
        pin,
        step: 'read its requirement sets',
        logTail: [error instanceof Error ? error.message : String(error)],
      },
      { cause: error },
    );
  }
}
