import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let kept: string;

// One real run, copied by every test.
beforeAll(async () => {
  kept = await mkdtemp(join(tmpdir(), 'mcp-gate-kept-'));
  const { code, stderr } = await runCli(['demo', '--output', join(kept, 'report')], { cwd: kept });
  expect(code, stderr).toBe(0);
  return () => rm(kept, { recursive: true, force: true });
});

async function withReports(...names: string[]): Promise<string> {
  const cwd = await temporaryFolder();
  for (const name of names) await cp(join(kept, 'report'), join(cwd, name), { recursive: true });
  return cwd;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

describe('compare', () => {
  test('a report with itself: nothing moved', async () => {
    const cwd = await withReports('a', 'b');
    const { code, stderr } = await runCli(['compare', 'a', 'b'], { cwd });
    expect(stderr).toBe('Nothing moved.\n');
    expect(code).toBe(0);
  });

  test('a check that passed and does not any more is told, in words and as JSON', async () => {
    const cwd = await withReports('a', 'b');
    await edit(join(cwd, 'b/profiles/server-2025-11-25/checks.json'), (text) => {
      const checks = JSON.parse(text) as { check: string; statuses: string[] }[];
      for (const check of checks) if (check.check === 'ping') check.statuses = ['FAILURE'];
      return JSON.stringify(checks);
    });
    const { stderr, stdout } = await runCli(['compare', 'a', 'b', '--json'], { cwd });
    expect(stderr).toContain(
      'passed before, does not now (1)\n  server:2025-11-25  ping / ping  SUCCESS → FAILURE',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [{ kind: 'broke', scenario: 'ping', check: 'ping' }],
    });
  });

  test('something that is no report is exit 2', async () => {
    const cwd = await withReports('a');
    await mkdir(join(cwd, 'b'));
    const { code, stderr } = await runCli(['compare', 'a', 'b'], { cwd });
    expect(stderr).toContain('error: The report folder has no verdict.json.');
    expect(code).toBe(2);
    const nowhere = await runCli(['compare', 'a', 'c'], { cwd });
    expect(nowhere.stderr).toContain('error: There is no such report folder.');
    await writeFile(join(cwd, 'b/verdict.json'), '{');
    const broken = await runCli(['compare', 'a', 'b'], { cwd });
    expect(broken.stderr).toContain('error: The report cannot be read: ');
  });
});

describe('report', () => {
  test('the legs of a matrix become one verdict and one page', async () => {
    const cwd = await withReports('one', 'two');
    const { code, stderr } = await runCli(['report', 'one', 'two', '--output', 'merged'], { cwd });
    expect(stderr).toMatch(/^PASS .*4 profiles/m);
    expect(code).toBe(0);
    const verdict = verdictSchema.parse(JSON.parse(await readFile(join(cwd, 'merged/verdict.json'), 'utf8')));
    expect(verdict.profiles).toHaveLength(4);
    expect(await readdir(join(cwd, 'merged'))).toEqual(
      expect.arrayContaining(['report.html', 'summary.md', 'junit.xml', 'results.sarif', 'badge.json']),
    );
  });

  test('a leg that left no verdict makes the whole inconclusive', async () => {
    const cwd = await withReports('one', 'two');
    await rm(join(cwd, 'two/verdict.json'));
    const { code, stderr } = await runCli(['report', 'one', 'two', '--output', 'merged'], { cwd });
    expect(stderr).toMatch(/^INCONCLUSIVE {2}demo: Could not measure: no verdict can be taken from two/);
    expect(stderr).toContain('→ Look at the job that left this report folder');
    expect(code).toBe(3);
  });

  test('legs elsewhere are called by their own names', async () => {
    const cwd = await withReports('one', 'two');
    await mkdir(join(cwd, 'here'));
    const given = ['report', '../one', '../two', '--output', 'merged'];
    const { code } = await runCli(given, { cwd: join(cwd, 'here') });
    expect(code).toBe(0);
    const text = await readFile(join(cwd, 'here/merged/verdict.json'), 'utf8');
    expect(text).not.toContain('../');
  });

  test('the merged report never replaces one of its parts', async () => {
    const cwd = await withReports('one');
    const { code } = await runCli(['report', 'one', '--output', 'one'], { cwd });
    expect(code).toBe(2);
    expect(await readdir(join(cwd, 'one'))).toContain('verdict.json');
  });
});

describe('import', () => {
  test("the referee's own expected failures become exceptions for exactly what was measured", async () => {
    const cwd = await withReports('conformance-report');
    await writeFile(join(cwd, 'expected.yml'), 'server:\n  - tools-call-audio\n  - ping\n');
    const { code, stderr } = await runCli(['import', 'expected.yml'], { cwd });
    expect(stderr).toContain('not used: ping of expected.yml: it passes now, or did not come');
    expect(code).toBe(0);
    const yaml = await readFile(join(cwd, 'baselines/server-2025-11-25.yaml'), 'utf8');
    expect(yaml.match(/^ {2}- scenario: /gm)).toHaveLength(1);
    expect(yaml).toMatch(/- scenario: tools-call-audio\n {4}check: tools-call-audio\n {4}status: FAILURE\n/);
  });

  test('a list that is not understood writes nothing', async () => {
    const cwd = await withReports('conformance-report');
    await writeFile(join(cwd, 'expected.yml'), 'servers:\n  - ping\n');
    const { code, stderr } = await runCli(['import', 'expected.yml'], { cwd });
    expect(stderr).toContain('Did you mean server?');
    expect(code).toBe(2);
    expect(await readdir(cwd)).not.toContain('baselines');
  });
});

describe('check', () => {
  test('tells every mistake of every baseline at once, and starts nothing', async () => {
    const cwd = await withReports('conformance-report');
    await mkdir(join(cwd, 'baselines'));
    for (const name of ['server-2025-11-25', 'server-2026-07-28'])
      await writeFile(join(cwd, `baselines/${name}.yaml`), 'schema: 1\nprofil: x\n');
    const { code, stderr } = await runCli(['check'], { cwd });
    expect(stderr.match(/Unknown key "profil"/g)).toHaveLength(2);
    expect(stderr).toContain('note: Profile server:2025-11-25 needs a server');
    expect(code).toBe(2);
  });

  async function withBaselines(): Promise<string> {
    const cwd = await temporaryFolder();
    await cp(join(packageRoot(), 'baselines/demo'), join(cwd, 'baselines'), { recursive: true });
    return cwd;
  }
  const server = ['--server-command', 'node server.js --port {port}'];

  test('what is right is told in a line for each baseline', async () => {
    const cwd = await withBaselines();
    const { code, stderr, stdout } = await runCli(['check', ...server, '--json'], { cwd });
    expect(stderr).toMatch(/^baseline {3}server:2025-11-25 {2}1 exception {2}/m);
    expect(stderr).not.toMatch(/^(note|error):/m);
    expect(JSON.parse(stdout)).toMatchObject({ notes: [], mistakes: [], baselines: [{ expired: 0 }, {}] });
    expect(code).toBe(0);
  });

  test('every mistake of one file is told, each at its place', async () => {
    const cwd = await withBaselines();
    await edit(join(cwd, 'baselines/server-2026-07-28.yaml'), (text) =>
      text.replaceAll(/reviewed: 2026-/g, 'reviewed: 2026/').replace(/^normaliser:/m, 'normalizer:'),
    );
    const { code, stderr } = await runCli(['check', ...server], { cwd });
    expect(stderr).toContain('error: Unknown key "normalizer"');
    expect(stderr).toContain('error: normaliser: is missing');
    expect(stderr.match(/error: exceptions\[\d\]\.reviewed: is not a date/g)).toHaveLength(3);
    expect(stderr.match(/^ {2}at baselines\/server-2026-07-28\.yaml:\d+:\d+$/gm)).toHaveLength(5);
    expect(code).toBe(2);
  });

  test('more mistakes than anybody reads are counted', async () => {
    const cwd = await withBaselines();
    const file = join(cwd, 'baselines/server-2025-11-25.yaml');
    await edit(file, (text) =>
      text.replace(
        'inventory:\n',
        `inventory:\n${Array.from({ length: 80 }, (_, n) => `  "a ${n}": [c]\n`).join('')}`,
      ),
    );
    const { code, stderr } = await runCli(['check', ...server], { cwd });
    expect(stderr.match(/^error: /gm)).toHaveLength(50);
    expect(stderr).toContain('… and 30 more mistakes');
    expect(code).toBe(2);
  });

  test('what the pinned referee does not contain is a mistake', async () => {
    const cwd = await withBaselines();
    await edit(join(cwd, 'baselines/server-2025-11-25.yaml'), (text) =>
      text.replace('scenario: tools-call-audio', 'scenario: tools-call-adio'),
    );
    const profiles = ['--profile', 'server:2025-11-25', '--profile', 'server:2031-01-01'];
    const { code, stderr } = await runCli(['check', ...server, ...profiles], { cwd });
    expect(stderr).toContain('error: server:2025-11-25 has no scenario "tools-call-adio".\n  at baselines/');
    expect(stderr).toContain('Did you mean tools-call-audio?');
    expect(stderr).toContain('error: server:2031-01-01 cannot be run with referee npm:0.2.0-alpha.12');
    expect(code).toBe(2);
  });

  test('a scenario that was asked for and is not there is a mistake', async () => {
    const cwd = await withBaselines();
    const { code, stderr } = await runCli(['check', ...server, '--scenario', 'pingg'], { cwd });
    expect(stderr).toContain('error: server:2025-11-25 has no scenario "pingg".\n  Did you mean ping?');
    expect(code).toBe(2);
  });

  test('without the referee at hand it says what it did not compare', async () => {
    const cwd = await withBaselines();
    const { code, stderr } = await runCli(['check', ...server, '--cache', join(cwd, 'none')], { cwd });
    expect(stderr).toContain('note: npm:0.2.0-alpha.12 is not in the cache');
    expect(code).toBe(0);
    expect(await readdir(cwd)).toEqual(['baselines']);
  });

  test('another pin than the reviewed one', async () => {
    const cwd = await withBaselines();
    for (const name of ['server-2025-11-25', 'server-2026-07-28'])
      await edit(join(cwd, `baselines/${name}.yaml`), (text) =>
        text.replace('pin: npm:0.2.0-alpha.12', 'pin: npm:0.2.0-alpha.11'),
      );
    const { code, stderr } = await runCli(['check', ...server], { cwd });
    expect(stderr).toContain(
      'note: The baseline was reviewed against npm:0.2.0-alpha.11, and the pin is npm:0.2.0-alpha.12: ' +
        'a run will ask to accept it again.\n  at baselines/server-2025-11-25.yaml',
    );
    expect(code).toBe(0);
  });

  test('a pin without a lock is a mistake, and the baselines are checked all the same', async () => {
    const cwd = await withBaselines();
    const { code, stderr } = await runCli(['check', ...server, '--referee', 'npm:0.0.1'], { cwd });
    expect(stderr).toMatch(/^error: .*0\.0\.1/m);
    expect(stderr).toMatch(/^baseline {3}server:2026-07-28 {2}3 exceptions/m);
    expect(code).toBe(2);
  });

  test('foreign text stays on its line, and nobody obeys it', async () => {
    const cwd = await withBaselines();
    await writeFile(
      join(cwd, 'mcp-conformance.yaml'),
      'baselines: "baselines\\n::error::dir\\e[31m\\u202e"\nserver: { command: "x\\n::error::cmd ##[error]y" }\n',
    );
    await mkdir(join(cwd, 'baselines\n::error::dir\u001b[31m\u202e'));
    const key = '"a\\n::error::pwned": 1\n';
    const named = join(cwd, 'baselines\n::error::dir\u001b[31m\u202e', 'server-2025-11-25.yaml');
    await writeFile(named, `${key}${await readFile(join(cwd, 'baselines/server-2025-11-25.yaml'), 'utf8')}`);
    const { code, stderr } = await runCli(['check', '--name', 'a\n::error::x'], { cwd });
    const plain = await runCli(['check'], { cwd });
    for (const text of [stderr, plain.stderr]) {
      expect(text).not.toMatch(/^\s*::|##\[/m);
      for (const obeyed of ['\u001b', '\u202e']) expect(text).not.toContain(obeyed);
      expect(text).toContain('error');
    }
    expect(plain.stderr).toContain('Unknown key "a ::error::pwned"');
    expect([code, plain.code]).toEqual([2, 2]);
  });

  test('a mistake in one profile hides no other', async () => {
    const cwd = await withBaselines();
    const bad = (revision: string, url: string) => `  - server:${revision}: { server: { url: '${url}' } }\n`;
    const profiles = `${bad('2025-11-25', 'ftp://one')}${bad('2026-07-28', 'ftp://two')}  - client:2025-11-25\n`;
    await writeFile(join(cwd, 'mcp-conformance.yaml'), `profiles:\n${profiles}`);
    const { code, stderr } = await runCli(['check'], { cwd });
    expect(stderr.match(/^error: .*ftp:\/\/(one|two)/gm)).toHaveLength(2);
    expect(stderr).toContain('note: Profile client:2025-11-25 needs a client');
    expect(code).toBe(2);
  });

  test('an accident of a file is told in few words', async () => {
    const cwd = await withBaselines();
    const lines = Array.from(
      { length: 20_000 },
      (_, n) => `  - { scenario: s${n}, check: c, clas: x }\n`,
    ).join('');
    await edit(join(cwd, 'baselines/server-2025-11-25.yaml'), (text) =>
      text.replace(/^exceptions:[\s\S]*?^inventory/m, `exceptions:\n${lines}inventory`),
    );
    const { code, stderr, stdout } = await runCli(['check', ...server, '--json'], { cwd });
    expect(stderr.match(/^error: /gm)).toHaveLength(50);
    expect(stderr).toMatch(/^… and \d[\d,]+ more mistakes$/m);
    expect(JSON.parse(stdout)).toMatchObject({ left: expect.any(Number) });
    expect(stdout.length).toBeLessThan(1_000_000);
    expect(code).toBe(2);
  });

  test('a checkout that is not there, and a place for temporary files that is not there', async () => {
    const cwd = await withBaselines();
    const pin = `path:/nowhere@${'0123456789'.repeat(4)}`;
    const { code, stderr } = await runCli(['check', ...server, '--referee', pin], {
      cwd,
      env: { TMPDIR: join(cwd, 'none') },
    });
    expect(stderr).toContain(`note: ${pin} is not in the cache`);
    expect(code).toBe(0);
  });

  test('every mistake of the configuration is told, too', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'mcp-conformance.yaml'), 'profile: x\nconfirm: many\njobs: few\n');
    const { code, stderr } = await runCli(['check'], { cwd });
    expect(stderr.match(/^error: /gm)?.length).toBeGreaterThanOrEqual(3);
    expect(stderr.match(/^ {2}at mcp-conformance\.yaml:\d+:1$/gm)?.length).toBeGreaterThanOrEqual(3);
    expect(code).toBe(2);
  });
});

describe('report does not believe what does not add up', () => {
  test.each<[string, (verdict: Record<string, unknown>) => void]>([
    ['pass beside findings', (verdict) => (verdict.findings = [{ kind: 'nothing-applicable' }])],
    ['pass without a profile', (verdict) => (verdict.profiles = [])],
    ['a class that does not follow', (verdict) => (verdict.outcomeClass = 'target')],
  ])('%s', async (_what, change) => {
    const cwd = await withReports('one');
    await edit(join(cwd, 'one/verdict.json'), (text) => {
      const verdict = JSON.parse(text) as Record<string, unknown>;
      change(verdict);
      return JSON.stringify(verdict);
    });
    const { code, stderr } = await runCli(['report', 'one', '--output', 'merged'], { cwd });
    expect(stderr).toMatch(/^INCONCLUSIVE/);
    expect(code).toBe(3);
  });

  test('the same report twice, a missing leg, and parts inside the output are exit 2', async () => {
    const cwd = await withReports('one', 'whole/leg');
    for (const args of [
      ['one', 'one'],
      ['one', '--expect', '2'],
      ['whole/leg', '--output', 'whole'],
      ['one', '--output', 'one/merged'],
    ]) {
      const { code, stderr } = await runCli(['report', ...args], { cwd });
      expect(code, stderr).toBe(2);
    }
    expect(await readdir(join(cwd, 'whole/leg'))).toContain('verdict.json');
  });

  test('reports of two commits are exit 2', async () => {
    const cwd = await withReports('one', 'two');
    for (const [name, commit] of [
      ['one', 'a'.repeat(40)],
      ['two', 'b'.repeat(40)],
    ] as const)
      await edit(join(cwd, name, 'verdict.json'), (text) =>
        JSON.stringify({ ...(JSON.parse(text) as object), source: { commit } }),
      );
    const { code, stderr } = await runCli(['report', 'one', 'two', '--output', 'merged'], { cwd });
    expect(stderr).toContain('different commits');
    expect(code).toBe(2);
  });
});
