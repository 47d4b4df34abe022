import type { Finding } from '../../src/gate/finding.ts';
import type { CheckResult } from '../../src/gate/verdict.ts';
import type { Publication } from '../../src/publish/publication.ts';
import { aCheck, anExceptedCheck, aProfile, aVerdict, fingerprint, unclassified } from './a-publication.ts';

const STATEFUL =
  'server-initialize logging-set-level ping completion-complete tools-list tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-with-logging tools-call-error tools-call-with-progress tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults server-sse-multiple-streams elicitation-sep1330-enums resources-list resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image dns-rebinding-protection'.split(
    ' ',
  );
const STATELESS =
  'server-stateless completion-complete tools-list tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress server-sse-multiple-streams resources-list resources-read-text resources-read-binary resources-templates-read sep-2164-resource-not-found prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image dns-rebinding-protection caching input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-tampered-state input-required-result-capability-check input-required-result-validate-input'.split(
    ' ',
  );
const TASKS =
  'tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-mrtr-input tasks-request-headers tasks-status-notifications tasks-required-task-error'.split(
    ' ',
  );

const EXCEPTED: Readonly<Record<string, [kind: string, reason: string]>> = {
  'completion-complete': [
    'missing-harness-fixture',
    'The product has no prompt named test_prompt_with_arguments.',
  ],
  'tools-call-audio': ['missing-harness-fixture', 'No tool of the product answers with audio.'],
  'tools-call-sampling': [
    'optional-capability',
    'Sampling is an optional client capability that the product never asks for.',
  ],
  'resources-subscribe': ['optional-capability', 'Subscriptions are optional and not advertised.'],
  'resources-unsubscribe': ['optional-capability', 'Subscriptions are optional and not advertised.'],
  'input-required-result-basic-sampling': [
    'harness-limitation',
    'The scenario needs a tool of its own name.',
  ],
  'prompts-get-with-image': ['missing-harness-fixture', 'The product has no prompt with an image.'],
};

/**
 * Two revisions of one server as a maintainer meets them: mostly green, reviewed exceptions of several classes, a
 * regression, changed evidence, a stale exception, extension scenarios that are not scored.
 */
export function aRichPublication(): Publication {
  const checks = { 'server:2025-11-25': checksOf(STATEFUL), 'server:2026-07-28': checksOf(STATELESS, TASKS) };
  const stateful = checks['server:2025-11-25'];
  const stateless = checks['server:2026-07-28'];
  const before = 'Failed: MCP error -32602: Unknown tool: test_error_handling';
  const now = 'Failed: MCP error -32601: Unknown tool: test_error_handling';
  const broken = replace(stateful, 'tools-call-with-progress', ({ scenario, check }) => ({
    ...aCheck({
      scenario,
      check,
      status: 'FAILURE',
      evidence: 'Expected at least 3 progress notifications, received 1\nprogressToken: "progress-test-1"',
    }),
    disposition: 'finding',
  }));
  const five = replace(stateless, 'server-stateless', ({ scenario }) => ({
    ...aCheck({ scenario, check: 'sep-2575-http-server-error-jsonrpc-id', status: 'FAILURE', evidence: now }),
    statuses: ['FAILURE', 'FAILURE', 'FAILURE', 'FAILURE', 'FAILURE'],
    occurrences: [1, 2, 3, 4, 5].map((n) => ({
      id: 'sep-2575-http-server-error-jsonrpc-id',
      status: 'FAILURE',
      errorMessage: `case ${n}: the error's id is null, the request's was ${n}`,
    })),
    evidence: [1, 2, 3, 4, 5]
      .map((n) => `case ${n}: the error's id is null, the request's was ${n}`)
      .join('\n'),
    disposition: 'finding',
  }));
  replace(stateless, 'tools-call-error', ({ scenario, check }) => ({
    ...anExceptedCheck({
      scenario,
      check,
      evidence: now,
      exception: {
        class: 'genuine-protocol-failure',
        reason: 'Answers with a JSON-RPC error instead of isError; mended in the next major version.',
        reference: 'https://github.com/trailbook/server/issues/212',
        reviewed: '2026-11-20',
        expires: '2027-03-01',
      },
    }),
    disposition: 'finding',
  }));
  const findings: Finding[] = [
    unclassified('server:2025-11-25', broken),
    unclassified('server:2026-07-28', five),
    {
      kind: 'evidence-changed',
      profile: 'server:2026-07-28',
      scenario: 'tools-call-error',
      check: 'tools-call-error',
      statuses: ['FAILURE'],
      firstLine: now,
      fingerprint: fingerprint(now),
      expected: fingerprint(before),
      diff: 'Failed: MCP error [-−32602-]{+−32601+}: Unknown tool: test_error_handling',
      place: { file: 'baselines/server-2026-07-28.yaml', line: 41, column: 5 },
    },
    {
      kind: 'now-passing',
      profile: 'server:2025-11-25',
      scenario: 'prompts-get-simple',
      check: 'prompts-get-simple',
      expected: ['FAILURE'],
      place: { file: 'baselines/server-2025-11-25.yaml', line: 63 },
    },
  ];
  const profiles = [
    aProfile('server:2025-11-25', stateful),
    aProfile('server:2026-07-28', stateless, {
      notes: ['The server answered on 127.0.0.1 only; the referee was given that address.'],
    }),
  ];
  for (const profile of profiles)
    for (const scenario of profile.scenarios)
      if (scenario.scenario === 'prompts-get-simple' && profile.profile === 'server:2025-11-25')
        scenario.result = 'finding';
  return {
    checks,
    verdict: aVerdict({
      name: 'trailbook',
      profiles,
      findings,
      headline: '2 unclassified failures, 1 changed evidence and 1 stale exception',
    }),
    commands: { accept: 'npx mcp-conformance-gate accept conformance-report' },
    trend: [12, 13, 14, 15, 16, 17, 18, 19].map((day, index) => ({
      at: `2026-11-${day}T03:17:00.000Z`,
      outcome: index === 3 ? ('inconclusive' as const) : index === 7 ? ('fail' as const) : ('pass' as const),
      passed: index === 3 ? 0 : 50 + Math.min(index, 4) - (index === 7 ? 2 : 0),
      excepted: index === 3 ? 0 : 10 - Math.min(index, 4),
      failing: index === 7 ? 4 : 0,
      findings: index === 7 ? 4 : index === 3 ? 1 : 0,
      commit: `${index}`.repeat(40),
      run: 210 + index,
      url: `https://github.com/trailbook/server/actions/runs/${9000 + index}`,
    })),
    comparison: {
      found: true,
      with: 'the last successful run on main',
      at: '2026-11-29T03:17:00.000Z',
      outcome: 'pass',
      commit: '6'.repeat(40),
      url: 'https://github.com/trailbook/server/actions/runs/9006',
      moved: [
        { what: 'Server commit', from: '6666666', to: '0f3c1f0' },
        { what: 'Referee', from: 'npm:0.2.0-alpha.11', to: 'npm:0.2.0-alpha.12' },
      ],
      changes: [
        {
          profile: 'server:2025-11-25',
          scenario: 'tools-call-with-progress',
          check: 'tools-call-with-progress',
          kind: 'broke',
          before: { statuses: ['SUCCESS'], disposition: 'passed' },
          now: { statuses: ['FAILURE'], disposition: 'finding' },
        },
        {
          profile: 'server:2026-07-28',
          scenario: 'tools-list',
          check: 'tools-list-deterministic-order',
          kind: 'appeared',
          now: { statuses: ['SUCCESS'], disposition: 'passed' },
        },
      ],
    },
  };
}

function checksOf(scored: readonly string[], notScored: readonly string[] = []): CheckResult[] {
  return [
    ...scored.map((scenario) => [scenario, true] as const),
    ...notScored.map((s) => [s, false] as const),
  ].flatMap(([scenario, isScored], index) => {
    const excepted = EXCEPTED[scenario];
    const own = excepted
      ? anExceptedCheck({
          scenario,
          check: scenario,
          evidence: `Failed: MCP error -32602: ${scenario} is not there`,
          exception: { class: excepted[0], reason: excepted[1], reviewed: '2026-11-20' },
        })
      : aCheck({
          scenario,
          check: scenario,
          scored: isScored,
          status: !isScored && index % 2 === 0 ? 'FAILURE' : 'SUCCESS',
        });
    const wire = aCheck({ scenario, check: 'wire-schema-valid', scored: isScored });
    return [own, wire];
  });
}

function replace(
  checks: CheckResult[],
  scenario: string,
  change: (check: CheckResult) => CheckResult,
): CheckResult {
  const index = checks.findIndex((check) => check.scenario === scenario);
  const old = checks[index];
  if (!old) throw new Error(`no scenario ${scenario}`);
  const changed = change(old);
  checks[index] = changed;
  return changed;
}
