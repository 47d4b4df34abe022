import { z } from 'zod';

/** Statuses that the referee gives a check. Anything else in a report is the finding `unknown-status`. */
export const CHECK_STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/**
 * One element of the referee's checks.json (its `ConformanceCheck`, src/types.ts upstream). Unknown members are kept: they
 * come from a newer referee and belong into the evidence. `status` stays a string so that an unknown one can be reported.
 */
export const checkSchema = z.looseObject({
  id: z.string().min(1),
  name: z.string().default(''),
  description: z.string().default(''),
  status: z.string(),
  timestamp: z.string().optional(),
  specReferences: z.array(z.looseObject({ id: z.string(), url: z.string().optional() })).optional(),
  errorMessage: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  logs: z.array(z.unknown()).optional(),
});
export type Check = z.infer<typeof checkSchema>;

/** Everything one scenario said, in the order in which it said it. */
export interface Report {
  readonly scenario: string;
  /** `checks.json`: read from the file. `thrown`: made from the log line of a scenario that threw (DESIGN.md section 7). */
  readonly origin: 'checks.json' | 'thrown';
  /** The scenario's folder, relative to the profile's `raw/`, with forward slashes. */
  readonly folder: string;
  readonly checks: readonly Check[];
}
