import { unzipSync } from 'fflate';
import { z } from 'zod';
import { type CheckResult, checkResultSchema, type Verdict, verdictSchema } from '../../gate/verdict.ts';
import { type TrendPoint, trendPointSchema } from '../publication.ts';

export interface KeptReport {
  readonly verdict: Verdict;
  readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
  /** Points up to and including that run; empty when its artifact has none. */
  readonly trend: readonly TrendPoint[];
}

/** Bytes of one unpacked file, and number of profiles, that are still read: an artifact is data from outside. */
const LARGEST = 64 * 1024 * 1024;
const MOST_PROFILES = 200;

/**
 * Reads what a comparison needs out of an artifact of an earlier run, in memory; nothing is unpacked to disk.
 * @throws Error when it is not one of our reports, or one of another format
 */
export function readReportZip(zip: Uint8Array): KeptReport {
  let profiles = 0;
  const files = unzipSync(zip, {
    filter: ({ name, originalSize }) => {
      const path = name.replace(/^\//, '');
      if (originalSize > LARGEST) return false;
      if (/^profiles\/[^/]+\/checks\.json$/.test(path)) return ++profiles <= MOST_PROFILES;
      return path === 'verdict.json' || path === 'trend.json';
    },
  });
  const read = (path: string): unknown => {
    const data = files[path] ?? files[`/${path}`];
    return data === undefined ? undefined : JSON.parse(Buffer.from(data).toString('utf8'));
  };
  const verdict = parse(verdictSchema, read('verdict.json'), 'verdict.json');
  const checks = Object.fromEntries(
    verdict.profiles.map(({ profile, slug }) => [
      profile,
      parse(
        z.array(checkResultSchema),
        read(`profiles/${slug}/checks.json`) ?? [],
        `profiles/${slug}/checks.json`,
      ),
    ]),
  );
  const trend = z.array(trendPointSchema).safeParse(read('trend.json') ?? []);
  return { verdict, checks, trend: trend.success ? trend.data : [] };
}

function parse<T extends z.ZodType>(schema: T, value: unknown, file: string): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(
    `${file} is not of this version's format (${issue?.path.join('.') || 'top'}: ${issue?.message})`,
  );
}
