import type { Check, Report } from '../../src/reports/report.ts';

/** A check as the referee writes it; a passing one unless told otherwise. */
export function aCheck(overrides: Partial<Check> & { id?: string } = {}): Check {
  const id = overrides.id ?? 'some-check';
  return {
    id,
    name: `Name of ${id}`,
    description: `Description of ${id}`,
    status: 'SUCCESS',
    timestamp: '2026-11-30T12:00:05.000Z',
    ...overrides,
  };
}

/** A failing check with evidence. */
export const aFailure = (id: string, errorMessage: string, rest: Partial<Check> = {}): Check =>
  aCheck({ id, status: 'FAILURE', errorMessage, ...rest });

/** A scenario's report; one passing check unless told otherwise. */
export function aReport(overrides: Partial<Report> = {}): Report {
  const scenario = overrides.scenario ?? 'some-scenario';
  return {
    scenario,
    origin: 'checks.json',
    folder: `server-${scenario}-2026-11-30T12-00-05-000Z`,
    checks: [aCheck()],
    ...overrides,
  };
}
