import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { type CheckResult, checkResultSchema, type Verdict, verdictSchema } from '../gate/verdict.ts';
import { profileFolder } from '../report-folder.ts';
import { ConfigError } from '../shared/errors.ts';
import { readRegularText } from '../shared/read-regular-file.ts';

/** What a report folder says: its verdict and every check by profile. */
export interface ReadReport {
  readonly verdict: Verdict;
  readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
}

/** Bytes of one file; a report of a thousand scenarios is a tenth of it. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a report folder, which may have come from anywhere.
 * @param folder absolute
 * @throws ConfigError when it is no report, or not of the form that this version writes
 */
export async function readReport(folder: string): Promise<ReadReport> {
  const verdict = await readJson(folder, join(folder, 'verdict.json'), verdictSchema);
  const checks: Record<string, readonly CheckResult[]> = {};
  for (const { profile, slug } of verdict.profiles) {
    if (!/^[a-z0-9-]+$/.test(slug)) {
      throw new ConfigError(`The report names a profile folder that cannot be one: "${slug}".`, {
        place: { file: join(folder, 'verdict.json') },
      });
    }
    checks[profile] = await readJson(
      folder,
      join(profileFolder(folder, slug), 'checks.json'),
      z.array(checkResultSchema),
    );
  }
  return { verdict, checks };
}

async function readJson<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> {
  let content: unknown;
  try {
    content = JSON.parse(await readRegularText(file, MAX_BYTES));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConfigError(
      missing ? whatIsMissing(folder, file) : `The report cannot be read: ${(cause as Error).message}`,
      { place: { file }, hint: 'Name a report folder that a finished run left.', cause },
    );
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(
    `The report is not of this version's form: ${issue?.path.join('.')}: ${issue?.message}`,
    {
      place: { file },
      hint: 'It was written by another version, or edited.',
      cause: parsed.error,
    },
  );
}

function whatIsMissing(folder: string, file: string): string {
  return existsSync(folder)
    ? `The report folder has no ${relative(folder, file)}.`
    : 'There is no such report folder.';
}
