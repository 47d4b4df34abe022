import type { Verdict } from '../gate/verdict.ts';
import { oneLine } from '../shared/escape-controls.ts';
import { OUTCOME_SIGNS } from './outcome-signs.ts';

/** The answer that a shields.io endpoint badge expects (its documentation, "Endpoint Badge"). */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  readonly isError?: true;
}

/**
 * The badge says what was measured: "82 of 83", never a bare "passing" that hides exceptions or a partial run.
 * `isError` marks an inconclusive run, so that shields shows it as one.
 */
export function badge(verdict: Verdict): Badge {
  const sum = (pick: (s: Verdict['profiles'][number]['counts']['scenarios']) => number) =>
    verdict.profiles.reduce((total, { counts }) => total + pick(counts.scenarios), 0);
  const excepted = sum((s) => s.excepted);
  const { word, colour } = OUTCOME_SIGNS[verdict.outcome];
  const counted = `${sum((s) => s.passed)} of ${sum((s) => s.scored)}`;
  const partial = verdict.profiles.some(({ scenarios }) =>
    scenarios.some(({ result }) => result === 'not-evaluated'),
  );
  const message =
    verdict.outcome === 'inconclusive'
      ? word
      : `${partial ? 'partial run, ' : ''}${word}, ${counted}${excepted > 0 ? `, ${excepted} excepted` : ''}`;
  return {
    schemaVersion: 1,
    label: verdict.name
      ? `MCP conformance: ${oneLine(verdict.name).slice(0, 60).toWellFormed()}`
      : 'MCP conformance',
    message,
    color: verdict.outcome !== 'pass' ? colour : partial ? 'lightgrey' : excepted > 0 ? 'green' : colour,
    ...(verdict.outcome === 'inconclusive' ? { isError: true } : {}),
  };
}
