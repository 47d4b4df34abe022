import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { ConfigError } from '../shared/errors.ts';
import { readRegularText } from '../shared/read-regular-file.ts';

/**
 * `baselines/upstream.json`: where each watched source stood when a person last adopted it. Written by
 * `drift --adopt` alone; a run in CI only reads it.
 */

const adopted = z.iso.date();
const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

export const sourceStateSchema = z.discriminatedUnion('kind', [
  /** `pin`: what the gate ran with. `newest`: the newest candidate seen at adoption; a person who adopts without changing the pin passes it over. */
  z.strictObject({ kind: z.literal('referee'), adopted, pin: z.string(), newest: z.string() }),
  /** `paths`: tree ids of the gated revisions' folders. `revisions`: dated folders under schema/. */
  z.strictObject({
    kind: z.literal('spec'),
    adopted,
    commit,
    revisions: z.array(z.string()),
    paths: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    kind: z.literal('github-release'),
    adopted,
    tag: z.string(),
    published: z.iso.datetime().optional(),
  }),
  z.strictObject({ kind: z.literal('npm'), adopted, version: z.string() }),
  z.strictObject({ kind: z.literal('branch'), adopted, branch: z.string(), commit }),
]);
export type SourceState = z.infer<typeof sourceStateSchema>;
export type SourceStateOf<K extends SourceState['kind']> = Extract<SourceState, { kind: K }>;

export const upstreamSchema = z.strictObject({
  schema: z.literal(1),
  sources: z.record(z.string(), sourceStateSchema),
});
export type Upstream = z.infer<typeof upstreamSchema>;

/** @param baselines folder of baselines of the plan, absolute */
export function upstreamFile(baselines: string): string {
  return join(baselines, 'upstream.json');
}

/**
 * @returns what was adopted, or `undefined` when nothing was yet
 * @throws ConfigError when the file is not of the format; a person keeps it, so a person mends it
 */
export async function loadUpstream(file: string): Promise<Upstream | undefined> {
  let text: string;
  try {
    text = await readRegularText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read`, { place: { file }, cause: error });
  }
  const hint = 'Mend it, or delete it and run `mcp-conformance-gate drift --adopt` to write it anew.';
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${(error as Error).message}`, {
      place: { file },
      hint,
      cause: error,
    });
  }
  const parsed = upstreamSchema.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'the file';
    throw new ConfigError(`${file}: ${where}: ${issue?.message ?? 'not of the format'}`, {
      place: { file },
      hint,
    });
  }
  return parsed.data;
}

/** Sorted keys, two spaces, LF: the same state gives the same bytes. */
export function formatUpstream(upstream: Upstream): string {
  return `${JSON.stringify(sorted(upstream), null, 2)}\n`;
}

/** Written atomically, so that a reader never sees half of it. */
export async function saveUpstream(file: string, upstream: Upstream): Promise<void> {
  await writeFileAtomic(file, formatUpstream(upstream));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
