import { type Document, type ToStringOptions, visit } from 'yaml';

/** Characters that YAML would print as they are and that an editor or a reviewer's screen would obey or hide. */
const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/u;

/**
 * Writes a YAML document in which each such character of a value is an escape sequence: nothing is lost, and nobody reviews
 * a line that shows something else than it says. Values that hold one are written in double quotes.
 * @param document is changed: the quoting of such values
 */
export function yamlText(document: Document, options: ToStringOptions): string {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && HIDDEN.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const lines = document.toString(options).split('\n');
  return lines
    .map((line) => (/^\s*#/.test(line) ? line : line.replace(new RegExp(HIDDEN, 'gu'), escapeSequence)))
    .join('\n');
}

function escapeSequence(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}
