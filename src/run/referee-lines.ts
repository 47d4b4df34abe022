/** What a line of the referee's output tells about its progress. */
export type RefereeLine =
  | { readonly kind: 'started'; readonly scenario: string }
  | { readonly kind: 'saved'; readonly folder: string };

/**
 * Reads one line. The server under test can reach this output too, so nothing here decides anything but progress.
 * @returns what it tells, or undefined
 */
export function readRefereeLine(line: string): RefereeLine | undefined {
  const started = /^=== Running scenario: (\S+) ===$/.exec(line)?.[1];
  if (started !== undefined) return { kind: 'started', scenario: started };
  const folder = /^Results saved to (.+)$/.exec(line)?.[1];
  return folder === undefined ? undefined : { kind: 'saved', folder };
}
