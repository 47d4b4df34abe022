import { resolve } from 'node:path';
import { valid } from 'semver';
import type { Pin } from '../config/plan.ts';
import { ConfigError } from '../shared/errors.ts';
import { DEFAULT_PIN, KNOWN_PINS } from './known-pins.ts';

export { DEFAULT_PIN };

const COMMIT = /^[0-9a-f]{40}$/i;

/**
 * A pin that is not exact. `about` tells what would help: for npm, the versions that exist (explainPinMistake asks the
 * registry for them); for git, nothing but the full SHA.
 */
export class PinMistake extends ConfigError {
  readonly about: 'npm' | 'git' | 'form';

  constructor(about: 'npm' | 'git' | 'form', message: string, hint: string) {
    super(message, { hint });
    this.name = 'ConfigError';
    this.about = about;
  }
}

/**
 * Reads which referee is wanted: exactly one version or commit, nothing that can move (DESIGN.md section 9).
 * @param text `npm:<exact version>`, `git:<40 hex>` or `path:<checkout>@<40 hex>`
 * @param base folder that a relative checkout path is relative to
 * @throws PinMistake (a ConfigError) for anything else: ranges, tags, branches, short SHAs
 */
export function parsePin(text: string, base: string = process.cwd()): Pin {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? '' : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (kind === 'npm') return npmPin(rest, text);
  if (kind === 'git') return gitPin(rest, text);
  if (kind === 'path') return pathPin(rest, text, base);
  throw new PinMistake('form', `"${text}" is not a referee pin.`, suggestion(text));
}

function npmPin(version: string, text: string): Pin {
  if (valid(version) === version) return { kind: 'npm', version, text };
  throw new PinMistake(
    'npm',
    `"${text}" does not name one exact version: ranges and tags such as "latest" move, and a gate must not.`,
    `Write an exact version, for example ${[...KNOWN_PINS]
      .reverse()
      .map((known) => known.pin)
      .join(', ')}.`,
  );
}

function gitPin(commit: string, text: string): Pin {
  if (COMMIT.test(commit)) {
    return { kind: 'git', commit: commit.toLowerCase(), text: `git:${commit.toLowerCase()}` };
  }
  throw new PinMistake('git', `"${text}" ${notACommit(commit)}`, FULL_SHA);
}

function pathPin(rest: string, text: string, base: string): Pin {
  const at = rest.lastIndexOf('@');
  const checkout = at < 0 ? '' : rest.slice(0, at);
  const commit = rest.slice(at + 1);
  if (checkout === '') {
    throw new PinMistake(
      'git',
      `"${text}" lacks ${at < 0 ? 'the commit' : 'the folder'}.`,
      'Write path:<checkout>@<40 hex digits>; git -C <checkout> rev-parse HEAD prints the digits.',
    );
  }
  if (!COMMIT.test(commit)) throw new PinMistake('git', `"${text}" ${notACommit(commit)}`, FULL_SHA);
  return { kind: 'path', path: resolve(base, checkout), commit: commit.toLowerCase(), text };
}

const FULL_SHA =
  'Write all 40 hex digits; git rev-parse <name>, or git ls-remote <repository> <name>, prints them.';

function notACommit(text: string): string {
  if (/^[0-9a-f]{4,39}$/i.test(text)) return `has a shortened commit of ${text.length} digits.`;
  return 'has no full commit: branches and tags move, and a gate must not.';
}

/** The form that the text was probably meant to have. */
function suggestion(text: string): string {
  if (valid(text) === text) return `Did you mean npm:${text}?`;
  if (COMMIT.test(text)) return `Did you mean git:${text.toLowerCase()}?`;
  return `Write npm:<exact version>, git:<40 hex digits> or path:<checkout>@<40 hex digits>; the default is ${DEFAULT_PIN}.`;
}
