import { isRepeatable } from './confirm.ts';
import type { Finding, FindingKind } from './finding.ts';

const DOUBTFUL: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'scenario-timeout',
  'transport-failure',
  'harness-error',
]);

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
  const names = judged.findings.flatMap((finding) => {
    const doubtful = DOUBTFUL.has(finding.kind);
    const repeatable = judged.hasBaseline && isRepeatable(finding.kind);
    if (!(doubtful || repeatable) || !('scenario' in finding) || finding.scenario === undefined) return [];
    return [finding.scenario];
  });
  return [...new Set(names)];
}
