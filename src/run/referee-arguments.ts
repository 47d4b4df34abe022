import type { Profile } from '../profile.ts';
import type { Referee } from '../referee/referee.ts';

interface Common {
  readonly referee: Referee;
  readonly profile: Profile;
  readonly scenarioMs: number;
  /** Folder that the referee writes into. */
  readonly output: string;
}

/**
 * @returns the arguments with which the referee runs everything that a server profile contains, in one process.
 *   A requirement set excludes suite and version; suites are for referees that have none.
 */
export function wholeArguments(options: Common & { readonly url: string }): string[] {
  const { profile } = options;
  const selection =
    profile.kind === 'suite'
      ? ['--suite', profile.suite ?? 'active', ...specVersion(options)]
      : ['--requirements', profile.revision];
  return ['server', '--url', options.url, ...selection, ...serverTimeout(options), '-o', options.output];
}

/**
 * @returns the arguments with which the referee runs one scenario of the profile, at the profile's wire version even when
 *   the scenario's own window does not contain it: the requirement set decides what belongs to a revision
 */
export function aloneArguments(
  options: Common & { readonly scenario: string } & ({ readonly url: string } | { readonly command: string }),
): string[] {
  const { referee } = options;
  const target =
    'url' in options ? ['server', '--url', options.url] : ['client', '--command', options.command];
  const timeout = 'url' in options ? serverTimeout(options) : ['--timeout', String(options.scenarioMs)];
  const force = referee.abilities.specVersion && referee.abilities.force ? ['--force'] : [];
  return [
    ...target,
    '--scenario',
    options.scenario,
    ...specVersion(options),
    ...force,
    ...timeout,
    '-o',
    options.output,
  ];
}

function specVersion({ referee, profile }: Common): string[] {
  return referee.abilities.specVersion ? ['--spec-version', profile.revision] : [];
}

function serverTimeout({ referee, scenarioMs }: Common): string[] {
  return referee.abilities.serverTimeout ? ['--timeout', String(scenarioMs)] : [];
}
