import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { descendants, endProcesses, type ProcessRef, stillRunning } from '../support/descendants.ts';
import { type FakeResultsService, startFakeResultsService } from '../support/fake-results-service.ts';
import { type JobResult, runComposite } from '../support/run-action.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LONG = 180_000;

/** What a runner keeps between jobs, and the service behind it. Node of this test runs every process. */
let disk: string;
let service: FakeResultsService;
const orphans: ProcessRef[] = [];

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'mcp-gate-wiring-'));
  service = await startFakeResultsService();
}, LONG);

afterAll(async () => {
  await endProcesses(orphans);
  await service[Symbol.asyncDispose]();
  await rm(disk, { recursive: true, force: true });
});

const demoServer = `"${process.execPath}" "${join(root, 'dist/demo-server.js')}" --port {port}`;
let runs = 0;

/** Runs the action in a workspace of its own unless one is given, as a job of its own attempt. */
async function run(options: {
  inputs: Record<string, string>;
  workspace?: string;
  env?: Record<string, string>;
  onStart?: (step: string, child: ChildProcess) => void;
}): Promise<JobResult & { workspace: string }> {
  runs += 1;
  const workspace = options.workspace ?? join(disk, `workspace-${runs}`);
  const temp = join(disk, `temp-${runs}`);
  await Promise.all([workspace, temp].map((folder) => mkdir(folder, { recursive: true })));
  const result = await runComposite({
    root,
    workspace,
    temp,
    inputs: { 'server-command': demoServer, ...options.inputs },
    env: {
      ...service.env,
      RUNNER_TOOL_CACHE: join(disk, 'tools'),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'octo/server',
      GITHUB_RUN_ID: '4711',
      GITHUB_RUN_ATTEMPT: String(runs),
      GITHUB_JOB: 'conformance',
      ...options.env,
    },
    ...(options.onStart ? { onStart: options.onStart } : {}),
  });
  return { ...result, workspace };
}

const outcomes = (result: JobResult) => result.steps.map(({ id, outcome }) => `${id}: ${outcome}`);
const step = (result: JobResult, id: string) => {
  const found = result.steps.find((one) => one.id === id);
  if (!found) throw new Error(`There was no step ${id}.`);
  return found;
};

/** The uploaded files of a job, by the id that the action put out. */
async function uploaded(result: JobResult): Promise<Map<string, Buffer>> {
  const artifact = service.artifacts.find(({ id }) => String(id) === result.outputs['artifact-id']);
  if (!artifact) throw new Error(`No artifact ${result.outputs['artifact-id']} was uploaded.`);
  expect(result.outputs['artifact-url']).toBe(
    `https://github.com/octo/server/actions/runs/4711/artifacts/${artifact.id}`,
  );
  return service.files(artifact.name);
}

const rawReports = (paths: Iterable<string>) =>
  [...paths].filter((path) => /^profiles\/[^/]+\/raw\/.+\/checks\.json$/.test(path)).sort();

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const path of glob('**/checks.json', { cwd: folder })) files.push(path);
  return files;
}

describe('the action', () => {
  it(
    'passes a server that agrees with its reviewed baseline, and keeps every raw report',
    async () => {
      const result = await run({ inputs: { name: 'demo', baselines: join(root, 'baselines') } });
      expect(outcomes(result)).toEqual([
        'gate: success',
        'drift: skipped',
        'upload: success',
        'verdict: success',
      ]);
      expect(result.conclusion).toBe('success');
      expect(result.outputs).toMatchObject({ outcome: 'pass', 'outcome-class': 'pass', findings: '0' });

      const report = result.outputs['report-path'] ?? '';
      const files = await uploaded(result);
      expect(rawReports(files.keys())).toEqual(rawReports(await filesBelow(report)));
      // 33 scenarios of 2025-11-25 and 50 of 2026-07-28; one that throws leaves no checks.json.
      expect(rawReports(files.keys()).length).toBeGreaterThan(75);
      const verdict = verdictSchema.parse(JSON.parse(files.get('verdict.json')?.toString() ?? 'null'));
      expect(verdict.outcome).toBe('pass');
      expect(verdict.profiles.map(({ profile }) => profile)).toEqual([
        'server:2025-11-25',
        'server:2026-07-28',
      ]);
      expect(await readFile(result.outputs['verdict-file'] ?? '', 'utf8')).toBe(
        files.get('verdict.json')?.toString(),
      );
      expect(step(result, 'gate').summary).toContain(verdict.headline);
    },
    LONG,
  );

  it(
    'fails a server that nobody reviewed, in its last step, after the upload',
    async () => {
      const result = await run({ inputs: { profile: 'server:2025-11-25' } });
      expect(outcomes(result)).toEqual([
        'gate: success',
        'drift: skipped',
        'upload: success',
        'verdict: failure',
      ]);
      expect(result.conclusion).toBe('failure');
      expect(result.outputs.outcome).toBe('fail');
      expect(Number(result.outputs.findings)).toBeGreaterThan(0);
      const files = await uploaded(result);
      const verdict = verdictSchema.parse(JSON.parse(files.get('verdict.json')?.toString() ?? 'null'));
      expect(verdict.findings).toContainEqual(
        expect.objectContaining({
          kind: 'unclassified',
          scenario: 'tools-call-audio',
          statuses: ['FAILURE'],
        }),
      );
      expect(rawReports(files.keys())).not.toEqual([]);
      expect(step(result, 'verdict').log).toContain(verdict.headline);
    },
    LONG,
  );

  it(
    'says inconclusive and keeps what there is when the gate is killed half-way',
    async () => {
      const interfering: Promise<void>[] = [];
      const result = await run({
        inputs: {},
        onStart: (id, child) => {
          if (id === 'gate') interfering.push(killHalfWay(child, join(disk, `workspace-${runs}`)));
        },
      });
      await Promise.all(interfering);
      expect(outcomes(result)).toEqual([
        'gate: failure',
        'drift: skipped',
        'upload: success',
        'verdict: failure',
      ]);
      expect(result.conclusion).toBe('failure');
      expect(result.outputs).toMatchObject({ outcome: 'inconclusive', 'verdict-file': '' });
      const files = await uploaded(result);
      expect(rawReports(files.keys()).length).toBeGreaterThan(0);
      expect(files.has('verdict.json')).toBe(false);
      expect(step(result, 'verdict').log).toMatch(/^::error::.*[Ii]nconclusive/m);
      expect(step(result, 'verdict').summary).toMatch(/[Ii]nconclusive/);
    },
    LONG,
  );

  it(
    'looks upstream before the upload, and takes nothing that it cannot reach for a change',
    async () => {
      const nobody = `http://127.0.0.1:${await freePort()}`;
      const result = await run({
        inputs: {
          ...{ name: 'demo', baselines: join(root, 'baselines'), profile: 'server:2025-11-25' },
          ...{ drift: 'true', 'fail-on-drift': 'moved' },
        },
        env: { GITHUB_API_URL: nobody, npm_config_registry: nobody },
      });
      expect(outcomes(result)).toEqual([
        'gate: success',
        'drift: success',
        'upload: success',
        'verdict: success',
      ]);
      expect(result.outputs).toMatchObject({ outcome: 'pass', drift: 'unknown', 'issue-url': '' });
      const files = await uploaded(result);
      expect([...files.keys()].filter((path) => path.startsWith('drift/'))).not.toEqual([]);
    },
    LONG,
  );

  it(
    'keeps a verdict and leaves nothing running when the job is cancelled',
    async () => {
      const interfering: Promise<ProcessRef[]>[] = [];
      let tookMs = Number.POSITIVE_INFINITY;
      const result = await run({
        inputs: {},
        onStart: (id, child) => {
          if (id !== 'gate') return;
          const cancel = async () => {
            const below = await halfWay(child, join(disk, `workspace-${runs}`));
            const from = performance.now();
            child.once('exit', () => {
              tookMs = performance.now() - from;
            });
            child.kill('SIGINT');
            return below;
          };
          interfering.push(cancel());
        },
      });
      const [below = []] = await Promise.all(interfering);
      orphans.push(...below);
      // The runner asks again after 7.5 s and kills 2.5 s later.
      expect(tookMs).toBeLessThan(10_000);
      expect(below.length).toBeGreaterThan(0);
      expect(await stillRunning(below)).toEqual([]);
      expect(step(result, 'upload').outcome).toBe('success');
      expect(step(result, 'verdict').outcome).toBe('failure');
      expect(result.outputs.outcome).toBe('inconclusive');
      const files = await uploaded(result);
      const verdict = verdictSchema.parse(JSON.parse(files.get('verdict.json')?.toString() ?? 'null'));
      expect(verdict.findings.map(({ kind }) => kind)).toContain('interrupted');
      expect(rawReports(files.keys()).length).toBeGreaterThan(0);
    },
    LONG,
  );

  it(
    'does not believe the verdict that an earlier run left on the same disk',
    async () => {
      const inputs = { name: 'demo', baselines: join(root, 'baselines'), profile: 'server:2025-11-25' };
      const first = await run({ inputs });
      expect(first.outputs.outcome).toBe('pass');
      const second = await run({
        inputs,
        workspace: first.workspace,
        onStart: (id, child) => void (id === 'gate' && child.kill('SIGKILL')),
      });
      const left = JSON.parse(
        await readFile(join(first.workspace, 'conformance-report/verdict.json'), 'utf8'),
      );
      expect(left.outcome).toBe('pass');
      expect(second.outputs.outcome).toBe('inconclusive');
      expect(step(second, 'verdict').outcome).toBe('failure');
      expect(second.outputs['artifact-id']).toBe('');
    },
    LONG,
  );

  it(
    "points out the user's mistake, runs nothing, and fails",
    async () => {
      const result = await run({ inputs: { profile: 'servr:2025-11-25' } });
      expect(outcomes(result)).toEqual([
        'gate: failure',
        'drift: skipped',
        'upload: success',
        'verdict: failure',
      ]);
      expect(step(result, 'gate').log).toMatch(/^::error [^\n]*servr:2025-11-25/m);
      expect(result.outputs).toMatchObject({ outcome: 'inconclusive', 'outcome-class': 'setup' });
    },
    LONG,
  );

  it(
    'takes an empty input as not given, and points at the line of the baseline that wants a person',
    async () => {
      const workspace = join(disk, 'workspace-of-a-reviewer');
      const file = 'baselines/server-2025-11-25.yaml';
      const reviewed = await readFile(join(root, 'baselines/demo/server-2025-11-25.yaml'), 'utf8');
      await mkdir(join(workspace, 'baselines'), { recursive: true });
      await writeFile(join(workspace, file), reviewed.replace(/^( *reviewed:) .*$/m, '$1'));
      const line =
        reviewed.split('\n').findIndex((text) => /^ *- scenario: tools-call-audio$/.test(text)) + 1;

      const empty = { name: '', config: '', annotations: '', summary: '', confirm: '', 'compare-with': '' };
      const result = await run({ workspace, inputs: { ...empty, profile: 'server:2025-11-25' } });
      expect(result.outputs).toMatchObject({ outcome: 'fail', 'outcome-class': 'review', findings: '1' });
      expect(step(result, 'gate').log).toMatch(
        new RegExp(`^::error title=[^\\n]*tools-call-audio[^\\n]*,file=${file},line=${line}::`, 'm'),
      );
      expect(step(result, 'gate').summary).not.toBe('');
    },
    LONG,
  );

  it.each(['summary', 'offline'])(
    'finds a mistake in %s before it measures anything',
    async (input) => {
      const result = await run({ inputs: { profile: 'server:2025-11-25', [input]: 'perhaps' } });
      expect(step(result, 'gate').log).toMatch(new RegExp(`^::error [^\\n]*::.*${input}: "perhaps"`, 'm'));
      expect(result.outputs).toMatchObject({ outcome: 'inconclusive', 'report-path': '' });
    },
    LONG,
  );

  it(
    'does not let a lost upload change the verdict',
    async () => {
      service.fail('CreateArtifact', { status: 403 }, { status: 403 });
      const result = await run({
        inputs: { name: 'demo', baselines: join(root, 'baselines'), profile: 'server:2025-11-25' },
      });
      expect(outcomes(result)).toEqual([
        'gate: success',
        'drift: skipped',
        'upload: success',
        'verdict: success',
      ]);
      expect(step(result, 'upload').log).toMatch(/^::warning::.*not uploaded/m);
      expect(result.outputs['artifact-id']).toBe('');
    },
    LONG,
  );
});

/** Waits until the gate has written a first raw report; then everything that it started is noted down. */
async function halfWay(gate: ChildProcess, workspace: string): Promise<ProcessRef[]> {
  const folder = join(workspace, 'conformance-report');
  while (gate.exitCode === null && rawReports(await filesBelow(folder)).length === 0) await delay(20);
  if (gate.exitCode !== null || gate.pid === undefined)
    throw new Error('The gate ended before it was half-way.');
  return descendants(gate.pid);
}

/** Ends the gate half-way as the system does when memory runs out, and then what it could not stop itself. */
async function killHalfWay(gate: ChildProcess, workspace: string): Promise<void> {
  const ended = once(gate, 'exit');
  await halfWay(gate, workspace);
  // Stopped first, so that nothing is started between looking at its children and its end.
  gate.kill('SIGSTOP');
  orphans.push(...(await descendants(gate.pid ?? 0)));
  gate.kill('SIGKILL');
  await ended;
  await endProcesses(orphans);
}

/** A port of loopback on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
