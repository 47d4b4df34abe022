import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** More than anything that is read whole; a file beyond it is an accident or an attack. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads a whole file that somebody else may have put there. A pipe or a device under its name would keep a plain read
 * waiting for ever, and a file without an end would take all memory.
 * @param maxBytes the largest size that is read, in bytes
 * @throws as node:fs does, and an Error in plain words when it is no file or too large
 */
export async function readRegularFile(file: string, maxBytes = MOST_BYTES): Promise<Buffer> {
  // Opening a pipe waits for somebody who writes into it, unless one asks not to wait. Windows has neither.
  await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = await handle.stat();
  if (!stat.isFile()) throw new Error(`${file} is not a file`);
  if (stat.size > maxBytes) throw new Error(`${file} has ${stat.size} bytes; the limit is ${maxBytes}`);
  return handle.readFile();
}

/** The same as text; what is not UTF-8 becomes U+FFFD, as node:fs does it. */
export async function readRegularText(file: string, maxBytes?: number): Promise<string> {
  return (await readRegularFile(file, maxBytes)).toString('utf8');
}
