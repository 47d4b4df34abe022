import { isDeepStrictEqual } from 'node:util';
import type { FindingOf } from '../gate/finding.ts';
import type { Probe } from './metadata.ts';

/**
 * What a server advertises decides which exceptions hold, so it has to be the same before and after the run.
 * @returns the finding, or undefined when nothing changed or nothing was advertised
 */
export function capabilitiesChanged(
  profile: string,
  before: Probe,
  after: Probe,
): FindingOf<'capability-changed'> | undefined {
  if (!before.answered || !after.answered) return undefined;
  if (isDeepStrictEqual(before.capabilities, after.capabilities)) return undefined;
  const names = (probe: { capabilities: Record<string, unknown> | null }): string[] =>
    Object.entries(probe.capabilities ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const was = names(before);
  const is = names(after);
  const gone = was.filter((line) => !is.includes(line)).map((line) => `[-${line}-]`);
  const came = is.filter((line) => !was.includes(line)).map((line) => `{+${line}+}`);
  return {
    kind: 'capability-changed',
    profile,
    before: before.capabilities,
    now: after.capabilities,
    diff: `while the profile ran: ${[...gone, ...came].join(' ')}`,
  };
}
