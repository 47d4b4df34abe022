import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Leg } from '../profile.ts';
import { temporaryFolder } from '../shared/reaper.ts';
import type { Redactor } from '../shared/redact.ts';
import { scenarioOfFolder } from './report-folders.ts';

/** Where the referee writes its reports, and where they are kept. */
export interface RawFolder {
  /** The referee's `-o`. */
  readonly output: string;
  /** A report folder is complete: keep it now, so that it survives whatever comes. */
  saved(folder: string): void;
  /** Keeps everything that is still missing. */
  finish(): Promise<void>;
}

/**
 * Without secrets the referee writes straight into the kept folder. With secrets it writes into a private temporary folder,
 * and what is kept are redacted copies: the raw bytes never lie in the report folder, not even for a moment.
 * @param kept absolute; created
 * @param belongs when given, only reports of these scenarios are kept
 */
export async function openRawFolder(
  kept: string,
  leg: Leg,
  redactor: Redactor,
  belongs?: (scenario: string) => boolean,
): Promise<RawFolder> {
  await mkdir(kept, { recursive: true });
  if (!redactor.active && belongs === undefined) {
    return { output: kept, saved: () => undefined, finish: async () => undefined };
  }
  // Removed even when the gate is killed: the unredacted reports must not outlive it.
  const output = temporaryFolder('raw-');
  let work: Promise<unknown> = Promise.resolve();
  const keep = (): Promise<void> => copyReports(output, kept, leg, redactor, belongs);
  return {
    output,
    saved(folder) {
      const inside = relative(output, folder);
      // The path comes from the referee's output, which the server can write into.
      if (inside === '' || inside.split(sep).includes('..')) return;
      const scenario = scenarioOfFolder(inside, leg);
      if (belongs !== undefined && (scenario === undefined || !belongs(scenario))) return;
      work = work.then(() => copyFolder(folder, join(kept, inside), redactor)).catch(() => undefined);
    },
    async finish() {
      await work;
      try {
        await keep();
      } finally {
        await rm(output, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Copies report folders from one raw folder to another.
 * @param belongs which scenarios; all when absent
 */
export async function copyReports(
  from: string,
  to: string,
  leg: Leg,
  redactor: Redactor,
  belongs?: (scenario: string) => boolean,
): Promise<void> {
  for (const folder of await reportFolders(from)) {
    const scenario = scenarioOfFolder(folder, leg);
    if (belongs !== undefined && (scenario === undefined || !belongs(scenario))) continue;
    await copyFolder(join(from, folder), join(to, folder), redactor);
  }
}

/** Folders that carry a time stamp; names of client scenarios hold slashes, so they lie at different depths. */
async function reportFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((folder) => scenarioOfFolder(folder, 'client') !== undefined);
}

async function copyFolder(from: string, to: string, redactor: Redactor): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (!entry.isFile()) continue;
    if (!redactor.active) {
      await copyFile(source, target);
      continue;
    }
    const text = await readFile(source, 'utf8');
    await writeFileAtomic(
      target,
      extname(entry.name) === '.json' ? redactor.json(text) : redactor.text(text),
    );
  }
}
