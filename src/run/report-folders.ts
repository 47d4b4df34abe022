import { readdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { Leg } from '../profile.ts';

/** `<scenario>-2026-11-30T18-12-00-760Z`, the time with its colons and points replaced. */
const STAMP = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/**
 * @param folder relative to the raw folder, as the referee named it
 * @param leg server scenarios have `server-` put in front
 * @returns the scenario whose report it holds; undefined when it is no report folder
 */
export function scenarioOfFolder(folder: string, leg: Leg): string | undefined {
  const path = folder.split(sep).join('/');
  if (!STAMP.test(path)) return undefined;
  const name = path.replace(STAMP, '');
  return leg === 'server' ? name.replace(/^server-/, '') : name;
}

/**
 * @param raw the kept raw folder
 * @returns the scenarios that have a complete report in it
 */
export async function scenariosWithReport(raw: string, leg: Leg): Promise<Set<string>> {
  const files = await readdir(raw, { recursive: true }).catch(() => []);
  return new Set(
    files
      .filter((file) => file.endsWith(`${sep}checks.json`))
      .map((file) => scenarioOfFolder(dirname(file), leg))
      .filter((scenario) => scenario !== undefined),
  );
}
