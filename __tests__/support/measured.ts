import type { Measured } from '../../src/drift/trial.ts';
import type { Finding } from '../../src/gate/finding.ts';
import type { CheckResult, Outcome } from '../../src/gate/verdict.ts';

export const PROFILE = 'server:2025-11-25';

export function aCheck(overrides: Partial<CheckResult> = {}): CheckResult {
  return {
    scenario: 'a',
    scored: true,
    check: 'b',
    name: 'B',
    description: 'what it looks at',
    statuses: ['SUCCESS'],
    disposition: 'passed',
    occurrences: [],
    ...overrides,
  };
}

/** One measured profile; override what the test is about. */
export function aMeasured(
  overrides: {
    checks?: CheckResult[];
    findings?: Finding[];
    outcome?: Outcome;
    scenarios?: [string, boolean][];
  } = {},
): Measured {
  const { checks = [aCheck()], findings = [], scenarios = [['a', true]] } = overrides;
  const none = { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 };
  return {
    folder: '/report',
    checks: { [PROFILE]: checks },
    verdict: {
      schemaVersion: 1,
      tool: { name: 'mcp-conformance-gate', version: '0.1.0' },
      outcome: overrides.outcome ?? 'pass',
      outcomeClass: 'pass',
      headline: '',
      findings,
      source: {},
      timing: {
        startedAt: '2026-11-30T03:17:00.000Z',
        finishedAt: '2026-11-30T03:18:00.000Z',
        tookMs: 60_000,
      },
      profiles: [
        {
          profile: PROFILE,
          slug: 'server-2025-11-25',
          outcome: overrides.outcome ?? 'pass',
          counts: {
            scenarios: {
              scored: scenarios.length,
              notScored: 0,
              passed: 0,
              excepted: 0,
              notMeasured: 0,
              failing: 0,
            },
            checks: { total: checks.length, ...none },
            exceptions: {},
            notScored: { passed: 0, failing: 0 },
          },
          scenarios: scenarios.map(([scenario, scored]) => ({
            scenario,
            scored,
            result: 'passed' as const,
            checks: none,
          })),
          newChecks: [],
          notEvaluated: [],
          notes: [],
          referee: null,
          target: null,
          probe: null,
          durations: {},
        },
      ],
    },
  };
}
