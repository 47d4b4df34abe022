/** The referee's package on npm. */
export const REFEREE_PACKAGE = '@modelcontextprotocol/conformance';

/** Where `git:` pins come from unless `--referee-repository` says otherwise. */
export const REFEREE_REPOSITORY = 'https://github.com/modelcontextprotocol/conformance.git';

/** The pin that runs when nobody says otherwise; its lock ships in baselines/referee/. */
export const DEFAULT_PIN = 'npm:0.2.0-alpha.12';

const FROZEN = [
  'server:2025-11-25',
  'server:2026-07-28',
  'client:2025-11-25',
  'client:2026-07-28',
  'server-extensions:2026-07-28',
  'client-extensions:2025-11-25',
  'client-extensions:2026-07-28',
];

/**
 * What published referees were seen to be able to run, oldest first. Only for hints ("these pins can"): what a referee can
 * do is always learnt from the referee itself, and a test holds this table against the real ones.
 */
export const KNOWN_PINS: readonly {
  readonly pin: string;
  /** Profiles with a frozen requirement set. */
  readonly profiles: readonly string[];
  /** Revisions that its scenario list names, so that a suite can be narrowed to them. */
  readonly revisions: readonly string[];
}[] = [
  { pin: 'npm:0.1.16', profiles: [], revisions: ['2025-06-18', '2025-11-25'] },
  { pin: 'npm:0.2.0-alpha.10', profiles: [], revisions: ['2025-06-18', '2025-11-25', '2026-07-28'] },
  {
    pin: 'npm:0.2.0-alpha.11',
    profiles: FROZEN,
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  },
  {
    pin: DEFAULT_PIN,
    profiles: FROZEN,
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  },
];
