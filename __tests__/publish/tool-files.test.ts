import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { badge } from '../../src/publish/badge.ts';
import { renderJunit } from '../../src/publish/junit.ts';
import type { Publication } from '../../src/publish/publication.ts';
import { sarif } from '../../src/publish/sarif.ts';
import { writePublication } from '../../src/publish/write.ts';
import { aCheck, anExceptedCheck, aProfile, aPublication, aVerdict } from '../support/a-publication.ts';
import { aRichPublication } from '../support/a-rich-publication.ts';
import { readJunit } from '../support/read-junit.ts';
import { readSarif } from '../support/read-sarif.ts';

const PROFILE = 'server:2025-11-25';

describe('junit.xml', () => {
  test('a scenario is a suite, a check a case, an exception skipped with its reason, a finding a failure', async () => {
    const { cases, totals } = await readJunit(renderJunit(aRichPublication()));
    const of = (suite: string, name: string) =>
      cases.find((each) => each.suite === suite && each.name === name);
    expect(of(`${PROFILE} ping`, 'ping')).toMatchObject({ result: 'passed' });
    expect(of(`${PROFILE} completion-complete`, 'completion-complete')).toMatchObject({
      result: 'skipped',
      message:
        'FAILURE, excepted as missing-harness-fixture: The product has no prompt named test_prompt_with_arguments.',
    });
    expect(of(`${PROFILE} tools-call-with-progress`, 'tools-call-with-progress')).toMatchObject({
      result: 'failure',
      text: expect.stringContaining('Expected at least 3 progress notifications, received 1'),
    });
    expect(of(`${PROFILE} prompts-get-simple`, 'prompts-get-simple')).toMatchObject({
      result: 'failure',
      text: expect.stringContaining('baselines/server-2025-11-25.yaml:63'),
    });
    expect(of('server:2026-07-28 tasks-lifecycle', 'tasks-lifecycle')).toMatchObject({
      result: 'skipped',
      message: 'FAILURE, not scored: extension',
    });
    expect(totals).toEqual({ tests: cases.length, failures: 4, errors: 0 });
  });

  test('what was not measured is an error, in a suite of its own when it is about the whole', async () => {
    const findings: Finding[] = [
      { kind: 'referee-unavailable', pin: 'npm:1', message: 'no network' },
      { kind: 'target-died', profile: PROFILE, exitCode: 1, signal: null, afterMs: 400 },
      { kind: 'missing-report', profile: PROFILE, scenario: 'tools-list' },
      { kind: 'missing-report', profile: PROFILE, scenario: 'unheard-of' },
    ];
    const p = aPublication({ more: { findings } });
    const { cases, totals } = await readJunit(renderJunit(p));
    expect(cases.map(({ suite, result }) => `${suite}: ${result}`)).toEqual([
      'setup: error',
      `${PROFILE} as a whole: error`,
      `${PROFILE} as a whole: error`,
      `${PROFILE} tools-list: passed`,
      `${PROFILE} tools-list: error`,
    ]);
    expect(totals.errors).toBe(4);
  });

  test('every finding is in exactly one case', async () => {
    const p = aRichPublication();
    const { cases } = await readJunit(renderJunit(p));
    expect(cases.filter(({ result }) => result === 'failure')).toHaveLength(p.verdict.findings.length);
  });

  test.each(['true', 'false', ' two  spaces ', 'a"b\'c<d>&amp;]]>', 'one\ntwo\tthree'])(
    'a check is called %j',
    async (name) => {
      const checks = { [PROFILE]: [aCheck({ check: name, status: 'FAILURE', evidence: name })] };
      const { cases } = await readJunit(renderJunit(aPublication({ checks })));
      expect(cases.map((each) => each.name)).toEqual([name]);
    },
  );

  test('one of 5 MB evidence stays readable', async () => {
    const checks = { [PROFILE]: [aCheck({ status: 'FAILURE', evidence: '𠮷'.repeat(1_300_000) })] };
    const xml = renderJunit(aPublication({ checks }));
    expect(Buffer.byteLength(xml)).toBeLessThan(300_000);
    expect((await readJunit(xml)).cases).toHaveLength(1);
  });
});

describe('results.sarif', () => {
  test('rules are checks with help links, locations are lines of the baseline', async () => {
    const { log, markdown } = await readSarif(JSON.stringify(sarif(aRichPublication())));
    const [run] = log.runs;
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual([
      'tools-call-with-progress',
      'sep-2575-http-server-error-jsonrpc-id',
      'tools-call-error',
      'prompts-get-simple',
    ]);
    expect(run?.tool.driver.rules[0]?.helpUri).toMatch(
      /^https:\/\/modelcontextprotocol\.io\/specification\//,
    );
    const places = run?.results.map(({ locations: [at] }) => {
      const { artifactLocation, region } = at?.physicalLocation ?? {};
      return `${artifactLocation?.uri}:${region?.startLine}`;
    });
    expect(places).toEqual([
      'baselines/server-2025-11-25.yaml:1',
      'baselines/server-2026-07-28.yaml:1',
      'baselines/server-2026-07-28.yaml:41',
      'baselines/server-2025-11-25.yaml:63',
    ]);
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(markdown).toContain('tools-call-with-progress');
  });

  test('an alert keeps its identity when lines and words move', () => {
    const at = (line: number): Finding => ({
      kind: 'now-passing',
      profile: PROFILE,
      scenario: 'a',
      check: 'b',
      expected: [`FAILURE ${line}`],
      place: { file: 'b.yaml', line },
    });
    const prints = [3, 9].map(
      (line) =>
        JSON.stringify(sarif(aPublication({ more: { findings: [at(line)] } }))).match(
          /"mcpConformanceFinding\/v1":"(\w+)"/,
        )?.[1],
    );
    expect(prints[0]).toBeTruthy();
    expect(prints[0]).toBe(prints[1]);
  });

  test('a run that could not be completed says so', async () => {
    const findings: Finding[] = [{ kind: 'referee-unavailable', pin: 'npm:1', message: 'no network' }];
    const p = aPublication({ more: { findings, outcome: 'inconclusive', profiles: [] } });
    const { log } = await readSarif(JSON.stringify(sarif(p)));
    expect(log.runs[0]?.invocations[0]?.executionSuccessful).toBe(false);
    expect(log.runs[0]?.results[0]).toMatchObject({ ruleId: 'referee-unavailable', level: 'warning' });
  });

  test('a pass has no results', async () => {
    const { log } = await readSarif(JSON.stringify(sarif(aPublication())));
    expect(log.runs[0]?.results).toEqual([]);
  });
});

describe('badge.json', () => {
  test('a partial run never looks like a whole one', () => {
    const { verdict } = aPublication();
    const [profile] = verdict.profiles;
    const left = { scenario: 'ping', scored: true, result: 'not-evaluated' as const };
    const checks = { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 };
    if (!profile) throw new Error('the fixture has a profile');
    const partial = { ...profile, scenarios: [...profile.scenarios, { ...left, checks }] };
    expect(badge({ ...verdict, profiles: [partial] })).toMatchObject({
      message: 'partial run, passing, 1 of 1',
      color: 'lightgrey',
    });
  });

  test.each<[string, Publication, object]>([
    ['a pass', aPublication(), { message: 'passing, 1 of 1', color: 'brightgreen' }],
    [
      'a pass with exceptions',
      aPublication({ checks: { [PROFILE]: [aCheck(), anExceptedCheck({ scenario: 'b' })] } }),
      { message: 'passing, 1 of 2, 1 excepted', color: 'green' },
    ],
    [
      'a fail',
      aPublication({ checks: { [PROFILE]: [aCheck({ status: 'FAILURE' })] } }),
      { message: 'failing, 0 of 1', color: 'red' },
    ],
    [
      'an inconclusive run',
      { checks: {}, verdict: aVerdict({ profiles: [aProfile(PROFILE, [], { outcome: 'inconclusive' })] }) },
      { message: 'inconclusive', color: 'yellow', isError: true },
    ],
  ])('%s', (_, p, expected) => {
    expect(badge(p.verdict)).toEqual({ schemaVersion: 1, label: 'MCP conformance', ...expected });
  });
});

describe('writePublication', () => {
  test('writes every file, and names one that it could not write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'written-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    expect(await writePublication(folder, aRichPublication())).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual([
      'badge.json',
      'junit.xml',
      'report.html',
      'results.sarif',
      'summary.md',
      'trend.json',
    ]);
    expect(JSON.parse(await readFile(join(folder, 'trend.json'), 'utf8'))).toHaveLength(8);
    const warnings = await writePublication(join(folder, 'missing'), aRichPublication());
    expect(warnings).toHaveLength(6);
    expect(warnings[0]).toMatch(/^summary\.md was not written: ENOENT/);
  });
});
