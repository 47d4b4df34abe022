import { escapeControls, oneLine } from './escape-controls.ts';

/** Zero-width space as an entity: breaks what GitHub would link, and shows nothing. */
const BREAK = '&#8203;';

/**
 * Foreign text as plain words inside Markdown, on one line, also inside a table cell.
 * Punctuation is escaped, HTML becomes entities; mentions, issue links and bare links are broken.
 */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]~|$]/g, (c) => `\\${c}`)
    .replace(/[@#]/g, (c) => `${c === '#' ? '\\#' : c}${BREAK}`)
    .replace(/:(?=\/\/|[a-z])/gi, `:${BREAK}`)
    .replace(/\b(www(?=\.)|gh(?=-\d))/gi, `$1${BREAK}`)
    .replace(/^(?=[-+=])|(?<=^\d+)(?=[.)])/, '\\');
}

/** Words in which our own texts mark code with backticks: the marked parts become code, all of it is escaped. */
export function markdownProse(text: string): string {
  const parts = text.split('`');
  // An odd number of backticks is not a pair of marks: then it is text.
  if (parts.length % 2 === 0) return markdownText(text);
  return parts
    .map((part, index) => (index % 2 === 1 ? markdownCode(part) : spaced(part)))
    .join('')
    .trim();
}

/** Escapes a part of a line without losing the space at its ends. */
function spaced(part: string): string {
  const text = markdownText(part);
  return `${/^\s/.test(part) && text ? ' ' : ''}${text}${/\s$/.test(part) ? ' ' : ''}`;
}

/**
 * Foreign text as code on one line, also inside a table cell. GitHub resolves neither mentions nor issue links in there.
 */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  // A pipe ends a table cell even inside a code span, and what a backslash before it means differs between renderers.
  if (/[|\\]/.test(line) || line === '')
    return `<code>${markdownText(line).replace(/\\\|/g, '&#124;').replace(/\\\\/g, '&#92;')}</code>`;
  const fence = '`'.repeat(longestRun(line, '`') + 1);
  // CommonMark 6.1: a backtick must not touch the fence; one space on each side is taken away again.
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * Foreign text as a fenced block with its lines kept.
 * @param language info string of our own, such as `diff` or `yaml`
 */
export function markdownBlock(text: string, language = 'text'): string {
  const content = escapeControls(text).replace(/\n$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(content, '`') + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** A link to an address that came from outside; anything but http and https is shown as text instead. */
export function markdownLink(label: string, url: string | undefined): string {
  if (!url || !URL.canParse(url)) return markdownText(label);
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return markdownText(label);
  return `[${markdownText(label)}](<${parsed.href.replace(/[<>\\|]/g, encodeURIComponent)}>)`;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const c of text) {
    run = c === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
