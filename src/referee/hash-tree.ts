import { createHash, hash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What a folder holds: path with forward slashes → SHA-256 in hex of a file, or `link:<target>`. Folders are implied. */
export type Tree = ReadonlyMap<string, string>;

/** Nearly every file fits; a larger one is read piece by piece. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * Hashes every file below a folder. Whoever checks a cached referee waits for this, so it is synchronous and reads into one
 * buffer: thousands of small files cost system calls and allocations, not hashing (2,300 files: 45 ms of CPU).
 * @returns the tree in a fixed order, and its size in bytes
 * @throws when the folder is not one, or something in it cannot be read
 */
export function hashTree(root: string): { tree: Tree; bytes: number } {
  if (!lstatSync(root).isDirectory()) throw new Error(`${root} is not a folder`);
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const tree = new Map<string, string>();
  let bytes = 0;
  const walk = (folder: string, prefix: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix + entry.name;
      const full = folder + sep + entry.name;
      if (entry.isDirectory()) {
        walk(full, `${path}/`);
      } else if (entry.isFile()) {
        const file = hashFile(full, buffer);
        bytes += file.bytes;
        tree.set(path, file.hash);
      } else {
        tree.set(path, entry.isSymbolicLink() ? `link:${readlinkSync(full)}` : 'special');
      }
    }
  };
  walk(root, '');
  return { tree, bytes };
}

function hashFile(path: string, buffer: Buffer): { hash: string; bytes: number } {
  const file = openSync(path, 'r');
  try {
    let read = readSync(file, buffer);
    if (read < buffer.length) return { hash: hash('sha256', buffer.subarray(0, read), 'hex'), bytes: read };
    const digest = createHash('sha256');
    let bytes = 0;
    for (; read > 0; read = readSync(file, buffer)) {
      digest.update(buffer.subarray(0, read));
      bytes += read;
    }
    return { hash: digest.digest('hex'), bytes };
  } finally {
    closeSync(file);
  }
}

/** The tree as text, one line a file, the way `sha256sum` writes them: what is compared and kept beside the tree. */
export function treeText(tree: Tree): string {
  let text = '';
  for (const [path, content] of tree) text += `${escaped(content)}  ${escaped(path)}\n`;
  return text;
}

/** @returns what treeText was made from; lines of any other form are left out */
export function parseTreeText(text: string): Tree {
  const lines = text.matchAll(/^([0-9a-f]{64}|special|link:.*?) {2}(.+)$/gm);
  return new Map([...lines].map((line) => [line[2] ?? '', line[1] ?? '']));
}

/** A name may hold anything but a slash; a line end in it must not look like another file. */
function escaped(text: string): string {
  return /[\\\r\n]/.test(text) ? JSON.stringify(text) : text;
}

/**
 * Symbolic links that do not end at something inside the folder: what they lead to is not hashed, so it could change.
 * @returns their paths
 */
export function strayLinks(root: string, tree: Tree): string[] {
  const inside = `${realpathSync(root)}${sep}`;
  return [...tree]
    .filter(([path, content]) => {
      if (!content.startsWith('link:')) return false;
      try {
        return !realpathSync(join(root, path)).startsWith(inside);
      } catch {
        return true;
      }
    })
    .map(([path]) => path);
}

/** How two trees differ, as sentences; empty when they are the same. */
export function differences(expected: Tree, found: Tree): string[] {
  const said: string[] = [];
  for (const [path, content] of expected) {
    const now = found.get(path);
    if (now === undefined) said.push(`${path} is missing`);
    else if (now !== content) said.push(`${path} ${describe(now)}`);
  }
  for (const path of found.keys()) {
    if (!expected.has(path)) said.push(`${path} was added`);
  }
  return said;
}

function describe(now: string): string {
  if (now.startsWith('link:')) return 'is a symbolic link now';
  return now === 'special' ? 'is no file any more' : 'was changed';
}
