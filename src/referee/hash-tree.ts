import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What a folder holds: path with forward slashes → SHA-256 in hex of a file, or `link:<target>`. Folders are implied. */
export type Tree = Readonly<Record<string, string>>;

/**
 * Hashes every file below a folder. Whoever checks a cached referee waits for this, so it is synchronous on purpose:
 * thousands of small files cost system calls, and the thread pool doubles them (measured: 2,300 files in 35 ms).
 * @returns the tree, and its size in bytes
 * @throws when the folder is not one, or something in it cannot be read
 */
export function hashTree(root: string): { tree: Tree; bytes: number } {
  if (!lstatSync(root).isDirectory()) throw new Error(`${root} is not a folder`);
  const tree: Record<string, string> = Object.create(null);
  let bytes = 0;
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = prefix + entry.name;
      const full = join(folder, entry.name);
      if (entry.isDirectory()) {
        walk(full, `${path}/`);
      } else if (entry.isFile()) {
        const content = readFileSync(full);
        bytes += content.length;
        tree[path] = hash('sha256', content, 'hex');
      } else {
        tree[path] = entry.isSymbolicLink() ? `link:${readlinkSync(full)}` : 'special';
      }
    }
  };
  walk(root, '');
  return { tree, bytes };
}

/**
 * Symbolic links that do not end at something inside the folder: what they lead to is not hashed, so it could change.
 * @returns their paths
 */
export function strayLinks(root: string, tree: Tree): string[] {
  const inside = `${realpathSync(root)}${sep}`;
  return Object.keys(tree).filter((path) => {
    if (!tree[path]?.startsWith('link:')) return false;
    try {
      return !realpathSync(join(root, path)).startsWith(inside);
    } catch {
      return true;
    }
  });
}

/** How two trees differ, as sentences; empty when they are the same. */
export function differences(expected: Tree, found: Tree): string[] {
  const said: string[] = [];
  for (const path of Object.keys(expected)) {
    const now = Object.hasOwn(found, path) ? found[path] : undefined;
    if (now === undefined) said.push(`${path} is missing`);
    else if (now !== expected[path]) said.push(`${path} ${describe(now)}`);
  }
  for (const path of Object.keys(found)) {
    if (!Object.hasOwn(expected, path)) said.push(`${path} was added`);
  }
  return said;
}

function describe(now: string): string {
  if (now.startsWith('link:')) return 'is a symbolic link now';
  return now === 'special' ? 'is no file any more' : 'was changed';
}
