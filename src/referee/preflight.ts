import type { Profile } from '../profile.ts';
import { ConfigError } from '../shared/errors.ts';
import { KNOWN_PINS } from './known-pins.ts';
import type { Referee } from './referee.ts';
import { requireNode } from './require-node.ts';

/**
 * Can this referee run these profiles at all? Asked before anything is started, and answered from what the referee
 * itself said when it was built.
 * @throws ConfigError for the first impossible profile; its hint names pins that could
 */
export function preflight(referee: Referee, profiles: readonly Profile[]): void {
  requireNode(process.versions.node, referee);
  for (const profile of profiles) {
    if (profile.kind === 'suite') requireSuite(referee, profile);
    else requireRequirements(referee, profile);
  }
}

function requireRequirements(referee: Referee, profile: Profile): void {
  const { abilities, facts } = referee;
  const set = abilities.requirements.find((candidate) => candidate.revision === profile.revision);
  if (set === undefined || !abilities.requirementsOption[profile.leg]) {
    const has = abilities.requirements.map((candidate) => candidate.revision).join(', ');
    const could = KNOWN_PINS.filter((known) => known.profiles.includes(profile.id));
    throw new ConfigError(
      `${profile.id} cannot be run with referee ${facts.pin}: it has ${
        has === '' || !abilities.requirementsOption[profile.leg]
          ? 'no requirement sets'
          : `requirement sets for ${has} only`
      }.`,
      { hint: `${pinsThatCould(could)}${suiteInstead(referee, profile)}.` },
    );
  }
  if (profile.kind.endsWith('-extensions') && !set.notScored.some(isExtension(profile))) {
    throw new ConfigError(
      `${profile.id} holds nothing: the ${profile.revision} set of referee ${facts.pin} names no ${profile.leg} extension.`,
      { hint: 'Leave this profile out.' },
    );
  }
}

function requireSuite(referee: Referee, profile: Profile): void {
  const { abilities, facts } = referee;
  if (abilities.specVersion && abilities.revisions.includes(profile.revision)) return;
  const could = KNOWN_PINS.filter((known) => known.revisions.includes(profile.revision));
  throw new ConfigError(
    abilities.specVersion
      ? `${profile.id} cannot be run with referee ${facts.pin}: its scenarios are for ${abilities.revisions.join(', ')}.`
      : `${profile.id} cannot be run with referee ${facts.pin}: its suites cannot be narrowed to a revision.`,
    { hint: `${pinsThatCould(could)}.` },
  );
}

/** Entries of the set that the profile's extensions kind scores. */
export function isExtension(profile: Profile) {
  return (entry: { readonly leg: string; readonly reason: string }): boolean =>
    entry.leg === profile.leg && entry.reason === 'extension';
}

function pinsThatCould(could: readonly { readonly pin: string }[]): string {
  return could.length === 0
    ? 'No published referee that is known here can'
    : `These pins can: ${could.map((known) => known.pin).join(', ')}`;
}

/** For referees that are older than requirement sets, there is another way to say nearly the same. */
function suiteInstead(referee: Referee, profile: Profile): string {
  const { specVersion, revisions } = referee.abilities;
  if (profile.kind !== 'server' || !specVersion || !revisions.includes(profile.revision)) return '';
  return `; with this one, run suite:active@${profile.revision}`;
}
