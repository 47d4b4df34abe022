import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeError } from '../../src/command/show-error.ts';
import { loadPlan } from '../../src/config/load-plan.ts';
import type { GivenOptions } from '../../src/config/options.ts';
import type { Plan } from '../../src/config/plan.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function planOf(
  given: GivenOptions,
  yaml?: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Plan> {
  return planIn(await folderWith(yaml), given, environment);
}

async function folderWith(yaml?: string): Promise<string> {
  const folder = await temporaryFolder();
  if (yaml !== undefined) await writeFile(join(folder, 'mcp-conformance.yaml'), yaml);
  return folder;
}

function planIn(folder: string, given: GivenOptions, environment: NodeJS.ProcessEnv = {}): Promise<Plan> {
  return loadPlan(given, folder, environment);
}

async function errorOf(given: GivenOptions, yaml?: string): Promise<string> {
  const folder = await folderWith(yaml);
  return planIn(folder, given).then(
    () => 'no error',
    (error: unknown) => describeError(error, folder),
  );
}

describe('a plan', () => {
  test('has both dated server profiles, a default pin and folders beside the command when only a URL is given', async () => {
    const folder = await temporaryFolder();
    const plan = await planIn(folder, { url: 'http://127.0.0.1:3000/mcp' });
    expect(plan.profiles.map(({ profile }) => profile.id)).toEqual([
      'server:2025-11-25',
      'server:2026-07-28',
    ]);
    expect(plan.profiles[0]?.target).toMatchObject({ kind: 'url', url: 'http://127.0.0.1:3000/mcp' });
    expect(plan.referee.pin).toMatchObject({ kind: 'npm', version: '0.2.0-alpha.12' });
    expect(plan.baselines).toBe(join(folder, 'baselines'));
    expect(plan.output).toBe(join(folder, 'conformance-report'));
    expect(plan.deadlines).toEqual({ scenarioMs: 30_000, profileMs: 900_000, runMs: 3_600_000 });
  });

  test('takes an explicit option before the file before the default, and knows which won', async () => {
    const plan = await planOf(
      { url: 'http://127.0.0.1:1/mcp', confirm: '3', output: '' },
      'confirm: 2\njobs: 4\nscenario-timeout: 2m\noutput: kept\n',
    );
    expect([plan.confirm, plan.jobs, plan.deadlines.scenarioMs]).toEqual([3, 4, 120_000]);
    expect(plan.output.endsWith('/kept')).toBe(true);
    expect(plan.origins).toMatchObject({
      confirm: 'input',
      jobs: 'file',
      output: 'file',
      referee: 'default',
    });
  });

  test('lets a profile of the file have its own address and environment, and keep the shared command', async () => {
    const plan = await planOf(
      {},
      `
server:
  command: node server.js --port {port}
  url: http://127.0.0.1:{port}/mcp
  env: { LOG_LEVEL: warn }
  ready: { timeout: 90s, name: my-server }
profiles:
  - server:2025-11-25
  - server:2026-07-28: { server: { env: { STATELESS: "1" }, url: "http://127.0.0.1:{port}/stateless" } }
`,
    );
    expect(plan.profiles.map(({ target }) => target)).toMatchObject([
      {
        kind: 'command',
        env: { LOG_LEVEL: 'warn' },
        url: { from: 'template', template: 'http://127.0.0.1:{port}/mcp' },
      },
      {
        kind: 'command',
        command: 'node server.js --port {port}',
        env: { LOG_LEVEL: 'warn', STATELESS: '1' },
        url: { from: 'template', template: 'http://127.0.0.1:{port}/stateless' },
        ready: { timeoutMs: 90_000, name: 'my-server' },
      },
    ]);
  });

  test('reads .github/mcp-conformance.yaml too, with the baselines beside it', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, '.github'));
    await writeFile(
      join(folder, '.github', 'mcp-conformance.yaml'),
      'name: api\nserver: { url: "http://127.0.0.1:9/mcp" }\n',
    );
    const plan = await planIn(folder, {});
    expect(plan.baselines).toBe(join(folder, '.github', 'baselines', 'api'));
    expect(plan.referee.locks).toBe(join(folder, '.github', 'baselines', 'referee'));
  });

  test('an option that names a target replaces the target of the file, not what is said about it', async () => {
    const plan = await planOf(
      { url: 'http://127.0.0.1:9/mcp', profile: 'server:2025-11-25' },
      'server: { command: node server.js, ready: { timeout: 5s } }\n',
    );
    expect(plan.profiles[0]?.target).toMatchObject({
      kind: 'url',
      url: 'http://127.0.0.1:9/mcp',
      ready: { timeoutMs: 5000 },
    });
  });

  test('knows every text that must never be kept', async () => {
    const plan = await planOf(
      {
        url: 'http://127.0.0.1:9/mcp',
        header: ['Authorization: Bearer s3cr3t-token', 'X-Tenant: acme'],
        env: ['API_TOKEN=given-value'],
      },
      'server: { headers: { X-Key: "${MY_KEY}" } }\n',
      { MY_KEY: 'key-from-environment', GITHUB_TOKEN: 'ghs_runner' },
    );
    expect(plan.secrets).toEqual([
      'key-from-environment',
      'Bearer s3cr3t-token',
      's3cr3t-token',
      'given-value',
      'ghs_runner',
      'acme',
    ]);
    expect(JSON.stringify(plan.origins)).not.toContain('s3cr3t');
  });

  test('takes lists from the lines of an action input', async () => {
    const plan = await planOf({
      url: 'http://127.0.0.1:9/mcp',
      profile: 'server:2025-11-25\n\nserver:2026-07-28\n',
      scenario: 'ping\ntools-list',
    });
    expect(plan.profiles).toHaveLength(2);
    expect(plan.only).toEqual(['ping', 'tools-list']);
  });
});

describe('a mistake is told with its place and the nearest valid choice', () => {
  const url = { url: 'http://127.0.0.1:9/mcp' };
  test.each<[string, GivenOptions, string | undefined, string]>([
    [
      'no target',
      {},
      undefined,
      'error: Profile server:2025-11-25 needs a server, and none was given.\n  Give --url URL',
    ],
    [
      'unknown profile kind',
      { ...url, profile: ['sever:2025-11-25'] },
      undefined,
      'error: "sever:2025-11-25" is not a profile.\n  Did you mean server:2025-11-25?',
    ],
    [
      'unknown revision form',
      { ...url, profile: ['server:2025-11'] },
      undefined,
      'error: "server:2025-11" is not a profile.\n  Did you mean server:2025-11-25?',
    ],
    [
      'profile twice',
      { ...url, profile: ['server:2025-11-25', 'server:2025-11-25'] },
      undefined,
      'listed twice',
    ],
    [
      'unknown key',
      url,
      'servr: {}\n',
      'error: Unknown key "servr".\n  at mcp-conformance.yaml:1:1\n  Did you mean server?',
    ],
    [
      'unknown nested key',
      url,
      'server:\n  url: http://127.0.0.1:1/\n  redy: {}\n',
      'error: Unknown key "redy" in server.\n  at mcp-conformance.yaml:3:3\n  Did you mean ready?',
    ],
    [
      'unknown key of a profile',
      url,
      'profiles:\n  - server:2025-11-25: { server: { commnd: x } }\n',
      'at mcp-conformance.yaml:2:36\n  Did you mean command?',
    ],
    ['wrong type', url, 'jobs: many\n', 'at mcp-conformance.yaml:1:1'],
    [
      'no time',
      url,
      'scenario-timeout: soon\n',
      '"soon" is no length of time; write 500ms, 60s or 5m.\n  at mcp-conformance.yaml:1:1',
    ],
    ['broken YAML', url, 'server: { url: \n', 'error: The configuration is not valid YAML'],
    [
      'anchor',
      url,
      'server: &a { cwd: x }\nclient: *a\n',
      'error: The configuration uses a YAML anchor or alias, which is not allowed.\n  at mcp-conformance.yaml:1:12',
    ],
    ['merge key', url, 'server: { <<: { cwd: x } }\n', 'uses a YAML merge key (<<)'],
    ['key twice', url, 'jobs: 1\njobs: 2\n', 'at mcp-conformance.yaml:2:1'],
    [
      'stdio with url',
      { ...url, 'stdio-command': 'node s.js' },
      undefined,
      'error: --stdio-command and --url contradict each other',
    ],
    [
      'port in the command only',
      { 'server-command': 'node s.js --port {port}', url: 'http://127.0.0.1:3000/mcp' },
      undefined,
      'has a fixed port.\n  Put {port} into the URL too',
    ],
    [
      'port in the URL only',
      { url: 'http://127.0.0.1:{port}/mcp' },
      undefined,
      'there is no command to start a server on it',
    ],
    [
      'two ways to the address',
      {},
      'server: { command: x, url: "http://127.0.0.1:{port}/", url-file: u.txt }\n',
      'url-file and url contradict each other',
    ],
    ['no URL', { url: 'localhost:3000' }, undefined, 'error: "localhost:3000" is not an http or https URL.'],
    [
      'password in the URL',
      { url: 'http://me:hunter2@127.0.0.1/mcp' },
      undefined,
      'carries a user name or password',
    ],
    [
      'header without a name',
      { ...url, header: ['hunter2'] },
      undefined,
      'error: A --header is not of the form "Name: value".',
    ],
    [
      'header with a line break',
      { ...url, header: ['A: b\u0001c'] },
      undefined,
      'has a character that HTTP does not allow',
    ],
    [
      'variable that is not set',
      url,
      'server: { headers: { A: "${NOPE}" } }\n',
      'error: The environment variable NOPE is not set.\n  at mcp-conformance.yaml:1:22',
    ],
    ['env without a name', { 'server-command': 'x', env: ['=x'] }, undefined, 'not of the form NAME=value'],
    [
      'confirm out of range',
      { ...url, confirm: '-1' },
      undefined,
      'error: confirm: "-1" is not a whole number from 0 to 20.',
    ],
    ['name that is a path', { ...url, name: '../x' }, undefined, 'cannot be the name of a folder'],
    [
      'output that holds this folder',
      { ...url, output: '.' },
      undefined,
      'holds this folder, and the report folder is emptied',
    ],
    [
      'output that holds the baselines',
      { ...url, output: 'rep', baselines: 'rep/baselines' },
      undefined,
      'holds the baselines',
    ],
    [
      'boundary without a header',
      url,
      'server: { boundary: required }\n',
      'boundary: required needs a header',
    ],
    [
      'client profile without a client',
      { profile: ['client:2025-11-25'] },
      undefined,
      'needs a client, and none was given',
    ],
    [
      'config that is not there',
      { ...url, config: 'nope.yaml' },
      undefined,
      'error: The configuration file cannot be read',
    ],
    [
      'bad regular expression',
      {},
      'server: { command: x, url-from-log: "(" }\n',
      'needs to be a regular expression with one group',
    ],
  ])('%s', async (_name, given, yaml, expected) => {
    const told = await errorOf(given, yaml);
    expect(told).toContain(expected);
    expect(told).not.toContain('hunter2');
  });
});
