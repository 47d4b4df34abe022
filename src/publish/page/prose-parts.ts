/** A piece of a sentence: what stands between backticks is something to type. */
export interface ProsePart {
  readonly code: boolean;
  readonly text: string;
}

/** @returns the sentence in pieces, without its backticks; in one piece as it is when one of them has no partner */
export function proseParts(sentence: string): ProsePart[] {
  const parts = sentence.split('`');
  if (parts.length % 2 === 0) return [{ code: false, text: sentence }];
  return parts.map((text, at) => ({ code: at % 2 === 1, text }));
}
