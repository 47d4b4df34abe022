/**
 * First aid for text that a server, a client or the referee wrote: well-formed Unicode without a character that a
 * terminal, an editor or a browser would obey instead of show. Nothing is dropped: each such character becomes a
 * visible stand-in, so that a reader sees that it was there.
 */

/** C0 and C1 controls but for tab and line feed, DEL, line and paragraph separators, zero-width and bidirectional controls (but not the joiners that scripts and emoji need), tags, U+FFFE and U+FFFF. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu;

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␀ … ␟, the Unicode pictures of the controls
  if (code === 0x7f) return '\u2421';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * @param text anything, lone surrogates included
 * @returns the same text with line feeds for CR LF, U+FFFD for lone surrogates and visible stand-ins for controls; tabs and line feeds stay
 */
export function escapeControls(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(OBEYED, visible);
}

/** The same on one line: line feeds and tabs become spaces, runs of them one. */
export function oneLine(text: string): string {
  return escapeControls(text)
    .replace(/[\n\t ]+/g, ' ')
    .trim();
}
