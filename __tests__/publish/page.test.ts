import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { renderPage } from '../../src/publish/page.ts';
import type { Publication } from '../../src/publish/publication.ts';
import { escapeControls } from '../../src/shared/escape-controls.ts';
import { aCheck, anExceptedCheck, aPublication } from '../support/a-publication.ts';
import { aRichPublication } from '../support/a-rich-publication.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { HOSTILE } from '../support/hostile.ts';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-'));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

let pages = 0;
async function open(p: Publication, { width = 1280, hash = '' } = {}) {
  pages += 1;
  const file = join(folder, `report-${pages}.html`);
  await writeFile(file, renderPage(p));
  const opened = await openPage(browser, file, width);
  onTestFinished(() => opened.page.close());
  if (hash) {
    await opened.page.goto(`file://${file}${hash}`);
  }
  return opened;
}

/** Names of the rows that are shown. */
const shown = (page: Page) => page.locator('#grid .row:not(.head):not([hidden]) .name').allTextContents();
const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

describe('report.html', () => {
  test('says the verdict, complains of nothing and asks nothing of a network', async () => {
    const { page, watch } = await open(aRichPublication());
    expect(await page.locator('h1').textContent()).toBe(
      '2 unclassified failures, 1 changed evidence and 1 stale exception',
    );
    expect(await page.title()).toBe('fail: trailbook');
    expect(await shown(page)).toHaveLength(49);
    expect(await page.locator('.tiles .t').count()).toBe(30 + 39);
    expect(watch).toEqual({ requests: [], complaints: [], dialogs: [] });
  });

  test('filters by result and searches names, checks and evidence', async () => {
    const { page } = await open(aRichPublication());
    await page.locator('#chips').getByText('Findings').click();
    expect(await shown(page)).toEqual([
      'tools-call-error',
      'tools-call-with-progress',
      'prompts-get-simple',
      'server-stateless',
    ]);
    expect(await page.locator('#shown').textContent()).toBe('4 of 49 scenarios');
    await page.locator('#chips').getByText('All').click();
    await page.getByRole('searchbox').fill('32601 ERROR_handling');
    expect(await shown(page)).toEqual(['tools-call-error']);
    await page.getByRole('searchbox').fill('no such thing');
    expect(await shown(page)).toEqual([]);
    await expect.poll(() => page.locator('#nothing').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await shown(page)).toHaveLength(49);
  });

  test('drills down to a check with evidence, the diff against what was reviewed, and raw JSON', async () => {
    const p = aRichPublication();
    const { page, watch } = await open(p);
    await page
      .locator('#grid')
      .getByRole('button', { name: /^tools-call-error, server:2026-07-28/ })
      .click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('h2').textContent()).toBe('tools-call-error');
    const check = dialog.locator('details.check').first();
    expect(await check.locator('.box.finding del').textContent()).toBe('−32602');
    expect(await check.locator('.box.finding ins').textContent()).toBe('−32601');
    expect(await check.textContent()).toContain('Failed: MCP error -32601: Unknown tool');
    expect(await check.textContent()).toContain('genuine-protocol-failure');
    expect(await check.locator('.references a').getAttribute('href')).toMatch(
      /^https:\/\/modelcontextprotocol\.io\//,
    );
    await check.getByText('Raw JSON').click();
    const raw = JSON.parse((await check.locator('.raw pre').textContent()) ?? '');
    expect(raw).toEqual(
      p.checks['server:2026-07-28']?.find(({ scenario }) => scenario === 'tools-call-error')?.occurrences[0],
    );
    await dialog.getByRole('button', { name: 'server:2025-11-25' }).click();
    expect(await dialog.locator('.badge').textContent()).toBe('passed');
    expect(watch.complaints).toEqual([]);
  });

  test('works with the keyboard alone', async () => {
    const { page } = await open(aRichPublication());
    await page.keyboard.press('/');
    await page.keyboard.type('tools-call');
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(await focused()).toMatch(/^tools-call-simple-text, server:2025-11-25/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^tools-call-image, server:2026-07-28/);
    await page.keyboard.press('End');
    expect(await focused()).toMatch(/^tools-call-with-progress, server:2026-07-28/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.press('k');
    expect(await page.getByRole('dialog').locator('h2').textContent()).toBe('tools-call-error');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
    expect(await focused()).toMatch(/^tools-call-error, server:2026-07-28/);
  });

  test('switches between light, dark and the system theme', async () => {
    const { page } = await open(aRichPublication());
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background(page);
    await page.locator('#theme').getByText('light').click();
    const light = await background(page);
    expect(light).not.toBe(dark);
    await page.locator('#theme').getByText('dark').click();
    expect(await background(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await background(page)).toBe(dark);
    await page.locator('#theme').getByText('auto').click();
    expect(await background(page)).toBe(light);
  });

  test('opens what the address names', async () => {
    const { page } = await open(aRichPublication(), {
      hash: '#server%3A2025-11-25/tools-call-with-progress/',
    });
    await expect
      .poll(() => page.getByRole('dialog').locator('h2').textContent())
      .toBe('tools-call-with-progress');
  });

  test('a finding in the list leads to its check', async () => {
    const { page } = await open(aRichPublication());
    await page
      .locator('.findings')
      .getByRole('button', { name: /server-stateless/ })
      .click();
    expect(await page.getByRole('dialog').locator('details.check[open]').textContent()).toContain(
      'FAILURE ×5',
    );
  });

  test.each([1280, 720, 360])('fits %i pixels', async (width) => {
    const { page } = await open(aRichPublication(), { width });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.locator('.findings .link').first().click();
    const box = await page.getByRole('dialog').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(width);
  });

  test('prints everything, without what only a screen can use', async () => {
    const { page } = await open(aRichPublication());
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    expect(await page.locator('#theme').isVisible()).toBe(false);
    expect(await page.locator('#grid .row').first().isVisible()).toBe(true);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.locator('footer details').getAttribute('open')).not.toBeNull();
  });

  test('shows hostile text and obeys none of it', async () => {
    const names = Object.entries(HOSTILE).map(([name, text]) => ({ name, text: `${name} ${text}` }));
    const p = aPublication({
      checks: {
        'server:2025-11-25': names.map(({ text }) => ({
          ...anExceptedCheck({ scenario: text, check: text, evidence: text, disposition: 'finding' }),
          description: text,
          exception: { class: text, reason: text, reference: text },
          specReferences: [{ id: text, url: 'javascript:window.pwned=1' }],
          occurrences: [{ [text]: text }],
        })),
      },
      more: { name: HOSTILE['script end'] ?? '', headline: HOSTILE['style and title end'] ?? '' },
      commands: { accept: HOSTILE.HTML ?? '' },
      comparison: { found: false, note: HOSTILE['details end'] ?? '' },
    });
    const { page, watch } = await open(p);
    const cells = page.locator('#grid [data-at]');
    expect(await cells.count()).toBe(names.length);
    for (const [at, { text }] of names.entries()) {
      await cells.nth(at).dispatchEvent('click');
      const dialog = page.getByRole('dialog');
      const told = (await dialog.textContent())?.replace(/\s+/g, '') ?? '';
      expect(told).toContain(escapeControls(text).replace(/\s+/g, '').slice(0, 900));
      await dialog.locator('.raw summary').click();
      const raw = JSON.parse((await dialog.locator('.raw pre').textContent()) ?? '');
      const [[key, value]] = Object.entries(raw) as [[string, string]];
      expect(key).toBe(text.toWellFormed());
      expect(value.startsWith(text.toWellFormed().slice(0, 8000))).toBe(true);
      expect(await dialog.locator('a').count()).toBe(0);
      await page.keyboard.press('Escape');
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.locator('img, iframe, object, script[src], link[rel=stylesheet]').count()).toBe(0);
    expect(watch).toEqual({ requests: [], complaints: [], dialogs: [] });
  });

  test('its policy lets no other script run', async () => {
    const html = renderPage(aRichPublication());
    const file = join(folder, 'planted.html');
    await writeFile(
      file,
      html.replace('</main>', '<img src="x" onerror="window.pwned=1"><script>window.pwned=1</script></main>'),
    );
    const { page, watch } = await openPage(browser, file);
    onTestFinished(() => page.close());
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(watch.complaints.join('\n')).toMatch(/Content Security Policy/);
  });

  test('1,000 scenarios in five profiles stay quick', async () => {
    const checks = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((kind, column) => [
        `suite:${kind}@2026-07-28`,
        Array.from({ length: 1000 }, (_, row) =>
          aCheck({
            scenario: `scenario-${row}`,
            check: `check-${row}`,
            status: (row + column) % 17 === 0 ? 'FAILURE' : 'SUCCESS',
          }),
        ),
      ]),
    );
    const began = performance.now();
    const { page } = await open(aPublication({ checks }));
    const opened = performance.now() - began;
    const filtered = await page.evaluate<number>(`(async () => {
      const start = performance.now();
      const search = document.querySelector('#search');
      search.value = 'check-77';
      search.dispatchEvent(new Event('input'));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - start;
    })()`);
    expect(await shown(page)).toHaveLength(11);
    process.stdout.write(
      `1,000 scenarios × 5: made and opened in ${Math.round(opened)} ms, searched in ${Math.round(filtered)} ms\n`,
    );
    expect(opened).toBeLessThan(20_000);
    expect(filtered).toBeLessThan(4000);
  });

  test('the committed script and style are what their sources build', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    execFileSync(process.execPath, ['scripts/build-page.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  });
});
