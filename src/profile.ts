/** What a profile is gated on: who is under test and which of the referee's lists is scored. */
export const PROFILE_KINDS = ['server', 'client', 'server-extensions', 'client-extensions', 'suite'] as const;
export type ProfileKind = (typeof PROFILE_KINDS)[number];

/** Which of the referee's subcommands runs the profile. */
export type Leg = 'server' | 'client';

/** One thing that is gated on its own, with a baseline of its own. */
export interface Profile {
  /** `server:2025-11-25`, `suite:active@2025-11-25`: the name people write and read. */
  readonly id: string;
  readonly kind: ProfileKind;
  /** The dated specification revision, which is also the wire version. */
  readonly revision: string;
  /** The referee's suite name; only for `suite` profiles. */
  readonly suite?: string;
  readonly leg: Leg;
  /** Folder and file name of this profile: `server-2025-11-25`, `suite-active-2025-11-25`. */
  readonly slug: string;
}

/** The profiles that run when nobody says otherwise. */
export const DEFAULT_PROFILES = ['server:2025-11-25', 'server:2026-07-28'] as const;

const PLAIN = /^(server|client|server-extensions|client-extensions):(\d{4}-\d{2}-\d{2})$/;
const SUITE = /^suite:([a-z0-9][a-z0-9-]*)@(\d{4}-\d{2}-\d{2})$/;

/**
 * Reads a profile's name.
 * @param text `<kind>:<revision>` or `suite:<name>@<revision>`
 * @returns the profile, or `undefined` when the text is not of that form
 */
export function parseProfile(text: string): Profile | undefined {
  const plain = PLAIN.exec(text);
  if (plain?.[1] && plain[2]) {
    const kind = plain[1] as ProfileKind;
    return {
      id: text,
      kind,
      revision: plain[2],
      leg: kind.startsWith('client') ? 'client' : 'server',
      slug: `${kind}-${plain[2]}`,
    };
  }
  const suite = SUITE.exec(text);
  if (suite?.[1] && suite[2]) {
    return {
      id: text,
      kind: 'suite',
      suite: suite[1],
      revision: suite[2],
      leg: 'server',
      slug: `suite-${suite[1]}-${suite[2]}`,
    };
  }
  return undefined;
}
