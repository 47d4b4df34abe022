import type { RunContext } from './run-context.ts';

/**
 * Marks stand where something of the run was taken out. Their brackets are doubled where the evidence itself holds them, so
 * that nobody can print a mark and be taken for normalised.
 */
const OPEN = '⟨';
export const MARK = {
  target: '⟨target⟩',
  port: '⟨port⟩',
  session: '⟨session⟩',
  time: '⟨time⟩',
  requestId: '⟨request-id⟩',
  version: '⟨version⟩',
  masked: '⟨masked⟩',
} as const;

/** HTTP dates have whole seconds, so a time of the run may lie up to one second before its window. */
const TOLERANCE_MS = 1000;

const ISO = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?(?![\d:])/g;
const HTTP_DATE = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;
const EPOCH_MS = /(?<!\d)\d{13}(?!\d)/g;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::ffff:127.0.0.1', '::1', '0.0.0.0'];

export interface TextNormaliser {
  /** Named normalisations `line-ends`, `address` and `time`. */
  text(text: string): string;
  /** True when a number is a time in milliseconds inside the run's window. */
  isTime(value: number): boolean;
  /** True when a number is the port at which the run's target answered. */
  isPort(value: number): boolean;
}

/**
 * Builds the text normaliser of one run. It touches only what the run knows: its own addresses and times inside its own
 * window. A patterned but foreign value (another port, last year's date, an error code) stays evidence.
 */
export function textNormaliser(context: RunContext): TextNormaliser {
  const from = Date.parse(context.window.from) - TOLERANCE_MS;
  const to = Date.parse(context.window.to) + TOLERANCE_MS;
  const inWindow = (ms: number) => ms >= from && ms <= to;
  const { pattern: address, ports } = addressPattern(context);

  function text(value: string): string {
    let out = wellFormed(value);
    // Asking first only saves time: hardly any text has either.
    if (out.includes('\r\n')) out = out.replaceAll('\r\n', '\n');
    if (out.includes(OPEN)) out = out.replaceAll(OPEN, OPEN + OPEN);
    if (address !== undefined) out = out.replace(address, MARK.target);
    // Every time form holds eight digits or colons in a row of characters; most texts hold none.
    if (/\d\d:\d\d:\d\d|\d{13}/.test(out)) {
      const markOurs = (match: string, ms: number) => (inWindow(ms) ? MARK.time : match);
      out = out
        // Without a zone it is UTC, wherever this runs.
        .replace(ISO, (match, zone) => markOurs(match, Date.parse(zone === undefined ? `${match}Z` : match)))
        .replace(HTTP_DATE, (match) => markOurs(match, Date.parse(match)))
        .replace(EPOCH_MS, (match) => markOurs(match, Number(match)));
    }
    return out;
  }

  return {
    text,
    isTime: (value) => Number.isSafeInteger(value) && value >= 1e12 && inWindow(value),
    isPort: (value) => ports.has(value),
  };
}

/** Canonical JSON has no lone surrogates, JSON has: they are written out, so that they stay evidence. */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/** Loopback spellings are one machine, so all of them with the run's port are the target. */
function addressPattern(context: RunContext): { pattern: RegExp | undefined; ports: ReadonlySet<number> } {
  const alternatives = new Set<string>();
  const ports = new Set<number>();
  for (const text of context.urls) {
    const url = URL.parse(text);
    if (url === null || url.host === '') continue;
    const { port } = url;
    if (port !== '') ports.add(Number(port));
    if (LOOPBACK.includes(url.hostname) && port !== '') {
      for (const host of LOOPBACK) {
        alternatives.add(`${quote(host)}(?::|%3[Aa])${port}(?!\\d)`);
      }
    } else if (!LOOPBACK.includes(url.hostname)) {
      alternatives.add(
        `${quote(url.hostname)}${port === '' ? '' : `(?:(?::|%3[Aa])${port}(?!\\d))?`}(?![\\w-])`,
      );
    }
  }
  if (context.leg === 'client') {
    // The referee's own servers for a client listen on ports of the operating system's ephemeral range.
    for (const host of LOOPBACK) {
      alternatives.add(
        `${quote(host)}(?::|%3[Aa])(?:3[3-9]\\d{3}|32[89]\\d{2}|327[7-9]\\d|3276[89]|[4-6]\\d{4})(?!\\d)`,
      );
    }
  }
  return {
    pattern:
      alternatives.size === 0
        ? undefined
        : new RegExp(`(?:(?<=%[0-9a-f]{2})|(?<![\\w.-]))(?:${[...alternatives].join('|')})`, 'gi'),
    ports,
  };
}

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
