/**
 * What the long-running stations tell while they work. Who listens decides how it looks: a redrawn line on a terminal,
 * grouped log lines in CI, nothing with --json. Stations never print.
 */
export type ProgressEvent =
  /** A station began something that may take seconds: "Installing referee npm:0.2.0-alpha.12". */
  | { readonly kind: 'step'; readonly text: string; readonly profile?: string }
  /** A scenario began (`n` of `of`), `elapsedMs` after the profile did. */
  | {
      readonly kind: 'scenario';
      readonly profile: string;
      readonly scenario: string;
      readonly n: number;
      readonly of: number;
      readonly elapsedMs: number;
    }
  /** Worth knowing, changes nothing. */
  | { readonly kind: 'notice'; readonly text: string; readonly profile?: string }
  /** Something was lost or will be, and the verdict does not hang on it. */
  | { readonly kind: 'warning'; readonly text: string; readonly profile?: string };

export type Progress = (event: ProgressEvent) => void;
