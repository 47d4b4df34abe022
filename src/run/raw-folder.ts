import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Redactor } from '../shared/redact.ts';

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
 */
export async function openRawFolder(kept: string, redactor: Redactor): Promise<RawFolder> {
  await mkdir(kept, { recursive: true });
  if (!redactor.active) {
    return { output: kept, saved: () => undefined, finish: async () => undefined };
  }
  const output = await mkdtemp(join(tmpdir(), 'mcp-conformance-raw-'));
  let work: Promise<unknown> = Promise.resolve();
  const keep = (folder: string): Promise<void> =>
    copyRedacted(folder, join(kept, relative(output, folder)), redactor);
  return {
    output,
    saved(folder) {
      const inside = relative(output, folder);
      // The path comes from the referee's output, which the server can write into.
      if (inside === '' || inside.startsWith('..')) return;
      work = work.then(() => keep(folder)).catch(() => undefined);
    },
    async finish() {
      await work;
      try {
        await keep(output);
      } finally {
        await rm(output, { recursive: true, force: true });
      }
    },
  };
}

async function copyRedacted(from: string, to: string, redactor: Redactor): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, basename(entry.name));
    if (entry.isDirectory()) await copyRedacted(source, target, redactor);
    if (!entry.isFile()) continue;
    const text = await readFile(source, 'utf8');
    const clean = extname(entry.name) === '.json' ? redactor.json(text) : redactor.text(text);
    await writeFileAtomic(target, clean);
  }
}
