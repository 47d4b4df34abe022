import { createHash } from 'node:crypto';
import { z } from 'zod';

const hex = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** What a referee said it can do when it was built; kept with it, so that a cached one need not be asked again. */
export const abilitiesSchema = z.object({
  /** `server --requirements` and `client --requirements` exist. */
  requirementsOption: z.object({ server: z.boolean(), client: z.boolean() }),
  serverTimeout: z.boolean(),
  specVersion: z.boolean(),
  force: z.boolean(),
  /** Dated revisions that its scenario list names. */
  revisions: z.array(z.string()),
  /** engines.node of its package.json. */
  nodeRange: z.string().optional(),
});
export type Abilities = z.infer<typeof abilitiesSchema>;

/** manifest.json of one cache entry: what was built, from what, and the hash of every file. */
export const manifestSchema = z.object({
  schema: z.literal(1),
  version: z.string().optional(),
  integrity: z.string().optional(),
  commit: z.string().optional(),
  lock: hex,
  /** The Node that built it. */
  node: z.string(),
  builtAt: z.iso.datetime(),
  buildMs: z.number(),
  /** The referee's package folder, relative to `tree/`. */
  root: z.string(),
  abilities: abilitiesSchema,
  bytes: z.number(),
  files: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

const sealedSchema = z.object({ hash: hex, manifest: z.unknown() });

/** The manifest as a file's text, sealed with its own hash: a flipped byte in the manifest must show like any other. */
export function sealManifest(manifest: Manifest): string {
  return `${JSON.stringify({ hash: sealOf(manifest), manifest })}\n`;
}

/** @returns the manifest, or `undefined` when the text is not one that sealManifest wrote */
export function openManifest(text: string): Manifest | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const sealed = sealedSchema.safeParse(json);
  if (!sealed.success || sealOf(sealed.data.manifest) !== sealed.data.hash) return undefined;
  const manifest = manifestSchema.safeParse(sealed.data.manifest);
  return manifest.success ? manifest.data : undefined;
}

/** JSON keeps the order of keys when it is read, so the text that was hashed can be had again. */
function sealOf(manifest: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(manifest)).digest('hex')}`;
}
