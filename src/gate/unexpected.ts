import { isRepeatable } from './confirm.ts';
import type { Finding, FindingOf } from './finding.ts';

const DOUBTFUL = ['scenario-timeout', 'transport-failure', 'harness-error'] as const;
type DoubtfulKind = (typeof DOUBTFUL)[number];

const isDoubtful = (finding: Finding): finding is FindingOf<DoubtfulKind> =>
  DOUBTFUL.some((kind) => kind === finding.kind);

/**
 * The scenarios that `--confirm` runs again alone: those whose result was not expected or is in doubt.
 *
 * Without a baseline nothing is expected, so only doubtful results are confirmed; `accept` compares two runs anyway.
 * When one cause explains everything there is nothing to confirm.
 * @returns names, each once, in the order of the findings
 */
export function unexpectedScenarios(judged: {
  readonly findings: readonly Finding[];
  readonly hasBaseline: boolean;
}): string[] {
  const names = judged.findings.flatMap((finding) =>
    isDoubtful(finding) || (judged.hasBaseline && isRepeatable(finding)) ? [finding.scenario] : [],
  );
  return [...new Set(names)];
}
