import type { Check, Report } from '../reports/report.ts';
import { fingerprint } from './fingerprint.ts';
import { applyMasks } from './mask.ts';
import { type Evidence, evidenceOf } from './normalise.ts';
import type { TextNormaliser } from './normalise-text.ts';
import { readableEvidence } from './readable.ts';

/** All occurrences of one check id in one scenario, with what an exception is held against. */
export interface CheckGroup {
  readonly scenario: string;
  readonly check: string;
  /** As the referee wrote them, in order. */
  readonly occurrences: readonly Check[];
  /**
   * Statuses that carry a verdict, in order: the referee's INFO entries are a log of requests and responses, whose number
   * depends on timing. Where an id has nothing but INFO, its INFO statuses.
   */
  readonly statuses: readonly string[];
  /** True when every occurrence is SUCCESS or INFO. */
  readonly passed: boolean;
  /** True when every occurrence is INFO. */
  readonly infoOnly: boolean;
  /** Normalised evidence per status: `null` for SUCCESS. */
  evidence(): readonly (Evidence | null)[];
  /** @param masks of the exception that it is held against */
  fingerprint(masks?: readonly string[]): string;
  /** @param masks as above; without them what was masked is shown */
  readable(masks?: readonly string[]): readonly string[];
}

/** Groups a report's checks by id, in order of first appearance. Evidence is worked out when somebody asks. */
export function groupChecks(report: Report, text: TextNormaliser): CheckGroup[] {
  const byId = new Map<string, Check[]>();
  for (const check of report.checks) {
    const group = byId.get(check.id);
    if (group === undefined) byId.set(check.id, [check]);
    else group.push(check);
  }
  const normalised = evidenceOf(report, text);
  return [...byId].map(([check, occurrences]) => checkGroup(report.scenario, check, occurrences, normalised));
}

function checkGroup(
  scenario: string,
  check: string,
  occurrences: readonly Check[],
  normalised: (check: Check) => Evidence,
): CheckGroup {
  const withVerdict = occurrences.filter(({ status }) => status !== 'INFO');
  const infoOnly = withVerdict.length === 0;
  const judged = infoOnly ? occurrences : withVerdict;
  let evidence: readonly (Evidence | null)[] | undefined;
  let fingerprints: Map<string, string> | undefined;
  const evidenceNow = () => {
    evidence ??= judged.map((one) => (one.status === 'SUCCESS' ? null : normalised(one)));
    return evidence;
  };
  return {
    scenario,
    check,
    occurrences,
    statuses: judged.map(({ status }) => status),
    passed: withVerdict.every(({ status }) => status === 'SUCCESS'),
    infoOnly,
    evidence: evidenceNow,
    fingerprint(masks = []) {
      const key = JSON.stringify(masks);
      fingerprints ??= new Map();
      const known = fingerprints.get(key);
      if (known !== undefined) return known;
      const made = fingerprint(evidenceNow(), masks);
      fingerprints.set(key, made);
      return made;
    },
    readable: (masks = []) => readableEvidence(applyMasks(evidenceNow(), masks)),
  };
}
