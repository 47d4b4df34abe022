import type { Baseline, Exception } from '../baseline/baseline.ts';
import { NORMALISER_VERSION } from '../evidence/normalise.ts';
import type { Profile } from '../profile.ts';
import { plural } from '../publish/plural.ts';
import type { ScenarioList } from '../run/metadata.ts';
import { daysAfter } from '../shared/days-after.ts';
import { ConfigError, type Place } from '../shared/errors.ts';
import { nearest, suggest } from '../shared/nearest.ts';

/** What `check` knows of one baseline without measuring anything. */
export interface CheckedBaseline {
  readonly profile: string;
  readonly file: string;
  /** `null`: there is no such file yet. */
  readonly exceptions: number | null;
  /** Exceptions without a review date, or with one in the future: findings of the next run. */
  readonly unreviewed: number;
  /** Exceptions whose date has passed: findings of the next run. */
  readonly expired: number;
  /** The first date on which one more expires, YYYY-MM-DD. */
  readonly nextExpiry: string | null;
}

/** Something that the next run will not like but that is written as it should be, and where it stands. */
export interface Note {
  readonly message: string;
  readonly place?: Place;
}

/** Counts what a person has to look at. @param today YYYY-MM-DD */
export function countExceptions(
  profile: Profile,
  file: string,
  baseline: Baseline | undefined,
  today: string,
): CheckedBaseline {
  const exceptions = baseline?.exceptions ?? [];
  const dates = exceptions.flatMap(({ expires }) => expires ?? []).sort();
  return {
    profile: profile.id,
    file,
    exceptions: baseline === undefined ? null : exceptions.length,
    unreviewed: exceptions.filter(({ reviewed }) => reviewed === undefined || reviewed > daysAfter(today, 1))
      .length,
    expired: dates.filter((date) => date < today).length,
    nextExpiry: dates.find((date) => date >= today) ?? null,
  };
}

/** One line for people about a baseline. */
export function baselineLine(checked: CheckedBaseline): string {
  const { profile, file, exceptions, unreviewed, expired, nextExpiry } = checked;
  if (exceptions === null) return `baseline   ${profile}  has no baseline yet: run, then accept  ${file}`;
  const parts = [
    plural(exceptions, 'exception'),
    ...(unreviewed > 0 ? [`${unreviewed} not reviewed yet`] : []),
    ...(expired > 0 ? [`${expired} expired`] : []),
    ...(nextExpiry === null ? [] : [`the next expires on ${nextExpiry}`]),
  ];
  return `baseline   ${profile}  ${parts.join(', ')}  ${file}`;
}

/**
 * Exceptions for scenarios that the referee does not score in this profile: each would be a finding of every run.
 * @param scenarios what the profile contains in the words of the pinned referee
 */
export function strangeScenarios(
  profile: Profile,
  baseline: Baseline,
  scenarios: ScenarioList,
): ConfigError[] {
  const notScored = new Set(scenarios.notScored.map(({ scenario }) => scenario));
  return baseline.exceptions
    .filter(({ scenario }) => !scenarios.scored.includes(scenario))
    .map(({ scenario, check, place }) =>
      notScored.has(scenario)
        ? new ConfigError(
            `${profile.id} runs ${scenario} but does not score it, so ${check} needs no exception.`,
            {
              ...at(place),
              hint: 'Delete the exception.',
            },
          )
        : new ConfigError(`${profile.id} has no scenario "${scenario}".`, {
            ...at(place),
            hint: suggest(scenario, scenarios.scored),
          }),
    );
}

/**
 * What the baseline was reviewed against and is another one now: the next run will ask to accept it again.
 * @param running the pin, and the hash of the requirement set where it is known
 */
export function reviewedOtherwise(
  baseline: Baseline,
  file: string,
  running: { readonly pin: string; readonly requirements: string | undefined },
): Note[] {
  const other = [
    ...(baseline.referee.pin === running.pin
      ? []
      : [`against ${baseline.referee.pin}, and the pin is ${running.pin}`]),
    ...(running.requirements === undefined || baseline.requirements === running.requirements
      ? []
      : ['against another requirement set than the pinned referee has']),
    ...(baseline.normaliser === NORMALISER_VERSION
      ? []
      : [`with evidence normaliser ${baseline.normaliser}, and this is ${NORMALISER_VERSION}`]),
  ];
  return other.map((what) => ({
    message: `The baseline was reviewed ${what}: a run will ask to accept it again.`,
    place: { file },
  }));
}

/** Every name is compared with every other; no real baseline has more exceptions, and no scenario more checks. */
const MOST_COMPARED = 1_000;

/**
 * Exceptions for checks that the scenario did not have at review, although its inventory has a name that is nearly the same.
 * A check that is nowhere like it may be new, so nothing is said of it.
 */
export function mistypedChecks(baseline: Baseline): Note[] {
  return baseline.exceptions.slice(0, MOST_COMPARED).flatMap((exception) => {
    const known = checksAtReview(baseline, exception);
    if (known.length > MOST_COMPARED) return [];
    const { scenario, check, place } = exception;
    const meant = known.includes(check) ? undefined : nearest(check, known);
    if (meant === undefined) return [];
    return [
      { message: `${scenario} had no check "${check}" at review. Did you mean ${meant}?`, ...at(place) },
    ];
  });
}

const checksAtReview = ({ inventory, information }: Baseline, { scenario }: Exception): string[] => [
  ...(inventory.get(scenario) ?? []),
  ...(information.get(scenario) ?? []),
];

const at = (place: Place | undefined): { readonly place?: Place } => (place === undefined ? {} : { place });
