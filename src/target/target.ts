import type { Probe } from '../run/metadata.ts';

/** A server that answers, for as long as the scope that it was handed to. */
export interface RunningTarget {
  /** What the referee is given: the target's own address, or the relay's or the bridge's in front of it. */
  readonly url: string;
  /** The target's own address, when `url` is the relay's in front of it. */
  readonly behind?: string;
  /** The probe that proved it ready. */
  readonly before: Probe;
  /** Status without and with the configured headers, when there are headers. */
  readonly boundary?: { readonly without: number | null; readonly with: number | null };
  /** Sentences for metadata.json: host changed, relay in use, … Grows while it runs. */
  readonly notes: readonly string[];
  /** Aborts, with the finding as its reason, when the target's own process ends before it was told to. */
  readonly died: AbortSignal;
  /** Probes again: after the run it must still answer. */
  probe(): Promise<Probe>;
}
