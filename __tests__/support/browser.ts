import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

/** A real, headless Chromium: CHROMIUM names its path, otherwise the usual ones are tried. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? USUAL.find((path) => existsSync(path));
  if (!executablePath || !existsSync(executablePath))
    throw new Error(
      `This test opens report.html in Chromium and found none (${process.env.CHROMIUM ?? USUAL.join(', ')}). Install the package "chromium" or set CHROMIUM to its path.`,
    );
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What a page did that a report must never do. */
export interface Watch {
  /** Addresses asked for, the page's own file aside. */
  readonly requests: string[];
  /** Errors, warnings and policy violations. */
  readonly complaints: string[];
  readonly dialogs: string[];
}

/** Opens a file and watches it. */
export async function openPage(
  browser: Browser,
  file: string,
  width = 1280,
): Promise<{ page: Page; watch: Watch }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const watch: Watch = { requests: [], complaints: [], dialogs: [] };
  const address = `file://${file}`;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address && !request.url().startsWith('data:image/svg+xml'))
      watch.requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() !== 'log') watch.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watch.complaints.push(error.message));
  page.on('dialog', (dialog) => {
    watch.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(address);
  await page.waitForFunction('document.documentElement.dataset.ready === ""');
  return { page, watch };
}
