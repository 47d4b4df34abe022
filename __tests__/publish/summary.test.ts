import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { renderSummary } from '../../src/publish/summary.ts';
import { aCheck, anExceptedCheck, aPublication, unclassified } from '../support/a-publication.ts';
import { aRichPublication } from '../support/a-rich-publication.ts';
import { readMarkdown } from '../support/read-markdown.ts';

const size = (text: string) => Buffer.byteLength(text);

describe('renderSummary', () => {
  test('reads well', async () => {
    await expect(renderSummary(aRichPublication())).toMatchFileSnapshot('__snapshots__/summary.md');
  });

  test('says pass in its first line, and nothing about findings', () => {
    const markdown = renderSummary(aPublication());
    expect(markdown.split('\n')[0]).toBe(
      '## ✅ Passes its reviewed baseline: 2 profiles, 83 scenarios, 24 reviewed exceptions',
    );
    expect(readMarkdown(markdown).headings).toEqual([
      '✅ Passes its reviewed baseline: 2 profiles, 83 scenarios, 24 reviewed exceptions',
      'Profiles',
    ]);
  });

  test('puts what could not be measured before what differs', () => {
    const dead: Finding = {
      kind: 'target-died',
      profile: 'server:2025-11-25',
      exitCode: 1,
      signal: null,
      afterMs: 400,
    };
    const findings = [unclassified('server:2025-11-25', aCheck({ status: 'FAILURE' })), dead];
    const { headings } = readMarkdown(
      renderSummary(aPublication({ more: { findings, outcome: 'inconclusive' } })),
    );
    expect(headings.slice(0, 3)).toEqual([
      expect.stringMatching(/^⚠️/),
      '⚠️ Target died (1)',
      '❌ Unclassified (1)',
    ]);
  });

  test('folds what comes after the first rows of a cause', () => {
    const checks = Array.from({ length: 60 }, (_, n) =>
      aCheck({ scenario: `s${n}`, check: `c${n}`, status: 'FAILURE' }),
    );
    const markdown = renderSummary(aPublication({ checks: { 'server:2025-11-25': checks } }));
    expect(markdown).toContain('<details><summary>35 more findings of this kind</summary>');
    expect(readMarkdown(markdown).rows.filter(([, scenario]) => /^s\d+$/.test(scenario ?? ''))).toHaveLength(
      60,
    );
  });

  test('links to the specification', () => {
    const checks = { 'server:2025-11-25': [anExceptedCheck()] };
    expect(readMarkdown(renderSummary(aPublication({ checks }))).links).toEqual([
      'https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
    ]);
  });

  describe('40 profiles × 100 scenarios full of four-byte characters', () => {
    const wide = '𠮷'.repeat(400);
    const p = aPublication({
      checks: Object.fromEntries(
        Array.from({ length: 40 }, (_, profile) => [
          `suite:n${profile}@2026-07-28`,
          Array.from({ length: 100 }, (_, scenario) =>
            scenario % 2 === 0
              ? aCheck({
                  scenario: `s${scenario}-${wide}`,
                  check: wide,
                  status: 'FAILURE',
                  evidence: `${wide}\n${wide}`,
                })
              : anExceptedCheck({ scenario: `s${scenario}-${wide}`, check: wide, evidence: wide }),
          ),
        ]),
      ),
      commands: { accept: 'mcp-conformance-gate accept' },
    });
    const markdown = renderSummary(p);

    test('stay under 1 MiB in bytes', () => {
      expect(size(markdown)).toBeLessThanOrEqual(1024 * 1024);
      expect(size(markdown)).toBeGreaterThan(300 * 1024);
    });

    test('are cut at whole items with a count', () => {
      const { rows, headings, text } = readMarkdown(markdown);
      const listed = rows.filter(([profile]) => profile?.startsWith('suite:')).length;
      const counted = /and ([\d,]+) more findings; report\.html/.exec(text)?.[1]?.replaceAll(',', '');
      expect(Number(counted)).toBe(2000 - listed);
      for (const row of rows) expect([5, 7]).toContain(row.length);
      expect(headings).toContain('Profiles');
      expect(rows.filter(([, profile]) => profile?.startsWith('suite:n'))).toHaveLength(40);
      expect(markdown.isWellFormed()).toBe(true);
      expect(text).toContain('Referee:');
      expect([...markdown.matchAll(/<details>/g)]).toHaveLength(
        [...markdown.matchAll(/<\/details>/g)].length,
      );
    });

    test.each([2_000, 10_000, 65_536])(
      'fit into %i bytes too, verdict first and provenance last',
      (maxBytes) => {
        const short = renderSummary(p, { maxBytes });
        expect(size(short)).toBeLessThanOrEqual(maxBytes);
        expect(short.split('\n')[0]).toBe(markdown.split('\n')[0]);
        expect(short.trimEnd().endsWith('</sub>')).toBe(true);
        expect([...short.matchAll(/<details>/g)]).toHaveLength([...short.matchAll(/<\/details>/g)].length);
      },
    );
  });
});
