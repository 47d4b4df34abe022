import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Profile } from '../profile.ts';

/** `<scenario>-2026-11-30T18-12-00-760Z`, the time with its colons and points replaced. */
const STAMP = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/**
 * @param raw the kept raw folder
 * @returns the scenarios that have a complete report in it
 */
export async function scenariosWithReport(raw: string, profile: Profile): Promise<Set<string>> {
  const files = await readdir(raw, { recursive: true }).catch(() => []);
  return new Set(
    files
      .filter((file) => file.endsWith(join(sep, 'checks.json')))
      .map((file) => dirname(file).split(sep).join('/').replace(STAMP, ''))
      .map((name) => (profile.leg === 'server' ? name.replace(/^server-/, '') : name)),
  );
}
