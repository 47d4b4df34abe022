import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REFEREE_PACKAGE } from './known-pins.ts';
import type { PinLock } from './lock.ts';
import { type NpmIo, npmCi } from './npm-ci.ts';

/** Where the referee's package lies in a tree that was installed from a lock. */
export const INSTALLED_ROOT = `node_modules/${REFEREE_PACKAGE}`;

/**
 * Installs an npm pin from its lock into an empty folder and leaves there only what it takes to run it.
 * @throws MeasurementFault from npmCi
 */
export async function installNpmPin(tree: string, pin: string, lock: PinLock, io: NpmIo): Promise<void> {
  const root = lock.content.packages[''];
  await writeFile(join(tree, 'package.json'), JSON.stringify({ ...root, private: true }, null, 2));
  await writeFile(join(tree, 'package-lock.json'), JSON.stringify(lock.content, null, 2));
  await npmCi(tree, pin, { dev: false, binLinks: false }, io);
  await trimModules(join(tree, 'node_modules'), INSTALLED_ROOT.split('/').slice(1));
}

/** What Node never loads from node_modules: type declarations and sources (it refuses to strip types there), source maps. */
const NOT_LOADED = /\.([cm]?ts|map)$/;

/**
 * Removes from node_modules what no run can load, and npm's own notes: half of all files, so that checking the rest on
 * each reuse is quick.
 * @param spare path of one package below it that stays whole
 */
export async function trimModules(modules: string, spare: readonly string[] = []): Promise<void> {
  for (const name of ['.package-lock.json', '.bin']) {
    await rm(join(modules, name), { recursive: true, force: true });
  }
  await trim(modules, spare);
}

async function trim(folder: string, spare: readonly string[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === spare[0]) {
        if (spare.length > 1) await trim(path, spare.slice(1));
      } else {
        await trim(path, []);
      }
    } else if (NOT_LOADED.test(entry.name)) {
      await rm(path);
    }
  }
}
