import { applyMasks } from './mask.ts';
import type { Evidence } from './normalise.ts';
import { MARK } from './normalise-text.ts';

const MARKS = new RegExp(Object.values(MARK).join('|'), 'g');

/**
 * True when masked evidence still tells this failure from another one. Evidence that needs no mask is taken as it is.
 * @param masks all of the exception: those of earlier acceptances count as well
 */
export function isRecognisable(occurrences: readonly (Evidence | null)[], masks: readonly string[]): boolean {
  return masks.length === 0 || hasStable(applyMasks(occurrences, masks));
}

/** True when at least one letter or digit, number or truth value is left that is neither a mark nor a member's name. */
function hasStable(value: unknown): boolean {
  if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value.replace(MARKS, ''));
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasStable);
  return false;
}
