import type { Leg } from '../profile.ts';

/** The referee ends each scenario's folder with an ISO time whose `:` and `.` are dashes (createResultDir upstream). */
const TIME = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** True when the referee would have given a folder this name. */
export function isScenarioFolder(name: string): boolean {
  return TIME.test(name);
}

/**
 * Which scenario a folder belongs to.
 * @param folder relative to `raw/`, forward slashes; client scenarios contain `/` and therefore nest
 * @param leg server folders carry the prefix `server-`, client folders none
 * @param known the profile's scenarios; needed because `server-initialize` is itself a scenario's name
 * @returns the scenario's name, known or not
 */
export function scenarioOfFolder(folder: string, leg: Leg, known: ReadonlySet<string>): string {
  const name = folder.replace(TIME, '');
  if (leg === 'client' || !name.startsWith('server-')) return name;
  const unprefixed = name.slice('server-'.length);
  return known.has(unprefixed) || !known.has(name) ? unprefixed : name;
}
