import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderTerminal } from '../../src/publish/terminal.ts';
import { aCheck, aPublication } from '../support/a-publication.ts';
import { aRichPublication } from '../support/a-rich-publication.ts';

describe('renderTerminal', () => {
  test('reads well', async () => {
    const text = renderTerminal(aRichPublication(), {
      color: false,
      width: 100,
      folder: 'conformance-report',
    });
    await expect(text).toMatchFileSnapshot('__snapshots__/terminal.txt');
  });

  test('has the verdict first and the folder last, in colours the same words', () => {
    const plain = renderTerminal(aPublication(), { color: false, width: 80, folder: 'out' });
    const coloured = renderTerminal(aPublication(), { color: true, width: 80, folder: 'out' });
    expect(plain.startsWith('PASS  Passes its reviewed baseline')).toBe(true);
    expect(plain.endsWith('\nReport: out\n')).toBe(true);
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test('names the first findings of a cause and counts the others', () => {
    const checks = Array.from({ length: 50 }, (_, n) =>
      aCheck({ scenario: `s${n}`, check: `c${n}`, status: 'FAILURE' }),
    );
    const text = renderTerminal(aPublication({ checks: { 'server:2025-11-25': checks } }), {
      color: false,
      width: 80,
    });
    expect(text).toContain('c19 of s19');
    expect(text).not.toContain('c20 of s20');
    expect(text).toContain('… and 30 more findings of this kind in the report');
  });

  test('keeps a line of 5 MB short', () => {
    const checks = [aCheck({ status: 'FAILURE', evidence: 'x'.repeat(5_000_000) })];
    const text = renderTerminal(aPublication({ checks: { 'server:2025-11-25': checks } }), {
      color: false,
      width: 80,
    });
    expect(text.length).toBeLessThan(3000);
  });
});
