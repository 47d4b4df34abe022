import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { readJunit } from '../support/read-junit.ts';
import { linkedByGitHub, readMarkdown } from '../support/read-markdown.ts';
import { obeyedCommands, readFileCommands } from '../support/read-runner.ts';
import { readSarif } from '../support/read-sarif.ts';
import { TEST_CACHE } from '../support/run-cli.ts';

/**
 * One real run of the gate step as a runner starts it, against a server that puts hostile text into everything; then each
 * output is read back by a real parser.
 */
const SERVER = join(packageRoot(), '__tests__/support/fake-hostile-server.ts');
const LONG = 120_000;
/** What a terminal obeys; carriage returns are line ends on some systems. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

let workspace: string;
let log: string;
let browser: Browser;
const report = (name: string) => readFile(join(workspace, 'conformance-report', name), 'utf8');

beforeAll(async () => {
  browser = await launchBrowser();
  workspace = await mkdtemp(join(tmpdir(), 'hostile-'));
  for (const name of ['output', 'summary']) await writeFile(join(workspace, name), '');
  log = await runEntry('gate', {
    'INPUT_SERVER-COMMAND': `exec '${process.execPath}' '${SERVER}'`,
    INPUT_URL: 'http://127.0.0.1:{port}/mcp',
    INPUT_CACHE: TEST_CACHE,
    'INPUT_SCENARIO-TIMEOUT': '5s',
    INPUT_ANNOTATIONS: 'true',
    INPUT_SUMMARY: 'true',
  });
}, LONG);
afterAll(async () => {
  await browser?.close();
  await rm(workspace, { recursive: true, force: true });
});

/** Runs an entry from its source as a process of its own, with a runner's file commands. */
async function runEntry(entry: string, env: Record<string, string>, args: string[] = []): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot(), `src/entry/${entry}.ts`), ...args], {
    cwd: workspace,
    env: {
      PATH: process.env.PATH ?? '',
      GITHUB_OUTPUT: join(workspace, 'output'),
      GITHUB_STEP_SUMMARY: join(workspace, 'summary'),
      GITHUB_WORKSPACE: workspace,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  await once(child, 'close');
  return text;
}

describe('a server that is hostile in everything it says', () => {
  test('was measured: both profiles have findings with its words', async () => {
    const verdict = verdictSchema.parse(JSON.parse(await report('verdict.json')));
    expect(verdict.outcome, log.slice(0, 3000)).toBe('fail');
    expect(verdict.findings.length).toBeGreaterThan(20);
    const junit = await report('junit.xml');
    expect(junit).toContain('aAa workflow command');
    const raw = await readdir(join(workspace, 'conformance-report/profiles/server-2025-11-25/raw'));
    expect(raw.length).toBeGreaterThan(25);
  });

  test('makes the runner obey nothing in the log', () => {
    const commands = obeyedCommands(log);
    expect(
      commands
        .map(({ command }) => command)
        .filter((name) => !['error', 'warning', 'group', 'endgroup'].includes(name)),
    ).toEqual([]);
    for (const level of ['error', 'warning'])
      expect(commands.filter(({ command }) => command === level).length).toBeLessThanOrEqual(10);
    for (const { data } of commands) {
      expect(data).not.toMatch(/^pwned/);
      expect(obeyedCommands(data.replace(/^[^\n]*/, 'first'))).toEqual([]);
    }
    expect(log).not.toMatch(/^\s*::error file=src\/a\.ts/m);
    expect(CONTROLS.exec(stripVTControlCharacters(log))).toBeNull();
    expect(Math.max(...log.split('\n').map((line) => line.length))).toBeLessThan(8000);
  });

  test('cannot set outputs', async () => {
    const outputs = readFileCommands(await readFile(join(workspace, 'output'), 'utf8'));
    expect([...outputs.keys()].sort()).toEqual([
      'findings',
      'headline',
      'outcome',
      'outcome-class',
      'report-path',
      'summary-file',
      'verdict-file',
    ]);
    expect(outputs.get('outcome')).toBe('fail');
  });

  test('stays text in the job summary, which has the size that GitHub takes', async () => {
    const summary = await readFile(join(workspace, 'summary'), 'utf8');
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
    const { elements, links, prose, text } = readMarkdown(summary);
    expect(
      [...elements].filter((name) => /^(script|img|svg|iframe|style|form|input|h1)$/.test(name)),
    ).toEqual([]);
    expect(
      links.filter(
        (link) =>
          !/^https:\/\/(modelcontextprotocol\.io|github\.com\/modelcontextprotocol|www\.rfc-editor\.org|datatracker\.ietf\.org|www\.jsonrpc\.org|json-schema\.org)\//.test(
            link,
          ),
      ),
    ).toEqual([]);
    expect(prose.flatMap(linkedByGitHub)).toEqual([]);
    expect(text).toContain('aAa workflow command');
  });

  test('stays text in JUnit and SARIF', async () => {
    const { cases } = await readJunit(await report('junit.xml'));
    expect(cases.filter(({ result }) => result === 'failure').length).toBeGreaterThan(20);
    const { log: sarif } = await readSarif(await report('results.sarif'));
    expect(sarif.runs[0]?.results.length).toBeGreaterThan(20);
    expect(JSON.parse(await report('badge.json'))).toMatchObject({ schemaVersion: 1 });
  });

  test(
    'stays text in the page',
    async () => {
      const { page, watch } = await openPage(browser, join(workspace, 'conformance-report/report.html'));
      const cells = page.locator('#grid [data-at]');
      const count = await cells.count();
      expect(count).toBeGreaterThan(60);
      let told = '';
      // Every third is enough: all of them say much the same.
      for (let at = 0; at < count; at += 3) {
        await cells.nth(at).dispatchEvent('click');
        told += await page.getByRole('dialog').textContent();
        await page.keyboard.press('Escape');
      }
      expect(told).toContain('aAa script end: </script><script>window.pwned=1</script>');
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(watch).toEqual({ requests: [], complaints: [], dialogs: [] });
      await page.close();
    },
    LONG,
  );

  test(
    'stays text in the baseline that accept writes',
    async () => {
      await runEntry('cli', {}, ['accept', '--no-calibration', '--output', 'conformance-report']);
      const files = await readdir(join(workspace, 'baselines'));
      expect(files.filter((name) => name.endsWith('.yaml')).sort()).toEqual([
        'server-2025-11-25.yaml',
        'server-2026-07-28.yaml',
      ]);
      for (const name of files.filter((file) => file.endsWith('.yaml'))) {
        const yaml = await readFile(join(workspace, 'baselines', name), 'utf8');
        const baseline = parse(yaml) as { exceptions: { check: string; class: string }[] };
        expect(Object.keys(baseline)).toEqual(
          expect.arrayContaining(['schema', 'profile', 'exceptions', 'inventory']),
        );
        expect(baseline.exceptions.length).toBeGreaterThan(5);
        expect(CONTROLS.exec(yaml)).toBeNull();
      }
    },
    LONG,
  );

  test('nothing it said ran anywhere', async () => {
    expect((await readdir(workspace)).sort()).toEqual([
      'baselines',
      'conformance-report',
      'output',
      'summary',
    ]);
  });
});
