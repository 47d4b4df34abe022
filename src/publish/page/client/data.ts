import type { PageDetails, PageIndex } from '../page-types.ts';
import { byId } from './dom.ts';

/** Reads the index; it is small and needed at once. */
export function readIndex(): PageIndex {
  return JSON.parse(byId('index').textContent ?? '') as PageIndex;
}

const details = new Map<number, PageDetails>();

/** Details of the n-th profile, read when first asked for. */
export function readDetails(profile: number): PageDetails {
  let known = details.get(profile);
  if (!known) {
    known = JSON.parse(byId(`details-${profile}`).textContent ?? '') as PageDetails;
    details.set(profile, known);
  }
  return known;
}

/** Words of the results, and the filter that each belongs to. */
export const RESULT_WORDS: Readonly<Record<string, string>> = {
  passed: 'passed',
  excepted: 'excepted',
  finding: 'finding',
  'not-measured': 'not measured',
  'not-scored-passed': 'not scored, passed',
  'not-scored-failing': 'not scored, failing',
  'not-evaluated': 'not evaluated',
};
