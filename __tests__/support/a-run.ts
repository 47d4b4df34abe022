import { mkdir, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plan, TargetSpec } from '../../src/config/plan.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import type { RunMetadata } from '../../src/run/metadata.ts';
import { type RunContext, runProfile } from '../../src/run/run-profile.ts';
import type { ProgressEvent } from '../../src/shared/progress.ts';
import { aProfile, aReferee, aScenarioList } from './a-referee.ts';

/** A plan for one profile; deadlines are short enough for a test that goes wrong to end. */
export function aPlan(overrides: Partial<Plan> = {}): Plan {
  return {
    name: undefined,
    profiles: [],
    referee: {
      pin: parsePin('npm:0.2.0-alpha.12'),
      repository: 'https://github.com/modelcontextprotocol/conformance',
      locks: '',
      cache: '',
      offline: true,
    },
    baselines: '',
    output: '',
    only: undefined,
    confirm: 0,
    strictInfrastructure: false,
    jobs: 2,
    deadlines: { scenarioMs: 20_000, profileMs: 60_000, runMs: 120_000 },
    watch: [],
    ownership: [],
    secrets: [],
    origins: {},
    ...overrides,
  };
}

type ServerSpec = Extract<TargetSpec, { kind: 'command' }>;

/** A server that the gate starts. */
export function aServerCommand(command: string, overrides: Partial<ServerSpec> = {}): ServerSpec {
  return {
    kind: 'command',
    command,
    cwd: process.cwd(),
    env: {},
    url: { from: 'template', template: 'http://127.0.0.1:{port}/mcp' },
    ready: { timeoutMs: 20_000 },
    headers: [],
    boundary: 'observe',
    ...overrides,
  };
}

/** The reference server that a devDependency holds: 2025-11-25 only, over Streamable HTTP. */
export const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

export function everything(overrides: Partial<ServerSpec> = {}): ServerSpec {
  return aServerCommand(`"${process.execPath}" "${EVERYTHING}" streamableHttp`, overrides);
}

type ClientSpec = Extract<TargetSpec, { kind: 'client' }>;

/** A client that the referee starts. */
export function aClientCommand(command: string, overrides: Partial<ClientSpec> = {}): ClientSpec {
  return { kind: 'client', command, cwd: process.cwd(), env: {}, ...overrides };
}

/** A small client of the tests' own (small-client.ts). */
export function smallClient(overrides: Partial<ClientSpec> = {}): ClientSpec {
  const script = fileURLToPath(new URL('small-client.ts', import.meta.url));
  return aClientCommand(`${process.execPath} ${script}`, overrides);
}

/** What one run of a profile left behind. */
export interface Ran {
  readonly metadata: RunMetadata;
  readonly folder: string;
  readonly events: readonly ProgressEvent[];
}

export interface RunOptions extends Partial<RunContext> {
  readonly profile?: string;
  /** A partial run. */
  readonly only?: readonly string[];
}

/** Runs one profile in a folder of its own. */
export async function run(target: TargetSpec, options: RunOptions = {}): Promise<Ran> {
  const profile = aProfile(options.profile);
  const folder = options.folder ?? (await aFolder());
  const events: ProgressEvent[] = [];
  const metadata = await runProfile(
    { profile, target },
    {
      referee: aReferee(),
      scenarios: aScenarioList(profile, options.only),
      plan: aPlan(),
      source: {},
      progress: (event) => events.push(event),
      signal: new AbortController().signal,
      ...options,
      folder,
    },
  );
  return { metadata, folder, events };
}

export async function aFolder(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'gate-test-')), 'profile');
  await mkdir(folder);
  return folder;
}
