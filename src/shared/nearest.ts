import { closest, distance } from 'fastest-levenshtein';

/** No name that anybody gives is longer, and comparing takes the product of both lengths. */
const LONGEST_NAME = 200;
/** Fewer letters begin too many names to mean one of them. */
const SHORTEST_BEGINNING = 3;

/**
 * The valid name that a mistyped one most likely meant.
 * @returns a choice that differs in at most a third of its letters (two at least), or the only one that begins like it;
 *   `undefined` when nothing is near
 */
export function nearest(given: string, choices: readonly string[]): string | undefined {
  const lower = given.toLowerCase();
  if (lower.length > LONGEST_NAME) return undefined;
  // Names of quite another length are not near; looking at them is what would take time.
  const possible = choices
    .map((choice) => choice.toLowerCase())
    .filter((choice) => Math.abs(choice.length - lower.length) <= tolerance(choice));
  const best = possible.length === 0 ? undefined : closest(lower, possible);
  if (best !== undefined && distance(lower, best) <= tolerance(best))
    return choices.find((choice) => choice.toLowerCase() === best);
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(lower));
  return lower.length >= SHORTEST_BEGINNING && begun.length === 1 ? begun[0] : undefined;
}

const tolerance = (choice: string) => Math.max(2, Math.floor(choice.length / 3));

/** "Did you mean X?", or the whole list when nothing is near: what an error about an unknown name ends with. */
export function suggest(given: string, choices: readonly string[]): string {
  const best = nearest(given, choices);
  if (best !== undefined) return `Did you mean ${best}?`;
  return choices.length === 0 ? 'There are none.' : `Valid: ${choices.join(', ')}.`;
}
