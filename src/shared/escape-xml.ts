import { escapeControls } from './escape-controls.ts';

/**
 * Foreign text for an XML 1.0 document: only characters that the standard allows (its section 2.2). The writer escapes
 * `<`, `&` and quotes; `]]>` needs nothing because no CDATA section is written.
 */
export function xmlText(text: string): string {
  return escapeControls(text);
}
