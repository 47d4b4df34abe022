import { escapeControls } from './escape-controls.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Foreign text for XML, between double quotes: a reader would make spaces of line ends and tabs. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll(/[\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`);
}

/**
 * Foreign text for XML, as an element's content: only characters that XML 1.0 allows (its section
 * 2.2), and nothing of it markup. `>` too, because `]]>` may not stand in content.
 */
export function xmlText(text: string): string {
  return escapeControls(text).replaceAll(/[&<>"]/g, (found) => ESCAPES[found] ?? found);
}
