import { setTimeout as sleep } from 'node:timers/promises';
import { processTable } from '../../src/shared/process-table.ts';

/** @returns whether a process runs (zombies do not) */
export async function isRunning(pid: number): Promise<boolean> {
  return (await processTable()).some((row) => row.pid === pid);
}

/** Waits until a condition holds. @throws after `ms` milliseconds */
export async function until(condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`still not so after ${ms} ms: ${condition}`);
    await sleep(20);
  }
}
