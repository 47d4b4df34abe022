import { createHash, hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { differences, hashTree, parseTreeText, type Tree, treeText } from './hash-tree.ts';
import { type Manifest, openManifest } from './manifest.ts';

/** What a cache entry is found by. A commit fixes its lock; an npm version does not. */
export type CacheSource =
  | { readonly kind: 'npm'; readonly version: string; readonly integrity: string; readonly lock: string }
  | { readonly kind: 'commit'; readonly commit: string };

const FORMAT = 1;
const ENTRY = /^(npm|commit)-[\w.+-]+-[0-9a-f]{16}$/;

/** Name of the entry's folder: readable in front, and behind it the hash of everything that makes it this one. */
export function entryName(
  source: CacheSource,
  system: { readonly node: string; readonly platform: string; readonly arch: string },
): string {
  const key = JSON.stringify([
    FORMAT,
    ...(source.kind === 'npm'
      ? ['npm', source.version, source.integrity, source.lock]
      : ['commit', source.commit]),
    system.node.replace(/^v?(\d+).*$/, '$1'),
    system.platform,
    system.arch,
  ]);
  const readable = source.kind === 'npm' ? `npm-${source.version}` : `commit-${source.commit.slice(0, 12)}`;
  return `${readable}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Whether a folder's name is one that entryName made: nothing else in the cache folder is ours to remove. */
export function isEntryName(name: string): boolean {
  return ENTRY.test(name);
}

/** What an entry holds: the installed tree, the hashes of its files, its manifest, and a mark that tells its last use. */
export const TREE = 'tree';
export const FILES = 'files.sha256';
export const MANIFEST = 'manifest.json';
export const USED = 'used';

/** Beginnings of names in the cache folder that are no entries: being built, being removed, somebody's lock. */
export const BUILDING = '.building-';
export const TRASH = '.trash-';
export const LOCK = '.lock-';

export type Inspection =
  | { readonly state: 'absent' }
  | { readonly state: 'whole'; readonly manifest: Manifest }
  /** Not what was built; `damage` says how, in sentences. */
  | { readonly state: 'damaged'; readonly damage: readonly string[] };

/** @returns the manifest of an entry, itself checked, its files not; `undefined` when there is none that can be read */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return openManifest(readOwn(join(folder, MANIFEST)));
  } catch {
    return undefined;
  }
}

/**
 * Checks every byte of a cache entry against its manifest. Size and time of a file say nothing about tampering, so they
 * are not looked at.
 */
export function inspectEntry(folder: string): Inspection {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { state: 'absent' };
    return { state: 'damaged', damage: [sentence(error)] };
  }
  // Node looks for packages in the folders above too, so a stray one beside the tree could be loaded.
  const stray = names.filter((name) => ![TREE, FILES, MANIFEST, USED].includes(name));
  if (stray.length > 0) return { state: 'damaged', damage: stray.map((name) => `${name} was added`) };
  try {
    const manifest = readManifest(folder);
    if (manifest === undefined)
      return { state: 'damaged', damage: [`${MANIFEST} is missing or was changed`] };
    const found = hashTree(join(folder, TREE)).tree;
    if (hashOfText(treeText(found)) === manifest.tree) return { state: 'whole', manifest };
    return { state: 'damaged', damage: damageOf(readFiles(folder, manifest), found) };
  } catch (error) {
    return { state: 'damaged', damage: [sentence(error)] };
  }
}

/** @throws when it is no file: a pipe would keep us waiting */
function readOwn(file: string): string {
  if (!lstatSync(file).isFile()) throw new Error(`${file} is not a file`);
  return readFileSync(file, 'utf8');
}

/** What the entry should hold; `undefined` when the list of it was changed too. */
export function readFiles(folder: string, manifest: Manifest): Tree | undefined {
  try {
    const text = readOwn(join(folder, FILES));
    return hashOfText(text) === manifest.tree ? parseTreeText(text) : undefined;
  } catch {
    return undefined;
  }
}

function damageOf(expected: Tree | undefined, found: Tree): string[] {
  const said = expected === undefined ? [`${FILES} is missing or was changed`] : differences(expected, found);
  return said.length > 0 ? said : ['its files do not have the hash of its manifest'];
}

/** `sha256:…` of a text. */
export function hashOfText(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

/** Notes that an entry is in use now. A cache that cannot be written to is still good for reading. */
export async function markUsed(folder: string, now: Date): Promise<void> {
  const mark = join(folder, USED);
  try {
    await utimes(mark, now, now);
  } catch {
    await writeFile(mark, '').catch(() => undefined);
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
