import type { Evidence } from './normalise.ts';
import { MARK } from './normalise-text.ts';

/**
 * A mask names one volatile place in the evidence of an exception (DESIGN.md section 8.4), readable in the baseline:
 *
 * - `details.items.0.token`: the whole value at that path
 * - `errorMessage #4`: the fourth word of the text at that path
 * - `[2] details.token`: in the second occurrence, when the check occurs several times
 *
 * Dots and backslashes inside a member's name are written `\.` and `\\`.
 */
export interface Mask {
  /** Index of the occurrence, from 0. */
  readonly occurrence: number;
  readonly path: readonly string[];
  /** Index of the word, from 0; absent when the whole value is masked. */
  readonly word?: number;
}

const FORM = /^(?:\[(\d+)\] )?(.+?)(?: #(\d+))?$/s;

/** @returns the mask, or `undefined` when the text is not of the form above */
export function parseMask(text: string): Mask | undefined {
  const [, occurrence, path, word] = FORM.exec(text) ?? [];
  if (path === undefined || occurrence === '0' || word === '0') return undefined;
  return {
    occurrence: occurrence === undefined ? 0 : Number(occurrence) - 1,
    path: splitPath(path),
    ...(word === undefined ? {} : { word: Number(word) - 1 }),
  };
}

/** @param several whether the check occurs more than once; only then the occurrence is written */
export function formatMask(mask: Mask, several: boolean): string {
  const path = mask.path.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.');
  return `${several ? `[${mask.occurrence + 1}] ` : ''}${path}${mask.word === undefined ? '' : ` #${mask.word + 1}`}`;
}

function splitPath(path: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let n = 0; n < path.length; n++) {
    if (path[n] === '\\' && n + 1 < path.length) part += path[++n];
    else if (path[n] === '.') {
      parts.push(part);
      part = '';
    } else part += path[n];
  }
  return [...parts, part];
}

/**
 * What counts as a word when parts of a text are masked: names, numbers, paths, encoded blobs; not the punctuation between.
 * Dates, times and durations are one word with all their parts: two runs minutes apart show that the minute changes, and
 * the hour changes as well.
 */
const WORD = new RegExp(
  [
    // 2026-11-30 20:05:53.123 +01:00
    String.raw`\d{4}[-/]\d{2}[-/]\d{2} \d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:UTC|GMT|Z|[+-]\d{2}:?\d{2}))?(?![\p{L}\p{N}])`,
    // Mon, 30 Nov 2026 20:05:53 GMT, Mon Nov 30 2026 20:05:53
    String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{1,2}) (?:\d{4} )?\d{2}:\d{2}:\d{2}(?: (?:UTC|GMT)[+\d]*)?`,
    // 1h 2m 3s, 5 min 2.5 s
    String.raw`\d+(?:\.\d+)? ?(?:d|h|m|min|s|sec)(?: \d+(?:\.\d+)? ?(?:h|m|min|s|sec|ms)(?![\p{L}\p{N}]))+`,
    // Anything else; a colon between digits belongs to a time.
    String.raw`(?:[\p{L}\p{N}_+/=.~%@-]|(?<=\d):(?=\d))+`,
  ].join('|'),
  'gu',
);

/** Cuts a text into words and what lies between them; words have odd indices. */
export function splitWords(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    parts.push(text.slice(end, match.index), match[0]);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/**
 * Replaces masked places by a mark.
 * @param masks masks that name nothing are ignored: the evidence then differs where it lacks what they name
 */
export function applyMasks(
  occurrences: readonly (Evidence | null)[],
  masks: readonly string[],
): (Evidence | null)[] {
  // Only saves time: most evidence has none.
  if (masks.length === 0) return [...occurrences];
  const parsed = masks.map(parseMask).filter((mask) => mask !== undefined);
  return occurrences.map((evidence, n) => {
    const own = parsed.filter((mask) => mask.occurrence === n);
    return own.reduce<unknown>(
      (value, mask) => replaceAt(value, mask.path, mask.word),
      evidence,
    ) as Evidence | null;
  });
}

function replaceAt(value: unknown, path: readonly string[], word: number | undefined): unknown {
  const [head, ...rest] = path;
  if (head === undefined) {
    if (word === undefined) return MARK.masked;
    if (typeof value !== 'string') return value;
    const words = splitWords(value);
    if (2 * word + 1 >= words.length) return value;
    words[2 * word + 1] = MARK.masked;
    return words.join('');
  }
  // Its keys, not all that it owns: lists own a length.
  if (typeof value !== 'object' || value === null || !Object.keys(value).includes(head)) return value;
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  Object.defineProperty(copy, head, {
    value: replaceAt((value as Record<string, unknown>)[head], rest, word),
  });
  return copy;
}
