import { type Finding, type FindingOf, levelOf, profilesOf } from '../gate/finding.ts';

import type { CheckResult, Outcome, ProfileVerdict } from '../gate/verdict.ts';
import type { Measured } from './trial.ts';

interface CheckId {
  readonly scenario: string;
  readonly check: string;
  /** Only scored scenarios decide. */
  readonly scored: boolean;
}

/** One check that comes out differently with the other referee. */
export type Difference =
  | (CheckId & {
      readonly kind: 'new';
      readonly statuses: readonly string[];
      readonly passes: boolean;
      readonly evidence?: string;
    })
  | (CheckId & {
      readonly kind: 'vanished';
      readonly statuses: readonly string[];
      readonly excepted: boolean;
    })
  | (CheckId & {
      readonly kind: 'status';
      readonly before: readonly string[];
      readonly now: readonly string[];
      readonly passes: boolean;
      readonly evidence?: string;
    })
  | (CheckId & {
      readonly kind: 'evidence';
      readonly statuses: readonly string[];
      readonly before: string;
      readonly now: string;
    });

/** A scenario that the other referee's list has or scores otherwise. */
export interface ScenarioDifference {
  readonly scenario: string;
  readonly kind: 'added' | 'removed' | 'scored-now' | 'no-longer-scored';
}

/** Findings that the pin's change alone brings and that adopting it settles by itself. */
const STAMPS = new Set<Finding['kind']>(['pin-mismatch', 'requirements-changed']);
/** Findings that say that the baseline holds more than there is: entries to take out, nothing that broke. */
const STALE = new Set<Finding['kind']>(['now-passing', 'not-emitted', 'unknown-exception', 'vanished-check']);

export type ProfileTrial =
  | {
      readonly kind: 'not-measured';
      readonly profile: string;
      readonly which: 'current' | 'candidate';
      readonly findings: readonly Finding[];
    }
  | {
      readonly kind: 'measured';
      readonly profile: string;
      readonly before: Side;
      readonly now: Side;
      readonly differences: readonly Difference[];
      readonly scenarios: readonly ScenarioDifference[];
      /** The frozen requirement set is another one. */
      readonly requirementsChanged: boolean;
      /** What the gate would find with the new pin and the baseline of today, and does not find with the old pin. */
      readonly breaks: readonly Finding[];
      /** Exceptions and inventory entries that would be stale. */
      readonly stale: readonly Finding[];
    };
export type MeasuredProfileTrial = Extract<ProfileTrial, { kind: 'measured' }>;

/** One referee's view, in numbers. */
export interface Side {
  readonly outcome: Outcome;
  readonly scored: number;
  readonly checks: number;
  readonly failing: number;
}

/**
 * One profile measured by two referees against the same target.
 * @returns differences sorted by scenario and check: the same two runs give the same answer
 */
export function compareProfile(profile: string, before: Measured, now: Measured): ProfileTrial {
  const old = side(profile, before);
  const fresh = side(profile, now);
  if (old.verdict === undefined || old.verdict.outcome === 'inconclusive')
    return { kind: 'not-measured', profile, which: 'current', findings: inconclusive(old.findings) };
  if (fresh.verdict === undefined || fresh.verdict.outcome === 'inconclusive')
    return { kind: 'not-measured', profile, which: 'candidate', findings: inconclusive(fresh.findings) };
  const known = new Set(old.findings.map(identity));
  const brought = fresh.findings.filter(
    (finding) => !STAMPS.has(finding.kind) && !known.has(identity(finding)),
  );
  return {
    kind: 'measured',
    profile,
    before: sideOf(old.verdict, old.findings),
    now: sideOf(fresh.verdict, fresh.findings),
    differences: differences(old.checks, fresh.checks),
    scenarios: scenarioDifferences(old.verdict, fresh.verdict),
    requirementsChanged: old.verdict.referee?.requirements !== fresh.verdict.referee?.requirements,
    breaks: brought.filter((finding) => !STALE.has(finding.kind)),
    stale: brought.filter((finding) => STALE.has(finding.kind)),
  };
}

function side(profile: string, measured: Measured) {
  return {
    verdict: measured.verdict.profiles.find((one) => one.profile === profile),
    findings: measured.verdict.findings.filter((finding) => {
      const about = profilesOf(finding);
      return about.length === 0 || about.includes(profile);
    }),
    checks: measured.checks[profile] ?? [],
  };
}

function inconclusive(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => levelOf(finding.kind) === 'inconclusive');
}

function sideOf(verdict: ProfileVerdict, findings: readonly Finding[]): Side {
  return {
    outcome: verdict.outcome,
    scored: verdict.counts.scenarios.scored,
    checks: verdict.counts.checks.total,
    // The stamps would say "fail" of every candidate.
    failing: findings.filter((finding) => !STAMPS.has(finding.kind)).length,
  };
}

/** What a finding is about, without what may differ from run to run. */
function identity(finding: Finding): string {
  const { kind } = finding;
  const { scenario, check, fingerprint } = finding as Partial<FindingOf<'unclassified'>>;
  return JSON.stringify([kind, scenario, check, fingerprint]);
}

function differences(before: readonly CheckResult[], now: readonly CheckResult[]): Difference[] {
  const old = byId(before);
  const fresh = byId(now);
  const result: Difference[] = [];
  for (const [id, check] of fresh) {
    const was = old.get(id);
    const { scenario, check: name, scored, statuses } = check;
    const base = { scenario, check: name, scored };
    if (was === undefined) {
      result.push({ ...base, kind: 'new', statuses, passes: passes(check), ...evidenceOf(check) });
    } else if (!same(was.statuses, statuses)) {
      result.push({
        ...base,
        kind: 'status',
        before: was.statuses,
        now: statuses,
        passes: passes(check),
        ...evidenceOf(check),
      });
    } else if (was.fingerprint !== check.fingerprint && evidenceCounts(was, check)) {
      result.push({
        ...base,
        kind: 'evidence',
        statuses,
        before: was.evidence ?? '',
        now: check.evidence ?? '',
      });
    }
  }
  for (const [id, { scenario, check, scored, statuses, disposition }] of old) {
    if (fresh.has(id)) continue;
    result.push({
      scenario,
      check,
      scored,
      kind: 'vanished',
      statuses,
      excepted: disposition === 'excepted',
    });
  }
  return result.sort((a, b) => order(`${a.scenario}\n${a.check}`, `${b.scenario}\n${b.check}`));
}

/**
 * Evidence may differ between any two runs. What a reviewed exception covers with both referees is the same by its mask;
 * what is not scored decides nothing.
 */
function evidenceCounts(was: CheckResult, now: CheckResult): boolean {
  return now.scored && !(was.disposition === 'excepted' && now.disposition === 'excepted');
}

function byId(checks: readonly CheckResult[]): Map<string, CheckResult> {
  return new Map(checks.map((check) => [JSON.stringify([check.scenario, check.check]), check]));
}

function passes(check: CheckResult): boolean {
  return check.statuses.every((status) => status === 'SUCCESS' || status === 'INFO');
}

function evidenceOf(check: CheckResult): { evidence?: string } {
  return passes(check) || check.evidence === undefined ? {} : { evidence: check.evidence };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function scenarioDifferences(before: ProfileVerdict, now: ProfileVerdict): ScenarioDifference[] {
  const old = new Map(before.scenarios.map((one) => [one.scenario, one.scored]));
  const fresh = new Map(now.scenarios.map((one) => [one.scenario, one.scored]));
  const result: ScenarioDifference[] = [];
  for (const [scenario, scored] of fresh) {
    const was = old.get(scenario);
    if (was === undefined) result.push({ scenario, kind: 'added' });
    else if (was !== scored) result.push({ scenario, kind: scored ? 'scored-now' : 'no-longer-scored' });
  }
  for (const scenario of old.keys()) if (!fresh.has(scenario)) result.push({ scenario, kind: 'removed' });
  return result.sort((a, b) => order(a.scenario, b.scenario));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
