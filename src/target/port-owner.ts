import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { execa } from 'execa';

/** A process that listens on a port. */
export interface PortOwner {
  readonly pid: number;
  readonly name: string;
}

/**
 * @param among looks at these processes only, where that is quicker
 * @returns who listens on a port, as far as the OS tells this user; empty when it does not
 */
export async function ownersOf(port: number, among?: readonly number[]): Promise<PortOwner[]> {
  return process.platform === 'linux' ? ownersFromProc(port, among) : ownersFromLsof(port);
}

/** `node (pid 1234)`, without characters that could be taken for something else in a log. */
export function describeOwner(owner: PortOwner): string {
  return `${owner.name.replace(/[^\w.:+@ -]/g, '?').slice(0, 60)} (pid ${owner.pid})`;
}

const LISTEN = '0A';

async function ownersFromProc(port: number, among?: readonly number[]): Promise<PortOwner[]> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)) {
      // sl local_address rem_address st … uid timeout inode: proc_net(5); addresses and ports are hexadecimal.
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTEN && inode && Number.parseInt(local?.split(':')[1] ?? '', 16) === port) {
        inodes.add(`socket:[${inode}]`);
      }
    }
  }
  if (inodes.size === 0) return [];
  const owners: PortOwner[] = [];
  const pids = among ?? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  await Promise.all(
    pids.map(async (pid) => {
      const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
      for (const descriptor of descriptors) {
        const link = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
        if (!inodes.has(link)) continue;
        // The program's file: a process may call itself anything, and its arguments may hold secrets.
        const name = basename(await readlink(`/proc/${pid}/exe`).catch(() => '?'));
        owners.push({ pid, name });
        return;
      }
    }),
  );
  return owners.sort((a, b) => a.pid - b.pid);
}

async function ownersFromLsof(port: number): Promise<PortOwner[]> {
  const { stdout } = await execa('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], { reject: false });
  const owners: PortOwner[] = [];
  let pid = 0;
  for (const field of String(stdout ?? '').split('\n')) {
    if (field.startsWith('p')) pid = Number(field.slice(1));
    if (field.startsWith('c') && pid > 0) owners.push({ pid, name: field.slice(1) });
  }
  return owners;
}
