import { getInput, setSecret } from '@actions/core';
import { ConfigError } from '../shared/errors.ts';
import { type GivenOptions, OPTION_NAMES, OPTIONS } from './options.ts';

/**
 * Reads the action's inputs (`INPUT_<NAME>`), which carry the same names as the command's options.
 * Values of secret inputs are masked in the log first, line by line as the runner masks.
 * @throws ConfigError when a switch is neither true nor false
 */
export function readInputs(): GivenOptions {
  const given: Record<string, string | boolean> = {};
  for (const name of OPTION_NAMES) {
    const text = getInput(name);
    if (text === '') continue;
    const spec: { kind: string; secret?: boolean } = OPTIONS[name];
    if (spec.secret) for (const line of text.split(/\r?\n/)) maskHeader(line);
    given[name] = spec.kind === 'switch' ? readSwitch(name, text) : text;
  }
  return given;
}

/** A switch: YAML 1.2's true and false in any usual spelling. Empty is false; give a default as `text` where it is not. */
export function readSwitch(name: string, text: string = getInput(name)): boolean {
  if (text === '' || /^(false|False|FALSE)$/.test(text)) return false;
  if (/^(true|True|TRUE)$/.test(text)) return true;
  throw new ConfigError(`${name}: "${text}" is neither true nor false.`, { hint: 'Write true or false.' });
}

function maskHeader(line: string): void {
  const value = line.slice(line.indexOf(':') + 1).trim();
  if (value === '') return;
  setSecret(value);
  const credentials = /^[A-Za-z][A-Za-z0-9-]* +(.+)$/.exec(value)?.[1];
  if (credentials) setSecret(credentials);
}
