import type { Profile } from '../profile.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { type CheckRef, type Finding, type FindingKind, levelOf } from './finding.ts';
import { unreachable } from './infrastructure.ts';
import type { Measurement } from './measurement.ts';

/** When one of these is true, nothing that was reported says anything about the target. */
const EXPLAINS_EVERYTHING: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'port-occupied',
  'target-start-failed',
  'target-not-ready',
  'target-mismatch',
  'target-died',
  'target-unreachable',
  'probe-failed',
  'stdio-framing',
  'referee-unavailable',
  'referee-integrity',
  'referee-build-failed',
  'nothing-applicable',
]);

/** When one of these is true, reports are missing; what was reported before stands. */
const EXPLAINS_WHAT_IS_MISSING: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'referee-crashed',
  'profile-timeout',
  'interrupted',
]);
const MISSING: ReadonlySet<FindingKind> = new Set<FindingKind>(['missing-report', 'exit-code-disagrees']);

/**
 * Finds the one cause behind everything, if there is one: a fault that was seen while running, a probe that was not answered,
 * or reports that all say the same of the way to the target.
 */
export function rootCause(
  profile: Profile,
  metadata: RunMetadata,
  measurement: Measurement,
): Finding | undefined {
  const at = { profile: profile.id };
  const fault = metadata.faults.find(({ kind }) => EXPLAINS_EVERYTHING.has(kind));
  if (fault !== undefined) return { ...fault, ...at };
  for (const when of ['before', 'after'] as const) {
    const probe = metadata.probes[when];
    if (probe?.answered === false) {
      const { url, reason, message } = probe;
      return { kind: 'probe-failed', ...at, when, url, reason, message };
    }
  }
  const silent = unreachable(measurement);
  return silent === undefined ? undefined : { ...silent, ...at };
}

/**
 * Puts findings under their cause, so that one thing that went wrong is reported once.
 * @param cause from above; explains everything
 * @param findings all others, causes first
 */
export function collapse(cause: Finding | undefined, findings: readonly Finding[]): Finding[] {
  const all = cause ?? findings.find(({ kind }) => EXPLAINS_EVERYTHING.has(kind));
  if (all !== undefined) return [{ ...all, consequences: refs(findings) }];
  const partial = findings.find(({ kind }) => EXPLAINS_WHAT_IS_MISSING.has(kind));
  if (partial === undefined) return [...findings];
  // The cause itself is among these, and so is every other sight of it.
  const explained = findings.filter(({ kind }) => MISSING.has(kind) || EXPLAINS_WHAT_IS_MISSING.has(kind));
  const rest = findings.filter((finding) => !explained.includes(finding));
  return [{ ...partial, consequences: refs(explained) }, ...rest];
}

/** What stands for the check where a whole scenario is concerned. */
const NO_REPORT = '(no report)';
const WHOLE = '(scenario)';

/**
 * The checks that a list of findings is about, each once; scenarios without a report stand for themselves. What was seen in
 * the reports comes after what was known before, and with a status.
 */
function refs(findings: readonly Finding[]): CheckRef[] {
  const found = new Map<string, CheckRef>();
  const add = (ref: CheckRef) => found.set(`${ref.scenario}\n${ref.check}`, ref);
  for (const finding of findings) {
    if ('check' in finding) {
      const status = 'statuses' in finding ? finding.statuses?.join(', ') : undefined;
      add({ scenario: finding.scenario, check: finding.check, ...(status ? { status } : {}) });
    } else if (
      'scenario' in finding &&
      finding.scenario !== undefined &&
      (finding.consequences ?? []).length === 0
    ) {
      add({ scenario: finding.scenario, check: finding.kind === 'missing-report' ? NO_REPORT : WHOLE });
    }
    for (const consequence of finding.consequences ?? []) add(consequence);
  }
  return [...found.values()];
}

/** Causes first: what was not measured, then what differs; otherwise in the given order. */
export function causesFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({ kind }: Finding) => (levelOf(kind) === 'inconclusive' ? 0 : 1);
  return [...findings].sort((a, b) => rank(a) - rank(b));
}
