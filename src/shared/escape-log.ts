import { escapeControls } from './escape-controls.ts';

/**
 * Foreign text for a log. The runner obeys `::name::` at the start of a line (leading space is trimmed first) and
 * `##[name]` anywhere in one, on stdout and stderr alike; a terminal obeys escape sequences. Both are broken with a
 * space, so the text stays readable and is no longer obeyed.
 * @param text any text
 * @returns lines safe to print
 */
export function escapeLog(text: string): string {
  return escapeControls(text)
    .replace(/^(\s*):(?=:)/gm, '$1: ')
    .replace(/##(?=\[)/g, '# #');
}
