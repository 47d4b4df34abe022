import { readdir, readFile } from 'node:fs/promises';

/** A process, as far as it can be told from another one that gets the same number later. */
export interface ProcessRef {
  readonly pid: number;
  /** Ticks since boot at its start. */
  readonly startedAt: string;
}

/** Every process below `pid` at this moment, itself not included. Linux only. */
export async function descendants(pid: number): Promise<ProcessRef[]> {
  const all = await processes();
  const found: ProcessRef[] = [];
  const parents = [pid];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const process of all) {
      if (process.parent !== parent) continue;
      found.push({ pid: process.pid, startedAt: process.startedAt });
      parents.push(process.pid);
    }
  }
  return found;
}

/** Those of the processes that have not ended. One that ended and waits for its parent to notice does not count. */
export async function stillRunning(refs: readonly ProcessRef[]): Promise<ProcessRef[]> {
  const running = await processes();
  return refs.filter((ref) =>
    running.some(({ pid, startedAt }) => pid === ref.pid && startedAt === ref.startedAt),
  );
}

/** Ends those of the processes that still run, and only those. */
export async function endProcesses(refs: readonly ProcessRef[]): Promise<void> {
  for (const { pid } of await stillRunning(refs)) process.kill(pid, 'SIGKILL');
}

async function processes(): Promise<(ProcessRef & { parent: number })[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats
    .filter((stat) => stat !== '')
    .flatMap((stat) => {
      // proc(5): the name in brackets may hold anything, so fields are counted from its end.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return [];
      return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), startedAt: String(fields[19]) };
    });
}
