import { acceptProfile } from '../../src/baseline/accept.ts';
import type { Baseline } from '../../src/baseline/baseline.ts';
import { parseBaseline } from '../../src/baseline/parse.ts';
import type { JudgeInput } from '../../src/gate/judge.ts';
import type { Report } from '../../src/reports/report.ts';
import { aCheck, aFailure, aReport } from './a-report.ts';
import { aProbe, aProfile, aRefereeRun, someMetadata } from './some-metadata.ts';

/** Everything that differs between two runs of a server that does not change. */
export interface World {
  readonly port: number;
  /** When the run began, epoch milliseconds. */
  readonly start: number;
  /** Eight hexadecimal digits that all identifiers of the run are made from. */
  readonly seed: string;
  /** The referee counts its requests; how far it has come depends on what ran before. */
  readonly requests: number;
  readonly crlf: boolean;
  /** In which order reports come, as numbers to sort by. */
  readonly order: readonly number[];
}

export const FIRST_WORLD: World = {
  port: 3902,
  start: Date.parse('2026-11-30T12:00:00.000Z'),
  seed: '0badcafe',
  requests: 1,
  crlf: false,
  order: [],
};

const WINDOW_MS = 10_000;
const MASKED_SCENARIO = 'masked';

/** The reports of one server in a given world: every form of noise and every status, in scored and other scenarios. */
export function reportsIn(world: World): Report[] {
  const { port, seed, start } = world;
  const at = (ms: number) => new Date(start + ms).toISOString();
  const id = (n: number) => `${seed}-1111-4222-8333-${String(n).padStart(12, '0')}`;
  const lines = (...all: string[]) => all.join(world.crlf ? '\r\n' : '\n');
  const session = id(1);
  const stamped = (report: Report): Report => ({
    ...report,
    checks: report.checks.map((check, n) => ({ ...check, timestamp: at(100 + n) })),
  });
  const wire = (n: number) => ({
    origin: 'implementation',
    specVersion: '2025-11-25',
    context: `response to 'tools/list'`,
    errors: [`ListToolsResult/tools/${n}/inputSchema: must be object`],
    message: {
      jsonrpc: '2.0',
      id: world.requests,
      result: { tools: [{ name: 'first' }, { name: 'second' }, { name: 'third' }] },
    },
  });
  const reports = [
    aReport({
      scenario: 'plain',
      checks: [aCheck({ id: 'plain-ok' }), aFailure('plain-bad', 'Expected -32601, got -32602')],
    }),
    aReport({
      scenario: 'noisy',
      checks: [
        aCheck({ id: 'noisy-log', status: 'INFO', details: { headers: { 'mcp-session-id': session } } }),
        aCheck({ id: 'noisy-ok', details: { sessionId: session } }),
        aFailure('noisy-address', `Server at http://localhost:${port}/mcp refused Host 127.0.0.1:${port}`, {
          details: { hostHeader: `localhost:${port}`, statusCode: 400, port, body: null },
        }),
        aFailure('noisy-session', lines(`Session ${session} was lost`, 'after one request'), {
          details: { sessionId: session, note: 'kept', attempts: 3 },
        }),
        aFailure('noisy-time', 'The answer is late', {
          details: {
            headers: { date: new Date(start + 2000).toUTCString() },
            seenAt: at(2000),
            response: { jsonrpc: '2.0', id: start + 2500, result: { ok: false } },
          },
        }),
        aCheck({ id: 'noisy-warning', status: 'WARNING', errorMessage: 'No retry field' }),
      ],
    }),
    aReport({
      scenario: 'repeated',
      checks: [1, 2, 3, 4, 5].map((n) =>
        aFailure('five-times', `Case ${n} failed`, { details: { field: `field-${n}`, code: -32600 - n } }),
      ),
    }),
    aReport({
      scenario: 'wire',
      checks: [
        aCheck({ id: 'wire-ok' }),
        aFailure('wire-schema-valid', `[implementation] … message: {"id":${world.requests}}`, {
          details: { messagesValidated: 3 + (world.requests % 2), violations: [wire(0), wire(2)] },
        }),
      ],
    }),
    aReport({
      scenario: 'skipped',
      checks: [
        aCheck({ id: 'skipped-ok' }),
        aCheck({ id: 'skipped-one', status: 'SKIPPED', errorMessage: 'Prerequisite missing' }),
      ],
    }),
    aReport({
      scenario: 'silent',
      checks: [aCheck({ id: 'silent-info', status: 'INFO', details: { message: 'not applicable' } })],
    }),
    aReport({
      scenario: 'thrown',
      origin: 'thrown',
      checks: [
        aFailure('thrown', 'Bad Request: Server not initialized', { description: 'Failed to run scenario' }),
      ],
    }),
    aReport({
      scenario: MASKED_SCENARIO,
      checks: [aFailure('masked-bad', `Token tok_${seed} is not known here`, { details: { weight: 7 } })],
    }),
    aReport({ scenario: 'extension', checks: [aFailure('extension-bad', 'Not implemented')] }),
    aReport({ scenario: 'pending', checks: [aCheck({ id: 'pending-ok' })] }),
  ];
  return reports
    .map(stamped)
    .map((report, n) => ({ report, rank: world.order[n] ?? n }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ report }) => report);
}

/** A run of that server, to be judged; without a baseline. */
export function runIn(world: World): JudgeInput {
  const url = `http://localhost:${world.port}/mcp`;
  const at = (ms: number) => new Date(world.start + ms).toISOString();
  const probe = (ms: number) =>
    aProbe({ url, at: at(ms), capabilities: { tools: { listChanged: true }, prompts: {} } });
  return {
    profile: aProfile(),
    metadata: someMetadata({
      runs: [aRefereeRun({ exitCode: 1 })],
      target: { kind: 'command', url, notes: [] },
      scenarios: {
        scored: ['plain', 'noisy', 'repeated', 'wire', 'skipped', 'silent', 'thrown', MASKED_SCENARIO],
        notScored: [
          { scenario: 'extension', reason: 'extension' },
          { scenario: 'pending', reason: 'pending' },
        ],
      },
      probes: { before: probe(0), after: probe(WINDOW_MS) },
      window: { from: at(0), to: at(WINDOW_MS) },
    }),
    reports: reportsIn(world),
    reportFindings: [],
    reruns: [],
    baseline: undefined,
    today: '2026-12-01',
    strictInfrastructure: false,
  };
}

/** The text of a baseline that was accepted in the first world, calibrated in another, and reviewed. */
export function reviewedText(): string {
  const run = runIn(FIRST_WORLD);
  const again = runIn({ ...FIRST_WORLD, port: 4100, seed: 'deadbeef', start: FIRST_WORLD.start + 60_000 });
  const acceptance = acceptProfile({
    ...run,
    calibrations: [{ url: again.metadata.target.url, window: again.metadata.window, reports: again.reports }],
    reviewed: '2026-11-30',
  });
  if (!acceptance.accepted || acceptance.refused.length > 0) throw new Error(JSON.stringify(acceptance));
  return acceptance.yaml;
}

export function reviewedBaseline(): Baseline {
  return parseBaseline(reviewedText(), 'server-2025-11-25.yaml', aProfile());
}
