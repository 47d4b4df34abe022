import { createHash } from 'node:crypto';
import type { Difference, ProfileTrial } from '../compare-trial.ts';
import { type DriftReport, isMoved } from '../report.ts';
import type { SourceReport } from '../source.ts';
import type { Trial } from '../trial.ts';
import type { Marker } from './marker.ts';

/**
 * What the issue has to say now, given what it said before: what moved in this run, and what had moved before of
 * sources that this run knows nothing about. Unknown neither opens, closes nor rewrites a finding.
 */
export interface Effective {
  readonly moved: Readonly<Record<string, { from: string; to: string }>>;
  /** Source ids whose section is taken over as it stands. */
  readonly carried: readonly string[];
  /** The trial's section is taken over: this run could not repeat it, and it is about the same two referees. */
  readonly carriedTrial: boolean;
  readonly trial: Marker['trial'];
  readonly fingerprint: string;
  /** What was not in the issue yet, or has moved on: worth a comment. */
  readonly news: readonly string[];
  /** What the issue said and no longer holds, and why. */
  readonly resolved: readonly Resolved[];
}

export interface Resolved {
  readonly id: string;
  readonly was: { from: string; to: string };
  readonly why: { kind: 'same'; at: string } | { kind: 'not-watched' };
  readonly source?: SourceReport;
}

/** Sections of the trial and of a source. */
export const TRIAL_SECTION = 'trial';

export function effective(report: DriftReport, previous: Marker | undefined): Effective {
  const before = previous?.moved ?? {};
  const byId = new Map(report.sources.map((source) => [source.id, source]));
  const moved: Record<string, { from: string; to: string }> = {};
  const carried: string[] = [];
  const resolved: Resolved[] = [];
  for (const source of report.sources) {
    if (isMoved(source)) moved[source.id] = { from: source.from.label, to: source.to.label };
  }
  for (const [id, was] of Object.entries(before)) {
    const source = byId.get(id);
    if (source === undefined) resolved.push({ id, was, why: { kind: 'not-watched' } });
    else if (source.status === 'same')
      resolved.push({ id, was, source, why: { kind: 'same', at: source.at.label } });
    else if (source.status === 'unknown') {
      moved[id] = was;
      carried.push(id);
    }
  }
  const carriedTrial = mayCarryTrial(report, previous, carried);
  const trial = carriedTrial ? previous?.trial : trialOf(report.trial);
  return {
    moved,
    carried,
    carriedTrial,
    trial,
    fingerprint: sha256([Object.entries(moved).sort(([a], [b]) => (a < b ? -1 : 1)), trial ?? null]),
    news: Object.entries(moved)
      .filter(([id, now]) => before[id]?.to !== now.to)
      .map(([id]) => id),
    resolved,
  };
}

/** A trial that this run could not make says nothing against the one that an earlier run made. */
function mayCarryTrial(
  report: DriftReport,
  previous: Marker | undefined,
  carried: readonly string[],
): boolean {
  const { trial } = report;
  if (previous?.trial === undefined) return false;
  if (trial.kind === 'not-needed') return carried.includes('referee');
  if (trial.kind === 'not-tried' || isWhole(trial)) return false;
  return previous.trial.candidate === trial.candidate && previous.trial.current === trial.current;
}

function isWhole(trial: Exclude<Trial, { kind: 'not-needed' | 'not-tried' }>): boolean {
  return trial.kind === 'measured'
    ? trial.profiles.every((profile) => profile.kind === 'measured')
    : trial.impossible !== undefined;
}

function trialOf(trial: Trial): Marker['trial'] {
  if (trial.kind === 'not-needed' || trial.kind === 'not-tried') return undefined;
  const { candidate, current } = trial;
  if (trial.kind === 'not-measured' && trial.impossible === undefined) return undefined;
  return { candidate, current, fingerprint: trialFingerprint(trial) };
}

/** Which checks come out differently and how; never their words, which may hold what changes from run to run. */
function trialFingerprint(trial: Trial): string {
  if (trial.kind !== 'measured') return sha256({ kind: trial.kind });
  return sha256(trial.profiles.map(essence));
}

function essence(profile: ProfileTrial): unknown {
  if (profile.kind === 'not-measured') return [profile.profile, profile.kind];
  return [
    profile.profile,
    profile.differences.map((one) => [one.kind, one.scenario, one.check, statusesOf(one)]),
    profile.scenarios.map((one) => [one.kind, one.scenario]),
    [...profile.breaks, ...profile.stale].map((finding) => [
      finding.kind,
      'scenario' in finding ? (finding.scenario ?? null) : null,
      'check' in finding ? finding.check : null,
    ]),
  ];
}

function statusesOf(difference: Difference): readonly string[] {
  return difference.kind === 'status' ? difference.now : difference.statuses;
}

/** Of arrays and objects whose keys come in a fixed order. JSON escapes lone surrogates, so any text will do. */
function sha256(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}
