/** The referee's package on npm. */
export const REFEREE_PACKAGE = '@modelcontextprotocol/conformance';

/** Where `git:` pins come from unless `--referee-repository` says otherwise. */
export const REFEREE_REPOSITORY = 'https://github.com/modelcontextprotocol/conformance.git';

/** The pin that runs when nobody says otherwise; its lock ships in baselines/referee/. */
export const DEFAULT_PIN = 'npm:0.2.0-alpha.12';

/**
 * What published referees were seen to know, oldest first. Only for hints ("these pins could"): what a referee can do is
 * always learnt from the referee itself, and __tests__/referee/published.test.ts holds this table against the real ones.
 */
export const KNOWN_PINS: readonly {
  readonly pin: string;
  /** Revisions with a frozen requirement set. */
  readonly requirements: readonly string[];
  /** Revisions that its scenario list names. */
  readonly revisions: readonly string[];
}[] = [
  { pin: 'npm:0.1.16', requirements: [], revisions: ['2025-03-26', '2025-06-18', '2025-11-25'] },
  {
    pin: 'npm:0.2.0-alpha.10',
    requirements: [],
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  },
  {
    pin: 'npm:0.2.0-alpha.11',
    requirements: ['2025-11-25', '2026-07-28'],
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  },
  {
    pin: DEFAULT_PIN,
    requirements: ['2025-11-25', '2026-07-28'],
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  },
];
