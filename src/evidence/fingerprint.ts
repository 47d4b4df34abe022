import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { applyMasks } from './mask.ts';
import { type Evidence, NORMALISER_VERSION } from './normalise.ts';

/**
 * SHA-256 of the canonical JSON (RFC 8785) of all occurrences of a check, in order (DESIGN.md section 8.3).
 * @param occurrences one per verdict-bearing occurrence; `null` where it succeeded, so that the order counts
 * @param masks paths that calibration found volatile
 * @returns `sha256:<64 hex>`
 */
export function fingerprint(
  occurrences: readonly (Evidence | null)[],
  masks: readonly string[] = [],
): string {
  const canonical = canonicalize({
    normaliser: NORMALISER_VERSION,
    occurrences: applyMasks(occurrences, masks),
  });
  return `sha256:${hash('sha256', canonical as string)}`;
}
