import { closest, distance } from 'fastest-levenshtein';

/** Fewer letters begin too many names to mean one of them. */
const SHORTEST_BEGINNING = 3;

/**
 * The valid name that a mistyped one most likely meant.
 * @returns a choice that differs in at most a third of its letters (two at least), or the only one that begins like it;
 *   `undefined` when nothing is near
 */
export function nearest(given: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return undefined;
  const lower = given.toLowerCase();
  const best = closest(
    lower,
    choices.map((choice) => choice.toLowerCase()),
  );
  if (distance(lower, best) <= Math.max(2, Math.floor(best.length / 3)))
    return choices.find((choice) => choice.toLowerCase() === best);
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(lower));
  return lower.length >= SHORTEST_BEGINNING && begun.length === 1 ? begun[0] : undefined;
}

/** "Did you mean X?", or the whole list when nothing is near: what an error about an unknown name ends with. */
export function suggest(given: string, choices: readonly string[]): string {
  const best = nearest(given, choices);
  if (best !== undefined) return `Did you mean ${best}?`;
  return choices.length === 0 ? 'There are none.' : `Valid: ${choices.join(', ')}.`;
}
