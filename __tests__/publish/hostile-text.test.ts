import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Finding } from '../../src/gate/finding.ts';
import { annotations } from '../../src/publish/annotations.ts';
import { badge } from '../../src/publish/badge.ts';
import { baselineLines } from '../../src/publish/baseline-lines.ts';
import { renderJunit } from '../../src/publish/junit.ts';
import type { Publication } from '../../src/publish/publication.ts';
import { sarif } from '../../src/publish/sarif.ts';
import { gateOutputs, setOutputs } from '../../src/publish/set-outputs.ts';
import { renderSummary } from '../../src/publish/summary.ts';
import { renderTerminal } from '../../src/publish/terminal.ts';
import { escapeControls } from '../../src/shared/escape-controls.ts';
import { anExceptedCheck, aProfile, aReferee, aVerdict, fingerprint } from '../support/a-publication.ts';
import { HOSTILE } from '../support/hostile.ts';
import { readJunit } from '../support/read-junit.ts';
import { linkedByGitHub, readMarkdown } from '../support/read-markdown.ts';
import { obeyedCommands, readFileCommands } from '../support/read-runner.ts';
import { readSarif } from '../support/read-sarif.ts';

/** Letters at both ends: the text in between must come through, and be no more than text. */
const marked = (text: string) => `aAa${text}zZz`;

/** A publication in which every field that is not ours holds the text. */
function poisoned(text: string): Publication {
  const profile = 'server:2025-11-25';
  const t = marked(text);
  const check = {
    ...anExceptedCheck({ scenario: t, check: t, evidence: t }),
    name: t,
    description: t,
    statuses: [t],
    exception: { class: t, reason: t, reference: t, reviewed: t, expires: t },
    specReferences: [
      { id: t, url: t },
      { id: t, url: `https://spec.example/${t}` },
      { id: t, url: 'javascript:window.pwned=1' },
    ],
    occurrences: [{ id: t, [t]: t }],
  };
  const place = { file: t, line: 3 };
  const findings: Finding[] = [
    {
      kind: 'unclassified',
      profile,
      scenario: t,
      check: t,
      statuses: [t],
      firstLine: t,
      fingerprint: fingerprint(t),
      place,
    },
    {
      kind: 'evidence-changed',
      profile,
      scenario: t,
      check: t,
      statuses: [t],
      firstLine: t,
      fingerprint: t,
      expected: t,
      diff: `x [-${t}-]{+${t}+}`,
    },
    {
      kind: 'target-died',
      profile,
      exitCode: 1,
      signal: t,
      afterMs: 400,
      logTail: [t, t],
      consequences: [{ scenario: t, check: t, status: t }],
    },
    { kind: 'target-mismatch', expected: t, found: t },
  ];
  return {
    checks: { [profile]: [check] },
    verdict: aVerdict({
      name: t,
      headline: t,
      findings,
      profiles: [
        aProfile(profile, [check], {
          notes: [t],
          referee: { ...aReferee, pin: t, node: t },
          target: { kind: 'command', url: t, notes: [t] },
          probe: {
            answered: true,
            url: t,
            method: 'initialize',
            at: '2026-11-30T17:39:14.000Z',
            tookMs: 1,
            httpStatus: 200,
            protocolVersion: t,
            serverInfo: { name: t, version: t },
            capabilities: {},
          },
        }),
      ],
      source: { repository: t, commit: t, ref: t },
    }),
    commands: { accept: t },
    trend: [
      {
        at: '2026-11-29T00:00:00.000Z',
        outcome: 'pass',
        passed: 1,
        excepted: 0,
        failing: 0,
        findings: 0,
        url: t,
        commit: t,
      },
      {
        at: '2026-11-30T00:00:00.000Z',
        outcome: 'fail',
        passed: 0,
        excepted: 0,
        failing: 1,
        findings: 1,
        url: t,
      },
    ],
    comparison: {
      found: true,
      with: t,
      at: '2026-11-29T00:00:00.000Z',
      outcome: 'pass',
      url: t,
      moved: [{ what: t, from: t, to: t }],
      changes: [{ profile, scenario: t, check: t, kind: 'broke', before: { statuses: [t], disposition: t } }],
    },
  };
}

/** Elements that the summary uses on purpose. */
const SUMMARY_ELEMENTS = new Set(
  'h2 h3 p ul li strong em code pre table thead tbody tr th td br sub hr details summary a'.split(' '),
);

/** What must be found again of a text: its visible form, white space aside, as far as an output keeps it. */
const visible = (text: string) => escapeControls(marked(text)).replace(/\s+/g, '').slice(0, 200);
const squeeze = (text: string) => text.replace(/[\s\u200b]+/g, '');

/** What a terminal obeys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

afterEach(() => vi.unstubAllEnvs());

describe.each(Object.entries(HOSTILE))('%s', (_, text) => {
  const p = poisoned(text);

  test('is obeyed neither in the terminal nor in the log', () => {
    const shown = renderTerminal(p, { color: false, width: 120, folder: marked(text) });
    expect(obeyedCommands(shown)).toEqual([]);
    expect(shown).not.toMatch(CONTROLS);
    expect(shown.isWellFormed()).toBe(true);
  });

  test('stays text in the job summary', () => {
    const markdown = renderSummary(p);
    const read = readMarkdown(markdown);
    expect([...read.elements].filter((name) => !SUMMARY_ELEMENTS.has(name))).toEqual([]);
    expect(
      [...read.attributes].filter((name) => !['th align', 'td align', 'code class'].includes(name)),
    ).toEqual([]);
    expect(read.links.filter((link) => !link.startsWith('https://spec.example/'))).toEqual(
      read.links.filter((link) => link.startsWith('https://modelcontextprotocol.io/')),
    );
    expect(read.prose.flatMap(linkedByGitHub)).toEqual([]);
    expect(read.headings).toHaveLength(8);
    expect(squeeze(read.text)).toContain(visible(text));
    for (const row of read.rows) expect([4, 5, 7]).toContain(row.length);
    expect(markdown.isWellFormed()).toBe(true);
    // The first line is the verdict, whatever it says.
    expect(readMarkdown(markdown.split('\n')[0] ?? '').headings).toHaveLength(1);
  });

  test('stays data in annotations', () => {
    for (const { title, message } of annotations(p)) {
      expect(obeyedCommands(`${title}\n${message}`)).toEqual([]);
      expect(message.isWellFormed()).toBe(true);
      expect(message.length).toBeLessThan(1100);
    }
  });

  test('stays text in JUnit', async () => {
    const { cases, totals } = await readJunit(renderJunit(p));
    expect(cases.map(({ result }) => result).sort()).toEqual(['error', 'error', 'failure']);
    expect(totals).toEqual({ tests: 3, failures: 1, errors: 2 });
    expect(squeeze(cases.map(({ text: told }) => told).join())).toContain(visible(text).slice(0, 190));
  });

  test('stays text in SARIF', async () => {
    const { log } = await readSarif(JSON.stringify(sarif(p)));
    expect(log.runs[0]?.results).toHaveLength(4);
    const urls = log.runs[0]?.tool.driver.rules.flatMap(({ helpUri }) => helpUri ?? []) ?? [];
    for (const url of urls) expect(new URL(url).protocol).toBe('https:');
    for (const { message } of log.runs[0]?.results ?? []) {
      expect(message.text).not.toMatch(/\]\(/);
      expect(message.text.isWellFormed()).toBe(true);
    }
    expect(squeeze(log.runs[0]?.results.map(({ message }) => message.text).join() ?? '')).toContain(
      visible(text),
    );
  });

  test('stays one value in the outputs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outputs-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'output');
    await writeFile(file, '');
    vi.stubEnv('GITHUB_OUTPUT', file);
    const outputs = { ...gateOutputs(p, '/report'), raw: text };
    expect(setOutputs(outputs)).toEqual([]);
    const read = readFileCommands(await readFile(file, 'utf8'));
    expect([...read.keys()]).toEqual(Object.keys(outputs));
    expect(read.get('outcome')).toBe(p.verdict.outcome);
    expect(read.get('raw')).toBe(text.toWellFormed().replace(/\r\n|\r/g, '\n'));
  });

  test('stays a string in the YAML to copy and in the badge', () => {
    const [finding] = p.verdict.findings;
    const lines = finding && baselineLines(finding);
    expect(parse(lines ?? '')).toMatchObject([
      { scenario: marked(text).toWellFormed(), check: marked(text).toWellFormed() },
    ]);
    const shown = badge(p.verdict);
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
    expect(shown.label).not.toMatch(/[\n\r]/);
  });
});
