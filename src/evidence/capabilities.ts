import canonicalize from 'canonicalize';
import type { Leg } from '../profile.ts';
import type { Capabilities, Probe, RunMetadata } from '../run/metadata.ts';
import { normaliseValue } from './normalise.ts';
import { textNormaliser } from './normalise-text.ts';
import { contextOfRun } from './run-context.ts';

/**
 * What a server advertises, without what belongs to the run: a server may name its own address or the time in it, and those
 * differ in every run.
 * @param urls at which the target was reached
 * @param window from the probe to the end of the run
 * @returns in canonical order, which capabilities do not have
 */
export function normaliseCapabilities(
  capabilities: Capabilities | null,
  urls: readonly string[],
  window: { readonly from: string; readonly to: string },
): Capabilities | null {
  const text = textNormaliser({ leg: 'server', urls, window });
  return JSON.parse(canonicalize(normaliseValue(capabilities, text)) as string);
}

/** @returns what the target advertised before the run, normalised; `null` when it was not asked, or advertised nothing */
export function advertised(metadata: RunMetadata, leg: Leg): Capabilities | null {
  const probe: Probe | null = metadata.probes.before;
  if (probe?.answered !== true) return null;
  const { urls, window } = contextOfRun(metadata, leg);
  const [from = probe.at] = [probe.at, window.from].sort();
  return normaliseCapabilities(probe.capabilities, urls, { from, to: window.to });
}
