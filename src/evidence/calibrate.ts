import { formatMask, type Mask, splitWords } from './mask.ts';
import type { Evidence } from './normalise.ts';
import { isRecognisable } from './stable.ts';

export type Calibration =
  | { readonly ok: true; readonly masks: readonly string[] }
  /** The runs disagree in more than words: not the same occurrences. */
  | { readonly ok: false; readonly why: 'occurrences-differ' }
  /** Nothing that stays would tell this failure from another one. */
  | { readonly ok: false; readonly why: 'nothing-stable'; readonly masks: readonly string[] };

/**
 * Compares the normalised evidence of the same check in two runs of the same target: what differs is volatile.
 * @param first evidence per occurrence in the run that is being accepted
 * @param again the same in the second run
 * @returns masks for what differs, or why the check cannot be pinned
 */
export function calibrate(
  first: readonly (Evidence | null)[],
  again: readonly (Evidence | null)[],
): Calibration {
  if (
    first.length !== again.length ||
    first.some((evidence, n) => (evidence === null) !== (again[n] === null))
  ) {
    return { ok: false, why: 'occurrences-differ' };
  }
  const found: Mask[] = [];
  for (const [occurrence, evidence] of first.entries()) {
    differences(evidence, again[occurrence], [], occurrence, found);
  }
  const masks = found.map((mask) => formatMask(mask, first.length > 1));
  if (!isRecognisable(first, masks)) {
    return { ok: false, why: 'nothing-stable', masks };
  }
  return { ok: true, masks };
}

function differences(
  a: unknown,
  b: unknown,
  path: readonly string[],
  occurrence: number,
  found: Mask[],
): void {
  if (a === b) return;
  if (typeof a === 'string' && typeof b === 'string') {
    const words = differingWords(a, b);
    if (words === undefined) found.push({ occurrence, path });
    else for (const word of words) found.push({ occurrence, path, word });
    return;
  }
  if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)) {
    const keys = Object.keys(a);
    const sameShape = keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key));
    // Members that come and go cannot be masked one by one: the object that holds them is what is volatile.
    if (sameShape) {
      for (const key of keys) differences(a[key], b[key], [...path, key], occurrence, found);
      return;
    }
    if (path.length === 0) {
      for (const key of new Set([...keys, ...Object.keys(b)])) {
        if (!Object.hasOwn(a, key) || !Object.hasOwn(b, key)) found.push({ occurrence, path: [key] });
        else differences(a[key], b[key], [key], occurrence, found);
      }
      return;
    }
  }
  found.push({ occurrence, path });
}

/** Indices of the words that differ; `undefined` when the texts differ in anything else, or in every word. */
function differingWords(a: string, b: string): number[] | undefined {
  const left = splitWords(a);
  const right = splitWords(b);
  if (left.length !== right.length) return undefined;
  const words: number[] = [];
  for (let n = 0; n < left.length; n++) {
    if (left[n] === right[n]) continue;
    if (n % 2 === 0) return undefined;
    words.push((n - 1) / 2);
  }
  return words.length === (left.length - 1) / 2 ? undefined : words;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
