import type { Baseline } from '../baseline/baseline.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import type { Profile } from '../profile.ts';
import type { Finding, FindingOf } from './finding.ts';
import { suspicionOf } from './infrastructure.ts';
import { matchException } from './match-exception.ts';
import { measureRerun, type RerunReports } from './measurement.ts';

/** Findings about a result that another run may contradict. */
const REPEATABLE = [
  'unclassified',
  'status-changed',
  'evidence-changed',
  'now-passing',
  'not-emitted',
  'vanished-check',
] as const;
type RepeatableKind = (typeof REPEATABLE)[number];

export const isRepeatable = (finding: Finding): finding is FindingOf<RepeatableKind> =>
  REPEATABLE.some((kind) => kind === finding.kind);

/** The runs of one scenario alone that brought a report, and say something about the target. */
export function usableReruns(
  profile: Profile,
  scenario: string,
  reruns: readonly RerunReports[],
): (readonly CheckGroup[])[] {
  return reruns
    .filter(
      ({ rerun, findings }) =>
        rerun.scenario === scenario && rerun.purpose === 'confirm' && findings.length === 0,
    )
    .map((again) => measureRerun(profile, again))
    .filter((groups) => groups !== undefined);
}

/**
 * True when every run of the scenario alone had the same doubtful result for the same check: then it is the target's
 * behaviour, and a person can review it.
 */
export function isConfirmed(group: CheckGroup, alone: readonly (readonly CheckGroup[])[]): boolean {
  const suspicion = suspicionOf(group);
  return (
    alone.length > 0 &&
    alone.every((groups) => {
      const again = groups.find(({ check }) => check === group.check);
      return again !== undefined && suspicionOf(again) === suspicion && resultOf(again) === resultOf(group);
    })
  );
}

/**
 * Replaces findings that a run of the scenario alone contradicts by `flaky`.
 * @param findings of one scenario
 * @param groups the scenario's checks in the main run
 * @param alone its checks in each run alone
 */
export function withFlaky(
  findings: readonly Finding[],
  groups: readonly CheckGroup[],
  alone: readonly (readonly CheckGroup[])[],
  baseline: Baseline | undefined,
): Finding[] {
  // A run alone that itself lost its connection contradicts nothing.
  const clear = alone.filter((again) => !again.some((group) => suspicionOf(group) !== undefined));
  // Only saves time: most scenarios never ran alone.
  if (clear.length === 0) return [...findings];
  return findings.map((finding) => {
    if (!isRepeatable(finding)) return finding;
    const { profile, scenario, check } = finding;
    const describe = (all: readonly CheckGroup[]) => describeResult(all, scenario, check, baseline);
    const first = describe(groups);
    const different = clear.map(describe).filter((result) => result !== first);
    if (different[0] === undefined) return finding;
    return {
      kind: 'flaky',
      profile,
      scenario,
      check,
      ...(finding.place === undefined ? {} : { place: finding.place }),
      first,
      again: different[0],
      ofRuns: clear.length,
    };
  });
}

const resultOf = (group: CheckGroup) => group.statuses.join(', ');

/** A check's result in one run, in words: two runs agree when these are equal. */
function describeResult(
  groups: readonly CheckGroup[],
  scenario: string,
  check: string,
  baseline: Baseline | undefined,
): string {
  const group = groups.find((one) => one.check === check);
  if (group === undefined) return 'not emitted';
  const exception = baseline?.exceptions.find((one) => one.scenario === scenario && one.check === check);
  const infoOnly = groups.every((one) => one.infoOnly);
  const match = matchException(group, exception, baseline?.normaliser ?? 0, infoOnly);
  if (match === 'as-reviewed') return `${resultOf(group)} as reviewed`;
  return match === 'evidence-changed' ? `${resultOf(group)} with other evidence` : resultOf(group);
}
