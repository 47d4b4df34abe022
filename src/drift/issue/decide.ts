import { type DriftReport, isUnknown, type RunIdentity } from '../report.ts';
import { type Effective, effective } from './effective.ts';
import type { Found, OurIssue } from './find-issues.ts';

/** What to do with the issue. Pure data: nothing is written here. */
export type Decision =
  /** Nothing moved and there is no issue. */
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly state: Effective }
  | { readonly kind: 'update'; readonly issue: OurIssue; readonly state: Effective }
  | { readonly kind: 'unchanged'; readonly issue: OurIssue }
  | { readonly kind: 'close'; readonly issue: OurIssue; readonly state: Effective }
  /** Resolved, and kept open because a person reopened it. */
  | {
      readonly kind: 'keep-open';
      readonly issue: OurIssue;
      readonly state: Effective;
      readonly write: boolean;
    }
  /** A run that started later has been here. */
  | { readonly kind: 'older-run'; readonly issue: OurIssue }
  /** A person closed the issue about exactly this drift: their decision. */
  | { readonly kind: 'dismissed'; readonly issue: OurIssue };

/**
 * The rules of DESIGN.md section 12.
 * @param found our issues; the oldest open one is the issue
 */
export function decide(report: DriftReport, found: Found): Decision {
  const issue = found.open[0];
  return issue === undefined ? withoutOpenIssue(report, found.closed) : withOpenIssue(report, issue);
}

function withOpenIssue(report: DriftReport, issue: OurIssue): Decision {
  const marker = issue.parsed.marker;
  if (marker !== undefined && isOlder(report.run, marker.run)) return { kind: 'older-run', issue };
  const state = effective(report, marker);
  // What a damaged marker said is not known; with an unknown source it may still hold.
  if (marker === undefined && report.status !== 'moved' && report.sources.some(isUnknown))
    return { kind: 'unchanged', issue };
  const moved = Object.keys(state.moved).length > 0;
  if (moved)
    return marker?.fingerprint === state.fingerprint
      ? { kind: 'unchanged', issue }
      : { kind: 'update', issue, state };
  if (marker?.closed === true) return { kind: 'keep-open', issue, state, write: false };
  if (marker?.keep === true) return { kind: 'keep-open', issue, state, write: true };
  return { kind: 'close', issue, state };
}

function withoutOpenIssue(report: DriftReport, closed: OurIssue | undefined): Decision {
  const state = effective(report, undefined);
  if (Object.keys(state.moved).length === 0) return { kind: 'none' };
  const marker = closed?.parsed.marker;
  if (closed !== undefined && marker !== undefined) {
    if (isOlder(report.run, marker.run)) return { kind: 'older-run', issue: closed };
    const known = Object.entries(state.moved).every(([id, now]) => marker.moved[id]?.to === now.to);
    if (marker.closed !== true && known) return { kind: 'dismissed', issue: closed };
  }
  return { kind: 'open', state };
}

/** Runs are ordered by their start, then by their id. */
export function isOlder(
  run: Pick<RunIdentity, 'startedAt' | 'id'>,
  than: { startedAt: string; id: string },
): boolean {
  const order = Date.parse(run.startedAt) - Date.parse(than.startedAt);
  if (order !== 0) return order < 0;
  return run.id !== than.id && run.id < than.id;
}
