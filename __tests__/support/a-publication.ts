import { createHash } from 'node:crypto';
import type { Finding } from '../../src/gate/finding.ts';
import type { CheckResult, ProfileVerdict, Verdict } from '../../src/gate/verdict.ts';
import type { Publication } from '../../src/publish/publication.ts';
import type { RefereeFacts } from '../../src/run/metadata.ts';

/** A check with one occurrence; `status` fills in what follows from it. */
export function aCheck(over: Partial<CheckResult> & { status?: string } = {}): CheckResult {
  const { status = 'SUCCESS', ...rest } = over;
  const check = rest.check ?? 'tools-list';
  const succeeded = status === 'SUCCESS' || status === 'INFO';
  const evidence = rest.evidence ?? `${check} was not as the specification asks`;
  return {
    scenario: 'tools-list',
    scored: true,
    check,
    name: check.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase()),
    description: `What ${check} asks of the server`,
    statuses: [status],
    disposition: rest.scored === false ? 'not-scored' : succeeded ? 'passed' : 'finding',
    ...(succeeded ? {} : { fingerprint: fingerprint(evidence), evidence }),
    specReferences: [
      { id: 'MCP-Tools', url: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools' },
    ],
    occurrences: [
      {
        id: check,
        name: check,
        description: `What ${check} asks of the server`,
        status,
        timestamp: '2026-11-30T17:39:16.719Z',
        ...(succeeded ? {} : { errorMessage: evidence }),
        details: { messagesValidated: 5, violations: [] },
      },
    ],
    ...rest,
  };
}

/** The same evidence gives the same one. */
export const fingerprint = (evidence: string): string =>
  `sha256:${createHash('sha256').update(evidence.toWellFormed()).digest('hex')}`;

/** An exception on a failing check. */
export function anExceptedCheck(over: Partial<CheckResult> = {}): CheckResult {
  return aCheck({
    status: 'FAILURE',
    disposition: 'excepted',
    exception: {
      class: 'missing-harness-fixture',
      reason: 'The product has no prompt named test_prompt_with_arguments.',
      reviewed: '2026-11-20',
    },
    ...over,
  });
}

export const aReferee: RefereeFacts = {
  pin: 'npm:0.2.0-alpha.12',
  version: '0.2.0-alpha.12',
  integrity:
    'sha512-eXtZFgmtZiU5SsvXty+RGXGnyIqEVm3GLU/HZmg1wMjtKOocPZZgD9HQKd30oJhio5UB0wFJmsc6r8u48Q+EYA==',
  lock: `sha256:${'5e'.repeat(32)}`,
  requirements: `sha256:${'7a'.repeat(32)}`,
  node: 'v24.21.0',
  cache: 'hit',
  prepareMs: 210,
};

type Scenario = ProfileVerdict['scenarios'][number];

/**
 * A profile's verdict from its checks: scenarios, results and counts follow, in the order of the checks.
 * @param more scenarios without any check, and anything to override
 */
export function aProfile(
  profile: string,
  checks: readonly CheckResult[],
  more: Partial<ProfileVerdict> & { readonly also?: readonly Scenario[] } = {},
): ProfileVerdict {
  const { also = [], ...over } = more;
  const byScenario = Map.groupBy(checks, (check) => check.scenario);
  const scenarios: Scenario[] = [...byScenario].map(([scenario, of]) => ({
    scenario,
    scored: of[0]?.scored ?? true,
    ...(of[0]?.scored === false ? { reason: 'extension' } : {}),
    result: resultOf(of),
    checks: countStatuses(of),
  }));
  scenarios.push(...also);
  const count = (result: Scenario['result']) => scenarios.filter((s) => s.result === result).length;
  const exceptions: Record<string, number> = {};
  for (const { exception } of checks)
    if (exception) exceptions[exception.class] = (exceptions[exception.class] ?? 0) + 1;
  return {
    profile,
    slug: profile.replace(/[:@]/g, '-'),
    outcome: count('not-measured') > 0 ? 'inconclusive' : count('finding') > 0 ? 'fail' : 'pass',
    counts: {
      scenarios: {
        scored: scenarios.filter((s) => s.scored).length,
        notScored: scenarios.filter((s) => !s.scored).length,
        passed: count('passed'),
        excepted: count('excepted'),
        notMeasured: count('not-measured'),
        failing: count('finding'),
      },
      checks: { total: checks.flatMap((c) => c.statuses).length, ...countStatuses(checks) },
      exceptions,
      notScored: { passed: count('not-scored-passed'), failing: count('not-scored-failing') },
    },
    scenarios,
    newChecks: [],
    notEvaluated: [],
    notes: [],
    referee: aReferee,
    target: { kind: 'command', url: 'http://127.0.0.1:41287/mcp', notes: [] },
    probe: {
      answered: true,
      url: 'http://127.0.0.1:41287/mcp',
      method: 'initialize',
      at: '2026-11-30T17:39:14.000Z',
      tookMs: 12,
      httpStatus: 200,
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'trailbook', version: '1.4.0' },
      capabilities: { tools: {} },
    },
    durations: { target: 412, referee: 1840 },
    ...over,
  };
}

function resultOf(checks: readonly CheckResult[]): Scenario['result'] {
  const clean = checks.every((check) => check.statuses.every((s) => s === 'SUCCESS' || s === 'INFO'));
  if (checks[0]?.scored === false) return clean ? 'not-scored-passed' : 'not-scored-failing';
  if (checks.some((check) => check.disposition === 'finding')) return 'finding';
  return checks.some((check) => check.disposition === 'excepted') ? 'excepted' : 'passed';
}

function countStatuses(checks: readonly CheckResult[]): Scenario['checks'] {
  const all = checks.flatMap((check) => check.statuses);
  const count = (status: string) => all.filter((s) => s === status).length;
  return {
    success: count('SUCCESS'),
    failure: count('FAILURE'),
    warning: count('WARNING'),
    skipped: count('SKIPPED'),
    info: count('INFO'),
  };
}

/** A verdict over some profiles; outcome and headline follow from them unless given. */
export function aVerdict(over: Partial<Verdict> = {}): Verdict {
  const profiles = over.profiles ?? [];
  const findings = over.findings ?? [];
  const outcome = profiles.some((p) => p.outcome === 'inconclusive')
    ? 'inconclusive'
    : findings.length > 0
      ? 'fail'
      : 'pass';
  return {
    schemaVersion: 1,
    tool: { name: 'mcp-conformance-gate', version: '0.1.0' },
    outcome,
    outcomeClass: outcome === 'pass' ? 'pass' : outcome === 'fail' ? 'regression' : 'target',
    headline:
      outcome === 'pass'
        ? 'Passes its reviewed baseline: 2 profiles, 83 scenarios, 24 reviewed exceptions'
        : `${findings.length} findings`,
    findings,
    profiles,
    source: {
      repository: 'trailbook/server',
      commit: '0f3c1f0d6f0a4b0c9a7d5e2b1c8f7a6e5d4c3b2a',
      ref: 'refs/heads/main',
    },
    timing: {
      startedAt: '2026-11-30T17:39:12.000Z',
      finishedAt: '2026-11-30T17:39:19.400Z',
      tookMs: 7400,
    },
    ...over,
  };
}

/** A publication from checks by profile; each non-success scored check without an exception gets its `unclassified` finding. */
export function aPublication(
  over: Partial<Publication> & {
    readonly checks?: Readonly<Record<string, readonly CheckResult[]>>;
    readonly verdict?: Verdict;
    readonly more?: Partial<Verdict>;
  } = {},
): Publication {
  const { more = {}, ...rest } = over;
  const checks = rest.checks ?? { 'server:2025-11-25': [aCheck()] };
  const findings = Object.entries(checks).flatMap(([profile, of]) =>
    of
      .filter((check) => check.disposition === 'finding')
      .map((check): Finding => unclassified(profile, check)),
  );
  const profiles = Object.entries(checks).map(([profile, of]) => aProfile(profile, of));
  return { checks, verdict: aVerdict({ profiles, findings, ...more }), ...rest };
}

/** The finding that a failing check without an exception gives. */
export function unclassified(profile: string, check: CheckResult): Finding {
  return {
    kind: 'unclassified',
    profile,
    scenario: check.scenario,
    check: check.check,
    statuses: check.statuses,
    firstLine: check.evidence?.split('\n')[0] ?? '',
    fingerprint: check.fingerprint ?? '',
  };
}
