import { outcomeClassOf, outcomeOf } from './outcome.ts';
import type { Verdict } from './verdict.ts';

/**
 * A verdict that was read from a file may have been written by anybody. What it claims has to follow from what it holds.
 * @returns why it does not, in one sentence; `undefined` when it does
 */
export function verdictDoubt(verdict: Verdict): string | undefined {
  const { outcome, outcomeClass, findings, profiles } = verdict;
  if (outcomeOf(findings) !== outcome)
    return `It says ${outcome}, but its findings say ${outcomeOf(findings)}.`;
  if (outcomeClassOf(findings) !== outcomeClass)
    return `Its class ${outcomeClass} does not follow from its findings.`;
  if (outcome !== 'pass') return undefined;
  if (profiles.length === 0) return 'It says pass, but holds no profile.';
  const odd = profiles.find(
    (profile) =>
      profile.outcome !== 'pass' ||
      profile.counts.scenarios.failing > 0 ||
      profile.counts.scenarios.notMeasured > 0,
  );
  return odd === undefined ? undefined : `It says pass, but ${odd.profile} did not.`;
}
