import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notScoredSchema } from '../run/metadata.ts';

const hex = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const requirementSetSchema = z.object({
  revision: z.string(),
  server: z.array(z.string()).readonly(),
  client: z.array(z.string()).readonly(),
  notScored: z.array(notScoredSchema.extend({ leg: z.enum(['server', 'client']) })).readonly(),
  hash: hex,
});

/** What a referee said it can do when it was built; kept with it, so that a cached one need not be asked again. */
export const abilitiesSchema = z.object({
  /** `server --requirements` and `client --requirements` exist. */
  requirementsOption: z.object({ server: z.boolean(), client: z.boolean() }),
  serverTimeout: z.boolean(),
  specVersion: z.boolean(),
  force: z.boolean(),
  /** Its frozen requirement sets, read from the tree when it was built: reading YAML anew costs more than it tells. */
  requirements: z.array(requirementSetSchema),
  /** Dated revisions that its scenario list names. */
  revisions: z.array(z.string()),
  /** engines.node of its package.json. */
  nodeRange: z.string().optional(),
});
export type Abilities = z.infer<typeof abilitiesSchema>;

/** manifest.json of one cache entry: what was built, from what, and the hash over all of its files. */
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
  files: z.number(),
  bytes: z.number(),
  /** `sha256:…` of files.sha256, which holds the hash of every file. */
  tree: hex,
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
