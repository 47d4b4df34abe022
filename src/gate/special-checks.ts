import type { Report } from '../reports/report.ts';
import { CLIENT_EXITED, CLIENT_TIMED_OUT } from './measurement.ts';

/** Checks that exist only while something is wrong; when all is well they do not come at all. */
const FAILURE_ONLY: ReadonlySet<string> = new Set([
  CLIENT_EXITED,
  CLIENT_TIMED_OUT,
  'scenario-timeout',
  'wire-schema-harness-error',
]);

/**
 * True when the check's absence is good news. A scenario that throws has one check, named like the scenario; ordinary
 * checks have such names too, and those are in the inventory.
 * @param inventory of the scenario
 */
export const isFailureOnly = (scenario: string, check: string, inventory: readonly string[]) =>
  FAILURE_ONLY.has(check) || (check === scenario && !inventory.includes(check));

/** False for checks that must not be missed when they do not come. */
export const isInventoried = (report: Report, check: string) =>
  report.origin !== 'thrown' && !FAILURE_ONLY.has(check);
