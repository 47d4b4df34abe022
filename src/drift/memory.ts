import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { readRegularText } from '../shared/read-regular-file.ts';

/**
 * What the watcher keeps between runs where it may: validators for conditional requests, each with the few bytes that
 * the answer was boiled down to (commit and tree ids, versions; never content), and since when a source is silent.
 * Losing it costs a few requests and a date, nothing else, so a damaged file is an empty one.
 */
const memorySchema = z.object({
  schema: z.literal(1),
  answers: z.record(z.string(), z.object({ etag: z.string().max(512), digest: z.unknown() })),
  sources: z.record(
    z.string(),
    z.object({
      seen: z.object({ at: z.iso.datetime(), label: z.string() }).optional(),
      unknownSince: z.iso.datetime().optional(),
    }),
  ),
});
export type Memory = z.infer<typeof memorySchema>;

/** More than any plan watches; the oldest go first. */
const MAX_ANSWERS = 200;

export function emptyMemory(): Memory {
  return { schema: 1, answers: {}, sources: {} };
}

/** @param file where it is kept, or `undefined` when it is not */
export async function loadMemory(file: string | undefined): Promise<Memory> {
  if (file === undefined) return emptyMemory();
  try {
    return memorySchema.parse(JSON.parse(await readRegularText(file)));
  } catch {
    return emptyMemory();
  }
}

/** @returns whether it could be kept */
export async function saveMemory(file: string | undefined, memory: Memory): Promise<boolean> {
  if (file === undefined) return false;
  const answers = Object.fromEntries(Object.entries(memory.answers).slice(-MAX_ANSWERS));
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, JSON.stringify({ ...memory, answers }), { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
