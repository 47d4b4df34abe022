import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { MeasurementFault } from '../shared/errors.ts';
import type { Progress } from '../shared/progress.ts';
import {
  BUILDING,
  FILES,
  hashOfText,
  type Inspection,
  inspectEntry,
  LOCK,
  MANIFEST,
  markUsed,
  TRASH,
  TREE,
  USED,
} from './cache-entry.ts';
import { DEFAULT_LIMIT, evict } from './evict.ts';
import { hashTree, strayLinks, treeText } from './hash-tree.ts';
import { type Manifest, sealManifest } from './manifest.ts';
import { throwIfInterrupted } from './run-tool.ts';

/** A lock whose holder was killed is free again after this long; a living holder renews it far more often. */
const LOCK_STALE_MS = 20_000;
const LOCK_POLL_MS = 150;

/** What a build knows of itself; the cache adds the hashes. */
export type Built = Omit<Manifest, 'schema' | 'bytes' | 'files' | 'tree'>;

export interface CacheRequest {
  /** Cache folder; made when it is not there. */
  readonly cache: string;
  /** From entryName. */
  readonly name: string;
  readonly pin: string;
  readonly offline: boolean;
  /** Bytes that all entries together may take. */
  readonly limit?: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /**
   * Makes the tree in an empty folder of ours and tells what it made.
   * @throws MeasurementFault | ConfigError: then nothing is kept
   */
  readonly build: (tree: string) => Promise<Built>;
}

export interface CacheAnswer {
  /** The entry's tree, every byte of it as it was built. */
  readonly tree: string;
  readonly manifest: Manifest;
  readonly cache: 'hit' | 'miss' | 'rebuilt';
}

/**
 * Gives the entry from the cache, or builds it: once, however many ask at the same time. An entry appears under its name
 * only when it is complete, and a damaged one is thrown away, never used.
 * @throws MeasurementFault `referee-unavailable` when it would have to be built and must not or cannot be
 */
export async function fromCache(request: CacheRequest): Promise<CacheAnswer> {
  const folder = join(request.cache, request.name);
  const first = await reuse(folder);
  if (first.state === 'whole') return answer(folder, first.manifest, 'hit');
  if (request.offline) throw offline(request, first.state === 'damaged' ? first.damage : undefined);
  await mkdir(request.cache, { recursive: true });
  const release = await acquire(request);
  try {
    const again = await reuse(folder);
    if (again.state === 'whole') return answer(folder, again.manifest, 'hit');
    if (again.state === 'damaged') {
      request.progress({ kind: 'warning', text: damageText(request, again.damage) });
      await discard(folder, request);
    }
    const manifest = await buildEntry(folder, request);
    await evict(request.cache, {
      limit: request.limit ?? DEFAULT_LIMIT,
      keep: request.name,
      now: new Date(),
    });
    return answer(folder, manifest, again.state === 'damaged' ? 'rebuilt' : 'miss');
  } finally {
    await release();
  }
}

function answer(folder: string, manifest: Manifest, cache: CacheAnswer['cache']): CacheAnswer {
  return { tree: join(folder, TREE), manifest, cache };
}

/** The mark comes before the look, so that whoever tidies up meanwhile sees that the entry is wanted. */
async function reuse(folder: string): Promise<Inspection> {
  await markUsed(folder, new Date());
  return inspectEntry(folder);
}

async function buildEntry(folder: string, request: CacheRequest): Promise<Manifest> {
  const building = await mkdtemp(join(request.cache, `${BUILDING}${request.name}-`));
  try {
    const tree = join(building, TREE);
    await mkdir(tree);
    const built = await request.build(tree);
    throwIfInterrupted(request.signal);
    const hashed = hashTree(tree);
    const stray = strayLinks(tree, hashed.tree);
    if (stray.length > 0) throw unhashable(request, stray);
    const files = treeText(hashed.tree);
    const manifest: Manifest = {
      schema: 1,
      ...built,
      files: hashed.tree.size,
      bytes: hashed.bytes,
      tree: hashOfText(files),
    };
    await writeFile(join(building, FILES), files);
    await writeFile(join(building, MANIFEST), sealManifest(manifest));
    await writeFile(join(building, USED), '');
    return await publish(building, folder, manifest);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** The entry appears whole. When somebody who took our lock over was quicker, theirs is as good: it is checked. */
async function publish(building: string, folder: string, manifest: Manifest): Promise<Manifest> {
  try {
    await rename(building, folder);
    return manifest;
  } catch (error) {
    const there = inspectEntry(folder);
    if (there.state === 'whole') return there.manifest;
    throw error;
  }
}

/** Moved aside first: a half-removed folder under the entry's name would be taken for a damaged one. */
async function discard(folder: string, request: CacheRequest): Promise<void> {
  const trash = await mkdtemp(join(request.cache, `${TRASH}${request.name}-`));
  await rename(folder, join(trash, 'entry'));
  await rm(trash, { recursive: true, force: true });
}

/** Waits until nobody else builds this entry, and tells that it waits. */
async function acquire(request: CacheRequest): Promise<() => Promise<void>> {
  for (let waits = 0; ; waits++) {
    throwIfInterrupted(request.signal);
    try {
      const release = await lockfile.lock(join(request.cache, request.name), {
        realpath: false,
        lockfilePath: join(request.cache, `${LOCK}${request.name}`),
        stale: LOCK_STALE_MS,
        update: LOCK_STALE_MS / 4,
        // Whoever took the lock builds the same thing in a folder of its own: nothing breaks, the first one to end wins.
        onCompromised: () => undefined,
      });
      return () => release().catch(() => undefined);
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') throw error;
    }
    if (waits === 0) {
      request.progress({
        kind: 'step',
        text: `Another run is preparing referee ${request.pin}; waiting for it`,
      });
    }
    await delay(LOCK_POLL_MS, undefined, { signal: request.signal }).catch(() => undefined);
  }
}

function damageText(request: CacheRequest, damage: readonly string[]): string {
  const more = damage.length > 3 ? ` and ${damage.length - 3} more` : '';
  return `The cached referee ${request.pin} is not what was built (${damage.slice(0, 3).join('; ')}${more}); building it again`;
}

function offline(request: CacheRequest, damage: readonly string[] | undefined): MeasurementFault {
  return new MeasurementFault({
    kind: 'referee-unavailable',
    pin: request.pin,
    message:
      damage === undefined
        ? `it is not in the cache ${request.cache}, and --offline forbids fetching it`
        : `its copy in the cache ${request.cache} is damaged (${damage.slice(0, 3).join('; ')}), and --offline forbids fetching it again`,
    remedy: `Run this once with a network: mcp-conformance-gate referee install ${request.pin}`,
  });
}

function unhashable(request: CacheRequest, links: readonly string[]): MeasurementFault {
  return new MeasurementFault({
    kind: 'referee-build-failed',
    pin: request.pin,
    step: 'keep what was built',
    logTail: links
      .slice(0, 20)
      .map((path) => `${path} is a symbolic link that leads out of the tree or nowhere`),
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
