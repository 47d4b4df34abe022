import { join } from 'node:path';
import type { Pin, RefereePlan } from '../config/plan.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { packageRoot } from '../shared/package-root.ts';
import type { Progress } from '../shared/progress.ts';
import { type Built, type CacheAnswer, fromCache } from './cache.ts';
import { entryName } from './cache-entry.ts';
import { INSTALLED_ROOT, installNpmPin } from './install-npm-pin.ts';
import { learnAbilities } from './learn-abilities.ts';
import { findLock, type PinLock } from './lock.ts';
import type { Manifest } from './manifest.ts';
import type { Referee, RequirementSet } from './referee.ts';
import { requireNode } from './require-node.ts';
import { readRequirementSets } from './requirements.ts';

export interface PrepareIo {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Where the locks of pins that ship with this project lie. */
export function shippedLocks(): string {
  return join(packageRoot(), 'baselines', 'referee');
}

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
  const { tree, manifest, cache } = await npmPin(plan, io);
  const root = join(tree, manifest.root);
  return {
    facts: factsOf(plan, manifest, cache, performance.now() - started),
    root,
    entry: join(root, 'dist', 'index.js'),
    node: process.execPath,
    abilities: {
      requirements: requirementsOf(plan, root),
      requirementsOption: manifest.abilities.requirementsOption,
      serverTimeout: manifest.abilities.serverTimeout,
      specVersion: manifest.abilities.specVersion,
      force: manifest.abilities.force,
      revisions: manifest.abilities.revisions,
    },
  };
}

async function npmPin(plan: RefereePlan, io: PrepareIo): Promise<CacheAnswer> {
  const { pin } = plan;
  if (pin.kind !== 'npm') throw new ConfigError(`${pin.text}: only npm pins can be prepared`);
  const lock = await findLock(pin.version, [plan.locks, shippedLocks()]);
  if (lock === undefined) {
    throw new ConfigError(`No lock for ${pin.text}: its dependencies are not pinned.`, {
      hint: `Resolve them once: mcp-conformance-gate referee pin ${pin.text}`,
    });
  }
  const source = { kind: 'npm', version: pin.version, integrity: lock.integrity, lock: lock.hash } as const;
  return fromCache({
    cache: plan.cache,
    name: entryName(source, system()),
    pin: pin.text,
    offline: plan.offline,
    ...io,
    build: (tree) => buildNpmPin(tree, pin, lock, io),
  });
}

async function buildNpmPin(
  tree: string,
  pin: Extract<Pin, { kind: 'npm' }>,
  lock: PinLock,
  io: PrepareIo,
): Promise<Built> {
  const started = performance.now();
  io.progress({ kind: 'step', text: `Installing referee ${pin.text}` });
  await installNpmPin(tree, pin.text, lock, { node: process.execPath, signal: io.signal });
  const entry = join(tree, INSTALLED_ROOT, 'dist', 'index.js');
  return {
    version: pin.version,
    integrity: lock.integrity,
    lock: lock.hash,
    node: process.version,
    builtAt: new Date().toISOString(),
    root: INSTALLED_ROOT,
    abilities: await learnAbilities(entry, pin.text, { node: process.execPath, signal: io.signal }),
    buildMs: Math.round(performance.now() - started),
  };
}

function system() {
  return { node: process.version, platform: process.platform, arch: process.arch };
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
function requirementsOf(plan: RefereePlan, root: string): RequirementSet[] {
  try {
    return readRequirementSets(root);
  } catch (error) {
    throw new MeasurementFault(
      {
        kind: 'referee-build-failed',
        pin: plan.pin.text,
        step: 'read its requirement sets',
        logTail: [error instanceof Error ? error.message : String(error)],
      },
      { cause: error },
    );
  }
}
