import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isScenarioFolder } from './folder-name.ts';

/** No scenario's name nests deeper; a folder that does is not the referee's. */
const MAX_DEPTH = 6;
/** Requirement sets have about fifty scenarios; a hundred thousand folders is not a report. */
const MAX_FOLDERS = 100_000;

export interface ScenarioFolder {
  /** Relative to `raw/`, forward slashes. */
  readonly folder: string;
  readonly hasChecks: boolean;
}

export interface FolderProblem {
  readonly folder: string;
  readonly message: string;
}

/**
 * Finds the scenario folders below `raw/`. Symbolic links are never followed: whoever could plant one could make the
 * judge read another run's reports.
 * @returns the folders, sorted by name, and what could not be listed
 */
export async function listFolders(
  raw: string,
): Promise<{ folders: ScenarioFolder[]; problems: FolderProblem[] }> {
  const folders: ScenarioFolder[] = [];
  const problems: FolderProblem[] = [];

  async function visit(folder: string, depth: number): Promise<void> {
    let entries: import('node:fs').Dirent[];
    try {
      entries = await readdir(join(raw, folder), { withFileTypes: true });
    } catch (error) {
      if (folder === '' && (error as NodeJS.ErrnoException).code === 'ENOENT') return;
      problems.push({ folder, message: `cannot be listed: ${(error as Error).message}` });
      return;
    }
    for (const entry of entries) {
      if (folders.length >= MAX_FOLDERS) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        problems.push({ folder: path, message: 'is a symbolic link; the referee writes none' });
      } else if (entry.isFile()) {
        // checks.json outside of a folder of the referee's form: read it all the same, so that it is reported.
        if (entry.name === 'checks.json' && folder !== '' && !isScenarioFolder(folder)) {
          folders.push({ folder, hasChecks: true });
        }
      } else if (entry.isDirectory()) {
        if (isScenarioFolder(entry.name)) {
          folders.push({ folder: path, hasChecks: await holdsChecks(join(raw, path)) });
        } else if (depth < MAX_DEPTH) {
          await visit(path, depth + 1);
        } else {
          problems.push({ folder: path, message: 'nests deeper than any scenario' });
        }
      }
    }
  }

  await visit('', 0);
  folders.sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0));
  return { folders, problems };
}

async function holdsChecks(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes('checks.json');
}
