import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../profile.ts';
import { ConfigError } from '../shared/errors.ts';
import type { Baseline } from './baseline.ts';
import { MAX_BASELINE_BYTES, parseBaseline } from './parse.ts';

/** @returns `<dir>/<kind>-<revision>.yaml` */
export function baselineFile(dir: string, profile: Profile): string {
  return join(dir, `${profile.slug}.yaml`);
}

/**
 * Reads a profile's reviewed baseline.
 * @param file absolute path
 * @param profile when given, the file must belong to it
 * @returns the baseline, or `undefined` when there is no such file
 * @throws ConfigError with line and column for anything that is not a valid baseline
 */
export async function loadBaseline(file: string, profile?: Profile): Promise<Baseline | undefined> {
  const text = await readBaseline(file);
  return text === undefined ? undefined : parseBaseline(text, file, profile);
}

/**
 * Reads the text of a baseline, bounded.
 * @returns the text, or `undefined` when there is no such file
 * @throws ConfigError when it is too large, not a file or not UTF-8
 */
export async function readBaseline(file: string): Promise<string | undefined> {
  const start = { file, line: 1, column: 1 };
  let bytes: Buffer;
  try {
    // A pipe under its name is told from a file before anybody waits for it.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ConfigError('The baseline is not a file.', { place: { file } });
    if (stat.size > MAX_BASELINE_BYTES) {
      throw new ConfigError(`The baseline has ${stat.size} bytes; the limit is ${MAX_BASELINE_BYTES}.`, {
        place: start,
        hint: 'A baseline lists single checks; this file holds something else.',
      });
    }
    bytes = await handle.readFile();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`The baseline cannot be read: ${message}`, { place: { file }, cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError('The baseline is not valid UTF-8.', { place: start });
  }
}
