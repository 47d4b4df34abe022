import type { Outcome } from '../gate/verdict.ts';

/** One sign and one word for each outcome, the same in every output. */
export const OUTCOME_SIGNS: Readonly<Record<Outcome, { sign: string; word: string; colour: string }>> = {
  pass: { sign: '✅', word: 'passing', colour: 'brightgreen' },
  fail: { sign: '❌', word: 'failing', colour: 'red' },
  inconclusive: { sign: '⚠️', word: 'inconclusive', colour: 'yellow' },
};
