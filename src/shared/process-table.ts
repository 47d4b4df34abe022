import { readdir, readFile } from 'node:fs/promises';
import { execa } from 'execa';

/** One running process. Zombies are left out: they hold nothing and cannot be ended. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** @returns every process of this machine that the OS lets us see */
export async function processTable(): Promise<ProcessRow[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** @returns the processes that descend from `pid`, itself left out */
export function descendantsOf(pid: number, table: readonly ProcessRow[]): ProcessRow[] {
  const found: ProcessRow[] = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const children = table.filter((row) => parents.has(row.parent) && !found.includes(row));
    found.push(...children);
    parents = new Set(children.map((row) => row.pid));
  }
  return found;
}

/**
 * @param entry `NAME=value` that was put into the environment of a process that we started
 * @returns the processes that inherited it. Linux only: elsewhere environments cannot be read reliably, and nothing is found
 */
export async function processesWithEnvironment(entry: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const found: number[] = [];
  await Promise.all(
    (await pidsOfProc()).map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (environment.split('\0').includes(entry)) found.push(pid);
    }),
  );
  return found;
}

async function pidsOfProc(): Promise<number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function fromProc(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  await Promise.all(
    (await pidsOfProc()).map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The command stands in parentheses and may hold spaces and parentheses itself: proc_pid_stat(5).
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state && !'ZX'.includes(state)) rows.push({ pid, parent: Number(parent), group: Number(group) });
    }),
  );
  return rows;
}

async function fromPs(): Promise<ProcessRow[]> {
  const { stdout } = await execa('ps', ['-axo', 'pid=,ppid=,pgid=,stat='], { reject: false });
  return String(stdout ?? '')
    .split('\n')
    .flatMap((line) => {
      const [pid, parent, group, state] = line.trim().split(/\s+/);
      return pid && state && !state.startsWith('Z')
        ? [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
        : [];
    });
}
