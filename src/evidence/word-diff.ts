import { diffWordsWithSpace } from 'diff';

/** Beyond this the comparison is cut: the diff algorithm is quadratic in what differs, and its input is hostile. */
const MAX_TEXT = 8_000;
const MAX_EDITS = 2_000;

/**
 * What changed between two texts, word by word: removed words as `[-…-]`, added ones as `{+…+}`.
 * @param before,now normalised evidence as text
 */
export function wordDiff(before: string, now: string): string {
  const parts = diffWordsWithSpace(before.slice(0, MAX_TEXT), now.slice(0, MAX_TEXT), {
    maxEditLength: MAX_EDITS,
  });
  const cut = before.length > MAX_TEXT || now.length > MAX_TEXT ? '\n… (cut)' : '';
  if (parts === undefined) return `[-${before.slice(0, MAX_TEXT)}-]\n{+${now.slice(0, MAX_TEXT)}+}${cut}`;
  return (
    parts
      .map(({ added, removed, value }) => (added ? `{+${value}+}` : removed ? `[-${value}-]` : value))
      .join('') + cut
  );
}
