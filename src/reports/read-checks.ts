import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { isDeeper } from '../shared/is-deeper.ts';
import { type Check, checkSchema } from './report.ts';

/** The largest report on record has 120 kB; a file beyond this is an attack or an accident, and is not read. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024;

/** Real reports nest to about twenty; everything after this point may recurse over a report without fear for its stack. */
const MAX_DEPTH = 200;

/** A pipe under the name of a report must not keep the reader waiting, nor a link lead it elsewhere. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const utf8 = new TextDecoder('utf-8', { fatal: true });

export type ChecksFile =
  | { readonly ok: true; readonly checks: Check[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one checks.json. Everything in it comes from the referee and, through it, from the target: size, encoding, JSON
 * and shape are checked before any of it is used.
 * @param file absolute path; a symbolic link is refused
 */
export async function readChecks(file: string): Promise<ChecksFile> {
  let bytes: Buffer;
  try {
    const handle = await open(file, FLAGS);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return problem('is not a file');
      if (stat.size > MAX_REPORT_BYTES) {
        return problem(`has ${stat.size} bytes; more than ${MAX_REPORT_BYTES} are not read`);
      }
      bytes = await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return problem(code === 'ELOOP' ? 'is a symbolic link; the referee writes none' : message);
  }
  return parseChecks(bytes);
}

/** @param bytes the file's content */
export function parseChecks(bytes: Uint8Array): ChecksFile {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return problem('is not valid UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return problem(`is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) return problem('is not an array of checks');
  if (isDeeper(value, MAX_DEPTH)) return problem(`nests deeper than ${MAX_DEPTH} levels`);
  const checks: Check[] = [];
  for (const [index, element] of value.entries()) {
    const parsed = checkSchema.safeParse(element);
    if (!parsed.success) return problem(`check ${index + 1}: ${z.prettifyError(parsed.error)}`);
    // The parsed copy lacks members that zod drops for safety (`__proto__`); they are evidence all the same.
    checks.push({ ...(element as object), ...parsed.data });
  }
  return { ok: true, checks };
}

const problem = (message: string): ChecksFile => ({ ok: false, message });
