import type { Ownership } from '../config/plan.ts';
import { type Concern, concerns, type LocalFacts } from './ownership.ts';
import type { Moved, SourceReport, Unknown } from './source.ts';
import type { Trial } from './trial.ts';

/** Which run of the watcher this is. Runs are ordered by their start. */
export interface RunIdentity {
  readonly startedAt: string;
  /** Unique among runs that start in the same moment. */
  readonly id: string;
  /** The run's page. */
  readonly url?: string;
}

/** The baselines as they would look after adoption. */
export interface Proposal {
  /** Unified diff with paths relative to the repository; empty when no baseline would change. */
  readonly patch: string;
  /** Where it lies in the report folder, forward slashes. */
  readonly file: string;
  /** What could not be proposed, as sentences. */
  readonly notes: readonly string[];
}

/** What adopting the newer referee as it is would do to the gate. */
export type Impact =
  /** No trial was needed. */
  | 'none'
  /** Measured: the gate stays as it is once the pin is changed. */
  | 'harmless'
  /** Measured: exceptions or inventory entries would be stale, nothing new fails. */
  | 'stale'
  /** Measured: something new needs a person, or the candidate cannot run the gated profiles. */
  | 'breaking'
  /** Could not be measured, or not in full. */
  | 'not-measured';

/** Everything that the watcher found. Rendering and the issue are made from this alone. */
export interface DriftReport {
  readonly schemaVersion: 1;
  readonly name?: string;
  readonly run: RunIdentity;
  readonly pin: string;
  /** The command that a person types, without options. */
  readonly command: string;
  /** moved: something moved. unknown: nothing is known to have moved, and something could not be told. */
  readonly status: 'same' | 'moved' | 'unknown';
  readonly impact: Impact;
  readonly sources: readonly SourceReport[];
  /** By source id. */
  readonly concerns: Readonly<Record<string, readonly Concern[]>>;
  readonly trial: Trial;
  readonly proposal?: Proposal;
  /** The candidate is a version that has no lock yet: `referee pin` comes first. */
  readonly needsLock: boolean;
}

export interface ReportInput {
  readonly name?: string;
  readonly run: RunIdentity;
  readonly pin: string;
  readonly sources: readonly SourceReport[];
  readonly trial: Trial;
  readonly proposal?: Proposal;
  readonly needsLock?: boolean;
  readonly ownership: readonly Ownership[];
  readonly local: LocalFacts;
}

/** Pure: the same observations give the same report. */
export function makeReport(input: ReportInput): DriftReport {
  const { sources, trial, name, proposal } = input;
  const moved = sources.filter(isMoved);
  return {
    schemaVersion: 1,
    ...(name === undefined ? {} : { name }),
    run: input.run,
    pin: input.pin,
    command: input.local.command,
    status: moved.length > 0 ? 'moved' : sources.some(isUnknown) ? 'unknown' : 'same',
    impact: impactOf(trial),
    sources,
    concerns: Object.fromEntries(
      moved.map((source) => [source.id, concerns(source.changes, input.ownership, input.local)]),
    ),
    trial,
    needsLock: input.needsLock ?? false,
    ...(proposal === undefined ? {} : { proposal }),
  };
}

export function isMoved(source: SourceReport): source is Moved {
  return source.status === 'moved';
}

export function isUnknown(source: SourceReport): source is Unknown {
  return source.status === 'unknown';
}

/** What breaks is known as soon as one profile shows it; that nothing breaks only when every profile was measured. */
function impactOf(trial: Trial): Impact {
  switch (trial.kind) {
    case 'not-needed':
      return 'none';
    case 'not-tried':
      return 'not-measured';
    case 'not-measured':
      return trial.which === 'candidate' && trial.impossible !== undefined ? 'breaking' : 'not-measured';
    case 'measured': {
      const measured = trial.profiles.filter((profile) => profile.kind === 'measured');
      if (measured.some((profile) => profile.breaks.length > 0)) return 'breaking';
      if (measured.length < trial.profiles.length) return 'not-measured';
      return measured.some((profile) => profile.stale.length > 0) ? 'stale' : 'harmless';
    }
  }
}

export const FAIL_ON_DRIFT = ['false', 'moved', 'breaking'] as const;
export type FailOnDrift = (typeof FAIL_ON_DRIFT)[number];

/**
 * Whether drift fails the job. Unknown sources never do. With `breaking`, a trial that was needed and could not be
 * measured is inconclusive: it is not known to be harmless.
 */
export function driftOutcome(report: DriftReport, failOn: FailOnDrift): 'pass' | 'fail' | 'inconclusive' {
  if (failOn === 'false' || report.status !== 'moved') return 'pass';
  if (failOn === 'moved') return 'fail';
  if (report.impact === 'breaking') return 'fail';
  return report.impact === 'not-measured' ? 'inconclusive' : 'pass';
}
