import { relative } from 'node:path';
import { CommanderError } from 'commander';
import { textOf } from '../gate/texts.ts';
import { ConfigError, MeasurementFault, type Place } from '../shared/errors.ts';
import { escapeControls } from '../shared/escape-controls.ts';
import { escapeLog } from '../shared/escape-log.ts';

/** Exit code for what went wrong: 2 for the user's mistake, 3 when it could not be measured, a bug of ours included. */
export function exitCodeOf(error: unknown): 2 | 3 {
  return error instanceof ConfigError || error instanceof CommanderError ? 2 : 3;
}

/**
 * What a person reads when a command could not do its work: what happened, where, and what to do next.
 * @param cwd places are shown relative to it when they lie inside
 * @returns lines without a final newline; foreign text in them stays on its line, and neither a terminal nor a runner obeys it
 */
export function describeError(error: unknown, cwd: string): string {
  if (error instanceof ConfigError) {
    const lines = [`error: ${error.message}`];
    if (error.place) lines.push(`  at ${describePlace(error.place, cwd)}`);
    if (error.hint) lines.push(`  ${error.hint}`);
    return lines.map(shown).join('\n');
  }
  if (error instanceof MeasurementFault) {
    const { title, detail, remedy } = textOf(error.finding);
    return [`could not measure: ${title}`, ...[...detail, ...remedy].map((line) => `  ${line}`)]
      .map(shown)
      .join('\n');
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause =
    error instanceof Error && error.cause !== undefined ? `\nCaused by: ${String(error.cause)}` : '';
  return `internal error: this is a bug in mcp-conformance-gate; nothing was measured.\n${text}${cause}`
    .split('\n')
    .map(escapeLog)
    .join('\n');
}

/** One line of ours with foreign text in it. */
export function shown(line: string): string {
  return escapeLog(escapeControls(line).replaceAll('\n', ' '));
}

/** `baselines/server-2025-11-25.yaml:12:5`, relative to `cwd` when it lies inside. */
export function describePlace({ file, line, column }: Place, cwd: string): string {
  const inside = relative(cwd, file);
  const named = inside.startsWith('..') || inside === '' ? file : inside;
  return [named, line, column].filter((part) => part !== undefined).join(':');
}
