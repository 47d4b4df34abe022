import { escapeControls } from './escape-controls.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Foreign text as HTML text or a quoted attribute's value. */
export function htmlText(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/**
 * A value as JSON that can stand inside a `<script type="application/json">` element: nothing in it can end the
 * element, start a comment or open another (HTML standard, "restrictions for contents of script elements").
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
