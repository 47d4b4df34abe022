import { escapeControls } from './escape-controls.ts';

/**
 * Foreign text for xmlbuilder2: only characters that XML 1.0 allows (its section 2.2), and every `&` already written as
 * `&amp;`. The writer escapes `<`, `>` and quotes, but takes `&name;` for an entity of the author's and would write it as
 * it is; `&amp;` it leaves alone. `]]>` needs nothing because no CDATA section is written.
 */
export function xmlText(text: string): string {
  return escapeControls(text).replaceAll('&', '&amp;');
}
