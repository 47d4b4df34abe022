import { escapeControls } from './escape-controls.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Foreign text for XML, as an element's content or between double quotes: only characters that XML 1.0 allows (its section
 * 2.2), and nothing of it markup. `>` too, because `]]>` may not stand in content.
 */
export function xmlText(text: string): string {
  return escapeControls(text).replaceAll(/[&<>"]/g, (found) => ESCAPES[found] ?? found);
}
