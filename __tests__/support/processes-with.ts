import { readdir, readFile } from 'node:fs/promises';

/**
 * Command lines of the running processes that carry a text, in their arguments or their environment. A test gives its own
 * processes a marker and looks that none is left.
 */
export async function processesWith(marker: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const [line, environment] = await Promise.all([read('cmdline'), read('environ')]);
    if (line !== '' && `${line}${environment}`.includes(marker))
      found.push(`${pid} ${line.replaceAll('\0', ' ').trim()}`);
  }
  return found;
}
