/** A piece of a diff in which removed words are marked [-…-] and added ones {+…+}. */
export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Splits such a diff into its pieces; marks that are not closed stay as they are. */
export function diffWords(diff: string): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let at = 0;
  for (const match of diff.matchAll(/\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}/g)) {
    if (match.index > at) pieces.push({ kind: 'same', text: diff.slice(at, match.index) });
    pieces.push(
      match[1] === undefined ? { kind: 'added', text: match[2] ?? '' } : { kind: 'removed', text: match[1] },
    );
    at = match.index + match[0].length;
  }
  if (at < diff.length) pieces.push({ kind: 'same', text: diff.slice(at) });
  return pieces;
}
