import type { Exception } from '../baseline/baseline.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import { NORMALISER_VERSION } from '../evidence/normalise.ts';

/**
 * How a check's result stands to its exception.
 *
 * - `passed`: nothing to excuse, no exception (or a flaky one, which allows both)
 * - `as-reviewed`: exactly what the exception says
 * - the rest: what is different
 */
export type Match =
  | 'passed'
  | 'as-reviewed'
  | 'unclassified'
  | 'status-changed'
  | 'evidence-changed'
  | 'now-passing'
  | 'normaliser-changed';

/**
 * Holds one check against its exception.
 * @param exception the baseline's exception for exactly this scenario and check, if there is one
 * @param normaliser the version that the baseline's fingerprints were made with
 * @param infoOnlyScenario true when the whole scenario has nothing but INFO; only then INFO can be excepted
 */
export function matchException(
  group: CheckGroup,
  exception: Exception | undefined,
  normaliser: number,
  infoOnlyScenario: boolean,
): Match {
  if (exception === undefined) return group.passed ? 'passed' : 'unclassified';
  if (group.passed && !group.infoOnly) return exception.flaky ? 'passed' : 'now-passing';
  const expectsInfo = exception.statuses.every((status) => status === 'INFO');
  // The scenario came to a verdict after all; its log needs no exception.
  if (group.infoOnly && expectsInfo && !infoOnlyScenario) return 'now-passing';
  if (!sameList(group.statuses, exception.statuses)) return 'status-changed';
  if (normaliser !== NORMALISER_VERSION) return 'normaliser-changed';
  return group.fingerprint(exception.masked) === exception.evidence ? 'as-reviewed' : 'evidence-changed';
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value, n) => value === b[n]);
