/** One figure of the bench. Ratios compare two things that were measured in the same run on the same machine. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  /** `×` for a ratio, else `ms`, `MB`, … */
  readonly unit: string;
  /** The value is to be at most this. */
  readonly goal?: number;
}

/** What a file of the bench exports by default. It may take minutes; it prints nothing itself. */
export type Bench = () => Promise<readonly BenchRow[]>;

/** The median of `times` durations in milliseconds of `work`, after one run that does not count. */
export async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return median(taken);
}

/** @throws RangeError when there are no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('There is no median of nothing.');
  return sorted.length % 2 === 1 ? middle : (middle + (sorted[sorted.length / 2 - 1] ?? middle)) / 2;
}
