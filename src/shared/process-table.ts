import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';

/** One running process. Zombies are left out: they hold nothing and cannot be ended. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** When it was started, in the OS's clock ticks; a child is never older than its parent. Linux only. */
  readonly startedAt?: number;
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
 * @param among which processes to look at; all when not given
 * @returns those that inherited it. Linux only: elsewhere environments cannot be read reliably, and nothing is found
 */
export async function processesWithEnvironment(
  entry: string,
  among?: readonly ProcessRow[],
): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const candidates = among ?? (await processTable());
  const found: number[] = [];
  await Promise.all(
    candidates.map(async ({ pid }) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (environment.split('\0').includes(entry)) found.push(pid);
    }),
  );
  return found;
}

/** @returns one process, or `undefined` when there is none or the OS does not tell */
export function processRow(pid: number): ProcessRow | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The command stands in parentheses and may hold spaces and parentheses itself: proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (!state || 'ZX'.includes(state)) return undefined;
  return { pid, parent: Number(parent), group: Number(group), startedAt: Number(fields[19]) };
}

/** Synchronous: these files are made of memory, and asking the thread pool for each takes several times as long. */
function fromProc(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processRow(Number(name)) ?? []);
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
