import { isDeepStrictEqual } from 'node:util';
import { normaliseCapabilities } from '../evidence/capabilities.ts';
import type { FindingOf } from '../gate/finding.ts';
import type { Capabilities, Probe } from './metadata.ts';

/**
 * What a server advertises decides which exceptions hold, so it has to be the same before and after the run.
 * @param urls other addresses of the target, beside those of the probes
 * @returns the finding, or undefined when nothing changed or nothing was advertised
 */
export function capabilitiesChanged(
  profile: string,
  before: Probe,
  after: Probe,
  urls: readonly string[] = [],
): FindingOf<'capability-changed'> | undefined {
  if (!before.answered || !after.answered) return undefined;
  // Its own address or the time in what it says is no change.
  const known = [before.url, after.url, ...urls];
  const window = { from: before.at, to: new Date(Date.parse(after.at) + after.tookMs).toISOString() };
  const first = normaliseCapabilities(before.capabilities, known, window);
  const last = normaliseCapabilities(after.capabilities, known, window);
  if (isDeepStrictEqual(first, last)) return undefined;
  const names = (capabilities: Capabilities | null): string[] =>
    Object.entries(capabilities ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const was = names(first);
  const is = names(last);
  const gone = was.filter((line) => !is.includes(line)).map((line) => `[-${line}-]`);
  const came = is.filter((line) => !was.includes(line)).map((line) => `{+${line}+}`);
  return {
    kind: 'capability-changed',
    profile,
    before: first,
    now: last,
    diff: `while the profile ran: ${[...gone, ...came].join(' ')}`,
  };
}
