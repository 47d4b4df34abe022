import type { Profile } from '../profile.ts';
import type { Probe } from '../run/metadata.ts';
import type { Progress } from '../shared/progress.ts';

/** What every way of bringing a target up needs to know. */
export interface TargetContext {
  readonly profile: Profile;
  /** File that keeps what the target prints. */
  readonly targetLog: string;
  /** Bytes that must never be kept. */
  readonly secrets: readonly string[];
  readonly progress: Progress;
  /** Aborts when everything has to stop; its reason is a MeasurementFault when there is more to say than "interrupted". */
  readonly signal: AbortSignal;
}

/** A target that answers, before headers and boundary are looked at. */
export interface Up {
  readonly url: string;
  readonly probe: Probe;
  readonly notes: readonly string[];
  /** Aborts with a Finding as its reason. Never, for a target that is not ours. */
  readonly died: AbortSignal;
}
