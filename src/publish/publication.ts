import { z } from 'zod';
import { type CheckResult, OUTCOMES, type Verdict } from '../gate/verdict.ts';

/** How one earlier run ended; the trend is a list of these, oldest first, this run last. */
export const trendPointSchema = z.object({
  /** When the run finished. */
  at: z.iso.datetime(),
  outcome: z.enum(OUTCOMES),
  /** Scored scenarios over all profiles. */
  passed: z.number(),
  excepted: z.number(),
  failing: z.number(),
  /** Number of findings of the verdict. */
  findings: z.number(),
  /** What was tested. */
  commit: z.string().optional(),
  /** Which referee. */
  pin: z.string().optional(),
  /** The workflow run's page. */
  url: z.string().optional(),
  /** The run's number as GitHub counts them; labels the chart. */
  run: z.number().optional(),
});
export type TrendPoint = z.infer<typeof trendPointSchema>;

/** What became of one check between two runs. `statuses` are absent when the check did not come. */
export const changeSchema = z.object({
  profile: z.string(),
  scenario: z.string(),
  check: z.string(),
  /**
   * appeared, vanished: the check came in one of the runs only. broke, mended: it went from success to something else, or
   * back. status: another non-success status. evidence: the same status, and another fingerprint. disposition: the same
   * result, judged otherwise.
   */
  kind: z.enum(['broke', 'mended', 'status', 'evidence', 'appeared', 'vanished', 'disposition']),
  before: z.object({ statuses: z.array(z.string()), disposition: z.string() }).optional(),
  now: z.object({ statuses: z.array(z.string()), disposition: z.string() }).optional(),
});
export type Change = z.infer<typeof changeSchema>;

/** This run beside an earlier one. */
export const comparisonSchema = z.discriminatedUnion('found', [
  z.object({
    found: z.literal(true),
    /** What it was compared with, in words: "the last successful run on main". */
    with: z.string(),
    at: z.iso.datetime(),
    outcome: z.enum(OUTCOMES),
    commit: z.string().optional(),
    url: z.string().optional(),
    /** What moved on our side of the measurement, old and new: the referee's pin, the server's commit or version. */
    moved: z.array(z.object({ what: z.string(), from: z.string(), to: z.string() })),
    changes: z.array(changeSchema),
  }),
  /** Nothing to compare with, or it could not be read: a note, never a failure. */
  z.object({ found: z.literal(false), note: z.string() }),
]);
export type Comparison = z.infer<typeof comparisonSchema>;

/** Everything that the written outputs are made from. Publishing judges nothing: it only shows what is in here. */
export interface Publication {
  readonly verdict: Verdict;
  /** Every check of every profile, by profile id. */
  readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
  /** Command lines that a person can copy; they depend on how the gate was called. */
  readonly commands?: { readonly accept: string };
  readonly trend?: readonly TrendPoint[];
  readonly comparison?: Comparison;
}
