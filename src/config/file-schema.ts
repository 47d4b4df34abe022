import { z } from 'zod';
import { parseDuration } from './duration.ts';

/** The configuration file (DESIGN.md section 4). Every key is optional; unknown keys are refused. */

const duration = z
  .union([z.string(), z.number()], { error: 'expected a time such as 60s' })
  .transform((value, context) => {
    const parsed = parseDuration(String(value));
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `"${value}" is no length of time; write 500ms, 60s or 5m` });
    return z.NEVER;
  });

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const env = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'not the name of an environment variable'),
  scalar,
);
const count = z.int().min(1);

const ready = z.strictObject({
  timeout: duration.optional(),
  name: z.string().min(1).optional(),
  'health-url': z.string().min(1).optional(),
});

export const serverSchema = z.strictObject({
  command: z.string().min(1).optional(),
  'stdio-command': z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  'url-from-log': z
    .string()
    .min(1)
    .refine(isRegexWithGroup, 'needs to be a regular expression with one group, which is the URL')
    .optional(),
  'url-file': z.string().min(1).optional(),
  cwd: z.string().min(1).optional(),
  env: env.optional(),
  ready: ready.optional(),
  headers: z.record(z.string().min(1), z.string()).optional(),
  boundary: z.enum(['observe', 'required']).optional(),
});
export type ServerSection = z.infer<typeof serverSchema>;

export const clientSchema = z.strictObject({
  command: z.string().min(1).optional(),
  cwd: z.string().min(1).optional(),
  env: env.optional(),
});
export type ClientSection = z.infer<typeof clientSchema>;

const profileOverride = z.strictObject({ server: serverSchema.optional(), client: clientSchema.optional() });

const watch = z.union([
  z.enum(['referee', 'spec']),
  z.strictObject({
    'github-release': z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'),
    tags: z.string().optional(),
  }),
  z.strictObject({ npm: z.string().min(1), tag: z.string().optional() }),
  z.strictObject({
    branch: z.string().regex(/^[\w.-]+\/[\w.-]+(@.+)?$/, 'expected owner/name or owner/name@branch'),
    paths: z.array(z.string()).optional(),
  }),
]);

const ownership = z.strictObject({
  when: z.array(z.string().min(1)).min(1),
  paths: z.array(z.string()).default([]),
  checks: z.array(z.string()).default([]),
});

export const fileSchema = z.strictObject({
  name: z.string().min(1).optional(),
  referee: z.string().min(1).optional(),
  'referee-repository': z.string().min(1).optional(),
  baselines: z.string().min(1).optional(),
  output: z.string().min(1).optional(),
  cache: z.string().min(1).optional(),
  confirm: z.int().min(0).optional(),
  jobs: count.optional(),
  'strict-infrastructure': z.boolean().optional(),
  'ready-timeout': duration.optional(),
  'scenario-timeout': duration.optional(),
  'profile-timeout': duration.optional(),
  'run-timeout': duration.optional(),
  server: serverSchema.optional(),
  client: clientSchema.optional(),
  profiles: z
    .array(z.union([z.string(), z.record(z.string(), profileOverride)]))
    .min(1)
    .optional(),
  watch: z.array(watch).optional(),
  ownership: z.array(ownership).optional(),
});
export type ConfigFile = z.infer<typeof fileSchema>;

function isRegexWithGroup(text: string): boolean {
  try {
    return new RegExp(`${text}|`).exec('')?.length === 2;
  } catch {
    return false;
  }
}
