import type { Leg } from '../profile.ts';
import type { Rerun, RunMetadata } from '../run/metadata.ts';

/** What a run knows of itself and the normaliser may therefore take out of its evidence. */
export interface RunContext {
  readonly leg: Leg;
  /** Addresses at which this run's target was reached, as URLs. */
  readonly urls: readonly string[];
  /** The clock window of the referee's process. */
  readonly window: { readonly from: string; readonly to: string };
}

/** @param leg the profile's */
export function contextOfRun(metadata: RunMetadata, leg: Leg): RunContext {
  const { url, behind } = metadata.target;
  const urls = [url, behind, metadata.probes.before?.url, metadata.probes.after?.url];
  return { leg, urls: [...new Set(urls.filter((url) => url !== undefined))], window: metadata.window };
}

/** @param leg the profile's */
export function contextOfRerun(rerun: Rerun, leg: Leg): RunContext {
  return { leg, urls: [rerun.url, rerun.behind ?? ''].filter((url) => url !== ''), window: rerun.window };
}
