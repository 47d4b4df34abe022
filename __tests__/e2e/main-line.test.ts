import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Verdict, verdictSchema } from '../../src/gate/verdict.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { processesWith } from '../support/processes-with.ts';
import { runCli, TEST_CACHE } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EVERYTHING = join(packageRoot(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const everything = `exec '${process.execPath}' '${EVERYTHING}' streamableHttp`;

async function verdictOf(folder: string): Promise<Verdict> {
  return verdictSchema.parse(JSON.parse(await readFile(join(folder, 'verdict.json'), 'utf8')));
}

describe('demo', () => {
  test('measures the embedded server on both revisions and passes: verdict first, report folder last', async () => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await runCli(['demo'], { cwd });
    const told = stderr
      .slice(stderr.indexOf('\nPASS') + 1)
      .trimEnd()
      .split('\n');
    expect(told[0]).toMatch(/^PASS {2}demo: /);
    expect(told.at(-1)).toBe(`Report: ${join(cwd, 'conformance-report')}`);
    expect(code).toBe(0);
    const verdict = await verdictOf(join(cwd, 'conformance-report'));
    expect(
      verdict.profiles.map(({ profile, outcome, counts }) => [profile, outcome, counts.scenarios.scored]),
    ).toEqual([
      ['server:2025-11-25', 'pass', 30],
      ['server:2026-07-28', 'pass', 37],
    ]);
  });
});

describe('a real server that is new to the gate', () => {
  test('is told check by check, accepted, reviewed, and then passes on any port', async () => {
    const cwd = await temporaryFolder();
    const run = () => runCli(['run', '--server-command', everything], { cwd });
    const report = join(cwd, 'conformance-report');

    const first = await run();
    expect(first.code).toBe(1);
    const verdict = await verdictOf(report);
    expect(new Set(verdict.findings.map(({ kind }) => kind))).toEqual(new Set(['unclassified']));
    for (const { profile, slug } of verdict.profiles) {
      const checks = JSON.parse(await readFile(join(report, 'profiles', slug, 'checks.json'), 'utf8')) as {
        scenario: string;
        check: string;
        scored: boolean;
        statuses: string[];
      }[];
      const open = checks.filter(
        ({ scored, statuses }) => scored && statuses.some((status) => !/SUCCESS|INFO/.test(status)),
      );
      const told = verdict.findings.filter((finding) => finding.profile === profile);
      expect(told).toEqual(
        open.map(({ scenario, check, statuses }) =>
          expect.objectContaining({ scenario, check, statuses, firstLine: expect.stringMatching(/\S/) }),
        ),
      );
      expect(open.length).toBeGreaterThan(15);
    }
    expect(verdict.profiles[1]?.notes.join('\n')).toContain('tasks-capability-negotiation');

    const accepted = await runCli(['accept', '--server-command', everything], { cwd });
    expect(accepted.stderr).toContain('19 added');
    expect(accepted.code).toBe(0);
    const second = await run();
    expect(second.code).toBe(1);
    expect(new Set((await verdictOf(report)).findings.map(({ kind }) => kind))).toEqual(
      new Set(['unreviewed']),
    );

    for (const name of await readdir(join(cwd, 'baselines'))) {
      const file = join(cwd, 'baselines', name);
      await writeFile(
        file,
        (await readFile(file, 'utf8')).replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30'),
      );
    }
    const third = await run();
    expect(third.stderr).toContain('\nPASS  ');
    expect(third.code).toBe(0);
    const [one, two] = [await addressOf(report), await run().then(() => addressOf(report))];
    expect(one).not.toBe(two);
    expect((await verdictOf(report)).outcome).toBe('pass');
  });

  async function addressOf(report: string): Promise<string> {
    const text = await readFile(join(report, 'profiles/server-2025-11-25/metadata.json'), 'utf8');
    return (JSON.parse(text) as { target: { url: string } }).target.url;
  }
});

describe('a target that cannot be measured is inconclusive, never green or red', () => {
  test('a closed port: at once, one root cause, and nothing is accepted from it', async () => {
    const cwd = await temporaryFolder();
    const url = `http://127.0.0.1:${await getPort()}/mcp`;
    const { code, ms } = await runCli(['run', '--url', url], { cwd });
    expect(code).toBe(3);
    expect(ms).toBeLessThan(5_000);
    const verdict = await verdictOf(join(cwd, 'conformance-report'));
    expect(verdict.findings.map(({ kind }) => kind)).toEqual(['probe-failed']);
    expect(verdict.outcomeClass).toBe('target');

    const accepted = await runCli(['accept', '--url', url], { cwd });
    expect(accepted.code).toBe(3);
    expect(accepted.stderr).toContain('refused');
    await expect(readdir(join(cwd, 'baselines'))).rejects.toThrow('ENOENT');
  });

  test('a command that exits: at once, with its last words', async () => {
    const cwd = await temporaryFolder();
    const { code, stderr, ms } = await runCli(
      [
        'run',
        '--profile',
        'server:2025-11-25',
        '--server-command',
        "echo 'no such database: tickets' >&2; exit 7",
      ],
      { cwd },
    );
    expect(code).toBe(3);
    expect(ms).toBeLessThan(10_000);
    expect(stderr).toContain('no such database: tickets');
    const { findings } = await verdictOf(join(cwd, 'conformance-report'));
    expect(findings).toEqual([expect.objectContaining({ kind: 'target-start-failed', exitCode: 7 })]);
  });

  test('a command that never listens: at the readiness limit, and nothing of it is left running', async () => {
    const cwd = await temporaryFolder();
    const marker = `gate-test-${process.pid}-never-listens`;
    const command = `echo "waiting for the database" >&2; sleep 300 & sleep 301`;
    const { code, stderr, ms } = await runCli(
      [
        'run',
        '--profile',
        'server:2025-11-25',
        '--ready-timeout',
        '1500ms',
        '--env',
        `MARK=${marker}`,
        '--server-command',
        command,
      ],
      { cwd },
    );
    expect(code).toBe(3);
    expect(ms).toBeGreaterThan(1_500);
    expect(ms).toBeLessThan(15_000);
    expect(stderr).toContain('waiting for the database');
    const { findings } = await verdictOf(join(cwd, 'conformance-report'));
    expect(findings).toEqual([expect.objectContaining({ kind: 'target-not-ready', timeoutMs: 1500 })]);
    expect(await processesWith(marker)).toEqual([]);
  });

  test("a port that somebody else's server holds: at once, and that server is left alone", async () => {
    const stranger = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    onTestFinished(() => new Promise<void>((done) => stranger.close(() => done())));
    const { port } = stranger.address() as AddressInfo;
    const cwd = await temporaryFolder();
    const { code, ms } = await runCli(
      [
        'run',
        '--profile',
        'server:2025-11-25',
        '--url',
        `http://127.0.0.1:${port}/mcp`,
        '--server-command',
        'sleep 300',
      ],
      { cwd },
    );
    expect(code).toBe(3);
    expect(ms).toBeLessThan(10_000);
    const { findings } = await verdictOf(join(cwd, 'conformance-report'));
    expect(findings).toEqual([expect.objectContaining({ kind: 'port-occupied', port })]);
    expect(stranger.listening).toBe(true);
  });
});

test('a reader that goes away after the first line changes no verdict', async () => {
  const cwd = await temporaryFolder();
  const url = `http://127.0.0.1:${await getPort()}/mcp`;
  const cli = join(packageRoot(), 'dist', 'cli.js');
  const script = `'${process.execPath}' '${cli}' run --url ${url} --cache '${TEST_CACHE}' 2>&1 | head -n 1; echo "exit \${PIPESTATUS[0]}"`;
  const { stdout } = await execa('bash', ['-c', script], { cwd });
  expect(stdout).toMatch(/exit 3$/);
});

describe('mistakes are exit 2 and a sentence that helps', () => {
  test.each<[string, string[], RegExp]>([
    [
      'unknown option',
      ['run', '--server-comand', 'x'],
      /unknown option '--server-comand'[\s\S]*Did you mean --server-command\?/,
    ],
    ['unknown command', ['rum'], /unknown command 'rum'[\s\S]*Did you mean run\?/],
    [
      'unknown profile',
      ['run', '--url', 'http://127.0.0.1:1/', '--profile', 'server:2025-11-26x'],
      /is not a profile[\s\S]*Did you mean server:2025-11-25\?/,
    ],
    [
      'a range as pin',
      ['run', '--url', 'http://127.0.0.1:1/', '--referee', 'npm:^0.2.0'],
      /npm:\^0\.2\.0[\s\S]*exact/i,
    ],
    [
      'a version that has no lock',
      ['run', '--url', 'http://127.0.0.1:1/', '--referee', 'npm:0.2.0-alpha.9'],
      /referee pin npm:0\.2\.0-alpha\.9/,
    ],
    ['no target', ['run'], /needs a server, and none was given[\s\S]*--url/],
  ])('%s', async (_name, args, expected) => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await runCli(args, { cwd });
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('internal error');
    expect(code).toBe(2);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('a broken baseline is told with line and column, before anything is started', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'baselines'));
    await cp(
      join(packageRoot(), 'baselines/demo/server-2025-11-25.yaml'),
      join(cwd, 'baselines/server-2025-11-25.yaml'),
    );
    const file = join(cwd, 'baselines/server-2025-11-25.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('exceptions:', 'exeptions:'));
    const { code, stderr } = await runCli(['run', '--server-command', 'touch started; exit 1'], { cwd });
    expect(stderr).toMatch(
      /Unknown key "exeptions"[\s\S]*at baselines\/server-2025-11-25\.yaml:\d+:1\n {2}Did you mean exceptions\?/,
    );
    expect(code).toBe(2);
    expect(await readdir(cwd)).toEqual(['baselines']);
  });

  test('accept writes nothing where CI is set, unless it proposes', async () => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await runCli(['accept', '--no-calibration'], { cwd, env: { CI: 'true' } });
    expect(stderr).toContain('--propose DIR');
    expect(code).toBe(2);
  });
});

test('help reads well, for the tool and for each command', async () => {
  const cwd = await temporaryFolder();
  const { code, stdout } = await runCli(['--help'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatchSnapshot('tool');
  const { stdout: run } = await runCli(['help', 'run'], { cwd });
  expect(run).toMatchSnapshot('run');
});
