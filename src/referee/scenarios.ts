import type { Profile } from '../profile.ts';
import type { ScenarioList } from '../run/metadata.ts';
import { ConfigError } from '../shared/errors.ts';
import { suggest } from '../shared/nearest.ts';
import { isExtension, preflight } from './preflight.ts';
import type { Referee } from './referee.ts';
import { suiteMembers } from './suite-members.ts';

/** What a profile contains, and the hash of the requirement set (`sha256:…`) that says so, when there is one. */
export interface ProfileScenarios {
  readonly list: ScenarioList;
  readonly requirements?: string;
}

/**
 * Which scenarios a profile contains, scored and not: from the referee's frozen requirement set, or for a `suite`
 * profile from what the referee says that it would run.
 * @param only scenarios of a partial run; must be in the profile
 * @param signal ends asking the referee for a suite's members
 * @throws ConfigError when the referee cannot run the profile or `only` names a stranger
 * @throws MeasurementFault when the referee does not say what a suite holds
 */
export async function scenariosOf(
  referee: Referee,
  profile: Profile,
  only?: readonly string[],
  signal?: AbortSignal,
): Promise<ProfileScenarios> {
  preflight(referee, [profile]);
  if (profile.kind === 'suite') {
    return {
      list: narrow({ scored: await suiteMembers(referee, profile, signal), notScored: [] }, profile, only),
    };
  }
  const set = referee.abilities.requirements.find((candidate) => candidate.revision === profile.revision);
  if (set === undefined) throw new Error(`preflight let ${profile.id} pass without a requirement set`);
  const list: ScenarioList = profile.kind.endsWith('-extensions')
    ? { scored: set.notScored.filter(isExtension(profile)).map((entry) => entry.scenario), notScored: [] }
    : {
        scored: [...set[profile.leg]],
        notScored: set.notScored
          .filter((entry) => entry.leg === profile.leg)
          .map(({ leg: _leg, ...entry }) => entry),
      };
  return { list: narrow(list, profile, only), requirements: set.hash };
}

function narrow(list: ScenarioList, profile: Profile, only: readonly string[] | undefined): ScenarioList {
  if (only === undefined) return list;
  const all = [...list.scored, ...list.notScored.map((entry) => entry.scenario)];
  for (const name of only) {
    if (!all.includes(name)) throw unknownScenario(name, profile, all);
  }
  return { ...list, only: [...only] };
}

function unknownScenario(name: string, profile: Profile, all: readonly string[]): ConfigError {
  return new ConfigError(`${profile.id} has no scenario "${name}".`, { hint: suggest(name, all) });
}
