import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveUpstream } from '../../src/drift/state.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { type FakeGitHub, startFakeGitHub, TOKENS } from '../support/fake-github.ts';
import { type FakeRegistry, startFakeRegistry } from '../support/fake-registry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WATCHED = 'person/sdk';

interface Ran {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: string;
  readonly summary: string;
  readonly stdout: string;
}

/** Runs an entry point as its own process, as a runner or a person does. */
async function run(
  entry: 'drift' | 'cli',
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const files = { outputs: join(cwd, '.outputs'), summary: join(cwd, '.summary') };
  for (const file of Object.values(files)) await writeFile(file, '');
  const child = spawn(process.execPath, [join(packageRoot(), 'src/entry', `${entry}.ts`), ...args], {
    cwd,
    env: { ...env, GITHUB_OUTPUT: files.outputs, GITHUB_STEP_SUMMARY: files.summary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    code,
    log: stdout + stderr,
    stdout,
    outputs: await readFile(files.outputs, 'utf8'),
    summary: await readFile(files.summary, 'utf8'),
  };
}

/** A repository that watches a branch which has moved since it was adopted; its referee has not. */
async function aRepository(github: FakeGitHub): Promise<string> {
  const cwd = await temporaryFolder();
  await github.write(WATCHED, 'src/auth.ts', 'one');
  const { sha } = (await github.api('person', 'GET', `/repos/${WATCHED}/commits/main`)) as { sha: string };
  await mkdir(join(cwd, 'baselines'));
  await saveUpstream(join(cwd, 'baselines/upstream.json'), {
    schema: 1,
    sources: {
      [`branch:${WATCHED}`]: { kind: 'branch', adopted: '2026-11-01', branch: 'main', commit: sha },
    },
  });
  await writeFile(
    join(cwd, 'mcp-conformance.yaml'),
    `referee: npm:0.2.0-alpha.12\nwatch:\n  - referee\n  - branch: ${WATCHED}\n`,
  );
  await github.write(WATCHED, 'src/auth.ts', 'two');
  return cwd;
}

function environment(
  github: FakeGitHub,
  registry: FakeRegistry,
  cwd: string,
  more: Record<string, string> = {},
) {
  registry.publish('@modelcontextprotocol/conformance', ['0.2.0-alpha.12'], { latest: '0.2.0-alpha.12' });
  return {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    ...Object.fromEntries(Object.entries(registry.env).filter(([name]) => name.startsWith('npm_config'))),
    GITHUB_API_URL: github.url,
    ...more,
  } as Record<string, string>;
}

const STEP = {
  GITHUB_ACTIONS: 'true',
  CI: 'true',
  GITHUB_REPOSITORY: 'gate/server',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '77',
  'INPUT_GITHUB-TOKEN': TOKENS.gate,
};

test('the step opens the issue, sets outputs, fills the summary, and never shows the token', async () => {
  await using github = await startFakeGitHub([WATCHED]);
  await using registry = await startFakeRegistry();
  const cwd = await aRepository(github);
  const env = environment(github, registry, cwd, { ...STEP, 'INPUT_FAIL-ON-DRIFT': 'moved' });
  const first = await run('drift', [], cwd, env);
  expect(first.code, first.log).toBe(0);
  expect(first.outputs).toMatch(/drift<<.*\nmoved\n/);
  expect(first.outputs).toMatch(/failed<<.*\ntrue\n/);
  expect(first.outputs).toMatch(/issue-url<<.*\nhttp.*\/gate\/server\/issues\/1\n/);
  expect(first.summary).toContain('src/auth.ts');
  expect(first.log).toContain('Opened the drift issue');
  const issue = (await github.api('gate', 'GET', '/repos/gate/server/issues/1')) as {
    body: string;
    labels: { name: string }[];
  };
  expect(issue.body).toContain('https://github.com/gate/server/actions/runs/77');
  expect(issue.labels.map((label) => label.name)).toEqual(['mcp-drift']);
  // The runner masks what ::add-mask:: names; nowhere else may the token be.
  const masked = first.log
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .join('\n');
  expect(masked + first.outputs + first.summary + issue.body).not.toContain(TOKENS.gate);
  expect(await readdir(cwd)).not.toContain('conformance-report');

  github.proxy.forget();
  const again = await run('drift', [], cwd, env);
  expect(again.log).toContain('says so already');
  expect(github.proxy.writes()).toEqual([]);
});

test('a token that may not write: a notice, the summary, and no failure', async () => {
  await using github = await startFakeGitHub([WATCHED]);
  await using registry = await startFakeRegistry();
  const cwd = await aRepository(github);
  github.proxy.fault({
    method: 'POST',
    path: /gate\/server/,
    answer: { status: 403, body: { message: 'Resource not accessible by integration' } },
  });
  const ran = await run('drift', [], cwd, environment(github, registry, cwd, STEP));
  expect(ran.code, ran.log).toBe(0);
  expect(ran.log).toMatch(/^::notice .*summary only/m);
  expect(ran.outputs).toMatch(/failed<<.*\nfalse\n/);
  expect(ran.summary).toContain('src/auth.ts');
});

test('a wrong word for fail-on-drift fails the step with the words there are', async () => {
  await using github = await startFakeGitHub();
  await using registry = await startFakeRegistry();
  const cwd = await temporaryFolder();
  const ran = await run(
    'drift',
    [],
    cwd,
    environment(github, registry, cwd, { ...STEP, 'INPUT_FAIL-ON-DRIFT': 'always' }),
  );
  expect(ran.code).toBe(1);
  expect(ran.log).toContain('false, moved, breaking');
});

test('the command prints the report, and --issue writes it', async () => {
  await using github = await startFakeGitHub([WATCHED]);
  await using registry = await startFakeRegistry();
  const cwd = await aRepository(github);
  const env = environment(github, registry, cwd, { GITHUB_TOKEN: TOKENS.gate });
  const plain = await run('cli', ['drift', '--fail-on-drift', 'moved', '--json'], cwd, env);
  expect(plain.code, plain.log).toBe(1);
  expect(plain.log).toMatch(/moved {4}person\/sdk: main [0-9a-f]{12} → main [0-9a-f]{12}/);
  expect(JSON.parse(plain.stdout)).toMatchObject({
    status: 'moved',
    outcome: 'fail',
    trial: { kind: 'not-needed' },
  });
  expect(github.proxy.writes()).toEqual([]);

  const written = await run(
    'cli',
    ['drift', '--issue', 'gate/server', '--issue-labels', 'upstream'],
    cwd,
    env,
  );
  expect(written.code, written.log).toBe(0);
  const issue = (await github.api('gate', 'GET', '/repos/gate/server/issues/1')) as {
    labels: { name: string }[];
  };
  expect(issue.labels.map((label) => label.name)).toEqual(['upstream']);

  expect((await run('cli', ['drift', '--adopt'], cwd, { ...env, CI: 'true' })).code).toBe(2);
  const adopted = await run('cli', ['drift', '--adopt'], cwd, env);
  expect(adopted.code, adopted.log).toBe(0);
  expect(adopted.log).toContain('baselines/upstream.json: Conformance referee, person/sdk.');
  const closed = await run('cli', ['drift', '--issue', 'gate/server'], cwd, env);
  expect(closed.log).toContain('Closed the drift issue as resolved');
});
