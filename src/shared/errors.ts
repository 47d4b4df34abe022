import type { Finding } from '../gate/finding.ts';

/** A place in a file that a person wrote. Lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * The user's mistake: usage, configuration or baseline syntax. The command exits 2 with it.
 * `message` says what happened; `hint` names the nearest valid choice or what to do next.
 */
export class ConfigError extends Error {
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  /** The mistakes that were found with this one, itself first, each in its own words; only itself when it is alone. */
  readonly all: readonly ConfigError[];
  /** How many more there are than `all` holds: a file that is something else has as many as it has lines. */
  readonly left: number;

  constructor(
    message: string,
    options: {
      place?: Place;
      hint?: string;
      cause?: unknown;
      all?: readonly ConfigError[];
      left?: number;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConfigError';
    this.place = options.place;
    this.hint = options.hint;
    this.all = options.all ?? [this];
    this.left = options.left ?? 0;
  }
}

/** No target was given for a profile: a mistake for commands that start one, and none for those that do not. */
export class MissingTargetError extends ConfigError {}

/**
 * Why nothing (or not everything) could be measured, thrown where effects happen and caught at the edge of a profile,
 * where it becomes a finding in the verdict. Never the user's mistake and never a bug.
 */
export class MeasurementFault extends Error {
  readonly finding: Finding;

  constructor(finding: Finding, options: { cause?: unknown } = {}) {
    super(finding.kind, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MeasurementFault';
    this.finding = finding;
  }
}
