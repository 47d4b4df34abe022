import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

export interface FileList {
  /** Absolute paths of what can be uploaded, sorted. */
  readonly files: readonly string[];
  /** Their bytes. */
  readonly size: number;
  /** What cannot, relative to the folder, and why. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** Characters that the artifact service refuses in a path (@actions/artifact, path-and-artifact-name-validation). */
const FORBIDDEN = /[":<>|*?\r\n]/;

/**
 * Everything below a folder that can go into an artifact: readable regular files, hidden ones too. One file that cannot
 * would lose the whole upload, so it is left out and named. Symbolic links are left out: a server under test could plant
 * one that leads to a secret.
 * @param folder absolute; one that does not exist is empty
 */
export async function listFiles(folder: string): Promise<FileList> {
  const files: string[] = [];
  const leftOut: { path: string; why: string }[] = [];
  let size = 0;
  for (const entry of await entriesOf(folder)) {
    const absolute = join(entry.parentPath, entry.name);
    const path = relative(folder, absolute).split(sep).join('/');
    if (entry.isDirectory()) continue;
    const why = await problemOf(absolute, path);
    if (why) leftOut.push({ path, why });
    else {
      files.push(absolute);
      size += (await lstat(absolute)).size;
    }
  }
  return { files: files.sort(), size, leftOut };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function problemOf(absolute: string, path: string): Promise<string | undefined> {
  const stats = await lstat(absolute);
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (!stats.isFile()) return 'it is not a regular file';
  if (FORBIDDEN.test(path)) return 'its name has a character that artifacts may not have';
  try {
    await access(absolute, constants.R_OK);
  } catch {
    return 'it cannot be read';
  }
  return undefined;
}
