import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JudgeInput } from '../../src/gate/judge.ts';
import type { Profile } from '../../src/profile.ts';
import { scenarioOfFolder } from '../../src/reports/folder-name.ts';
import { readReports } from '../../src/reports/read-reports.ts';
import type { RunMetadata, ScenarioList } from '../../src/run/metadata.ts';
import { aFailedProbe, aProbe, aProfile, aRefereeRun, someMetadata } from './some-metadata.ts';

const RECORDINGS = fileURLToPath(new URL('../fixtures/recordings/', import.meta.url));

interface Recording {
  readonly run: { readonly url: string | null; readonly referee: string; readonly exitCode: number };
  /** Scenario folder → checks.json as the referee wrote it. */
  readonly reports: Readonly<Record<string, unknown>>;
  /** Lines of the referee's log, where the recording has one. */
  readonly log?: readonly string[];
}

/** What the frozen requirement sets of both revisions run without scoring, and the scenario that threw while recording. */
const NOT_SCORED: Readonly<Record<string, readonly string[]>> = {
  'server:2025-11-25': ['server-session-lifecycle', 'json-schema-2020-12', 'server-sse-polling'],
  'server:2026-07-28': [
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-status-notifications',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
    'json-schema-2020-12',
    'http-header-validation',
    'http-custom-header-server-validation',
  ],
  'client:2025-11-25': [
    'auth/client-credentials-jwt',
    'auth/client-credentials-basic',
    'auth/enterprise-managed-authorization',
    'auth/dpop',
    'auth/dpop-nonce',
    'auth/wif-jwt-bearer',
    'json-schema-2020-12-preservation',
  ],
};

/** A recorded run of the referee, unpacked as it lay on disk. */
export interface Unpacked {
  readonly folder: string;
  readonly profile: Profile;
  readonly metadata: RunMetadata;
}

/**
 * Writes a recording below `into` as the referee left it, with the metadata that a live run would have.
 * @param name such as `everything/run-a`
 * @param probed what the target said to the probes: it answered, it did not, or it was not asked
 */
export async function unpack(
  name: string,
  profileId: string,
  into: string,
  probed: 'answered' | 'failed' | 'none' = 'answered',
): Promise<Unpacked> {
  const profile = aProfile(profileId);
  const recording: Recording = JSON.parse(
    await readFile(join(RECORDINGS, name, `${profile.slug}.json`), 'utf8'),
  );
  const folder = join(into, name.replaceAll('/', '-'), profile.slug);
  for (const [path, checks] of Object.entries(recording.reports)) {
    const target = join(folder, 'raw', path, 'checks.json');
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(checks, null, 2));
  }
  const notScored = NOT_SCORED[profileId] ?? [];
  const known = new Set([...notScored, ...(profile.leg === 'server' ? ['server-initialize'] : [])]);
  const ran = Object.keys(recording.reports).map((path) => scenarioOfFolder(path, profile.leg, known));
  if (profileId === 'server:2026-07-28' && !ran.includes('tasks-capability-negotiation')) {
    await writeThrown(folder);
  }
  const scenarios: ScenarioList = {
    scored: ran.filter((scenario) => !notScored.includes(scenario)),
    notScored: notScored.map((scenario) => ({ scenario, reason: 'pending' })),
  };
  const url = recording.run.url ?? undefined;
  const probe = probed === 'none' ? null : probed === 'failed' ? aFailedProbe() : aProbe();
  return { folder, profile, metadata: metadataOf(recording, profile, scenarios, url, probe) };
}

/** The scenario that throws against servers that do not speak 2026-07-28: a folder without checks.json, and the log's words. */
async function writeThrown(folder: string): Promise<void> {
  await mkdir(join(folder, 'raw', 'server-tasks-capability-negotiation-2026-11-30T17-39-18-200Z'), {
    recursive: true,
  });
  await writeFile(
    join(folder, 'referee.log'),
    [
      '=== Running scenario: tasks-capability-negotiation ===',
      "Running client scenario 'tasks-capability-negotiation' against server: http://localhost:3902/mcp",
      'Failed to run scenario tasks-capability-negotiation: Et [JsonRpcError]: Bad Request: Server not initialized',
      '    at l (file:///referee/dist/index.js:1128:6778)',
      '    at async ga.run (file:///referee/dist/index.js:2073:16100) {',
      '  code: -32000,',
      '  data: undefined',
      '}',
      '',
      '=== Running scenario: tasks-wire-fields ===',
      '',
    ].join('\n'),
  );
}

function metadataOf(
  recording: Recording,
  profile: Profile,
  scenarios: ScenarioList,
  url: string | undefined,
  probe: RunMetadata['probes']['before'],
): RunMetadata {
  const times = Object.values(recording.reports)
    .flatMap((checks) => (checks as { timestamp: string }[]).map(({ timestamp }) => timestamp))
    .sort();
  return someMetadata({
    profile: profile.id,
    referee: {
      ...someMetadata().referee,
      pin: recording.run.referee.replace('@modelcontextprotocol/conformance@', 'npm:'),
      integrity: `sha512-${recording.run.referee}`,
    },
    runs: [aRefereeRun({ exitCode: recording.run.exitCode })],
    target: { kind: url === undefined ? 'client' : 'url', ...(url === undefined ? {} : { url }), notes: [] },
    scenarios,
    probes: {
      before: probe === null || url === undefined ? null : { ...probe, url },
      after: probe === null || url === undefined ? null : { ...probe, url },
    },
    window: { from: times[0] ?? '', to: times.at(-1) ?? '' },
  });
}

/** Reads an unpacked recording into what the judge takes; no baseline unless given. */
export async function judgeInput(
  { folder, profile, metadata }: Unpacked,
  overrides: Partial<JudgeInput> = {},
): Promise<JudgeInput> {
  const { reports, findings } = await readReports(folder, metadata.scenarios, profile);
  return {
    profile,
    metadata,
    reports,
    reportFindings: findings,
    reruns: [],
    baseline: undefined,
    today: '2026-12-01',
    strictInfrastructure: false,
    ...overrides,
  };
}
