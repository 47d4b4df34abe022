import { z } from 'zod';
import { probeSchema, refereeFactsSchema, runMetadataSchema } from '../run/metadata.ts';
import { findingSchema } from './finding.ts';

export const OUTCOMES = ['pass', 'fail', 'inconclusive'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The first cause, for people who route alerts: who has to act. */
export const OUTCOME_CLASSES = [
  'setup',
  'target',
  'referee',
  'regression',
  'stale',
  'review',
  'pass',
] as const;
export type OutcomeClass = (typeof OUTCOME_CLASSES)[number];

/** Classes of exceptions (DESIGN.md section 6). */
export const EXCEPTION_CLASSES = [
  'genuine-protocol-failure',
  'missing-harness-fixture',
  'optional-capability',
  'harness-limitation',
  'referee-bug',
  'bridge-transport',
  'inconclusive-infrastructure',
] as const;
export type ExceptionClass = (typeof EXCEPTION_CLASSES)[number];

/** What became of one check id of one scenario: profiles/<slug>/checks.json is an array of these. */
export const checkResultSchema = z.object({
  scenario: z.string(),
  scored: z.boolean(),
  check: z.string(),
  name: z.string(),
  description: z.string(),
  /** One per occurrence, in order. */
  statuses: z.array(z.string()),
  /** passed: every occurrence SUCCESS or INFO. excepted: a reviewed exception matches. finding: see findings[]. not-scored: reported only. */
  disposition: z.enum(['passed', 'excepted', 'finding', 'not-scored']),
  /** Set for non-success checks. */
  fingerprint: z.string().optional(),
  /** Readable normalised evidence, first line first. */
  evidence: z.string().optional(),
  exception: z
    .object({
      class: z.string(),
      reason: z.string(),
      reference: z.string().optional(),
      reviewed: z.string().optional(),
      expires: z.string().optional(),
    })
    .optional(),
  specReferences: z.array(z.object({ id: z.string(), url: z.string().optional() })).optional(),
  /** The redacted check objects as the referee wrote them. */
  occurrences: z.array(z.unknown()),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

export const profileVerdictSchema = z.object({
  profile: z.string(),
  slug: z.string(),
  outcome: z.enum(OUTCOMES),
  /** Indices are not used: the profile's findings are those in findings[] with this profile's id. */
  counts: z.object({
    scenarios: z.object({
      scored: z.number(),
      notScored: z.number(),
      passed: z.number(),
      excepted: z.number(),
      failing: z.number(),
      /** Scored, and nothing is known of them. */
      notMeasured: z.number().default(0),
    }),
    checks: z.object({
      total: z.number(),
      success: z.number(),
      failure: z.number(),
      warning: z.number(),
      skipped: z.number(),
      info: z.number(),
    }),
    exceptions: z.record(z.string(), z.number()),
    notScored: z.object({ passed: z.number(), failing: z.number() }),
  }),
  /** Each scenario in the referee's order. */
  scenarios: z.array(
    z.object({
      scenario: z.string(),
      scored: z.boolean(),
      /** Why it is not scored: the referee's word. */
      reason: z.string().optional(),
      result: z.enum([
        'passed',
        'excepted',
        'finding',
        'not-scored-passed',
        'not-scored-failing',
        'not-measured',
        'not-evaluated',
      ]),
      checks: z.object({
        success: z.number(),
        failure: z.number(),
        warning: z.number(),
        skipped: z.number(),
        info: z.number(),
      }),
    }),
  ),
  /** Passing check ids that the inventory does not know yet: information, not findings. */
  newChecks: z.array(z.object({ scenario: z.string(), check: z.string() })),
  /** Exceptions whose scenario did not run in a partial run. */
  notEvaluated: z.array(z.object({ scenario: z.string(), check: z.string() })),
  /** Observations worth a line, as sentences. */
  notes: z.array(z.string()),
  referee: refereeFactsSchema.nullable(),
  target: runMetadataSchema.shape.target.nullable(),
  probe: probeSchema.nullable(),
  durations: z.record(z.string(), z.number()),
});
export type ProfileVerdict = z.infer<typeof profileVerdictSchema>;

/** verdict.json. Its JSON Schema is generated from here. */
export const verdictSchema = z.object({
  schemaVersion: z.literal(1),
  tool: z.object({ name: z.literal('mcp-conformance-gate'), version: z.string() }),
  name: z.string().optional(),
  outcome: z.enum(OUTCOMES),
  outcomeClass: z.enum(OUTCOME_CLASSES),
  /** One sentence: the summary's first line. */
  headline: z.string(),
  findings: z.array(findingSchema),
  profiles: z.array(profileVerdictSchema),
  source: runMetadataSchema.shape.source,
  timing: z.object({ startedAt: z.iso.datetime(), finishedAt: z.iso.datetime(), tookMs: z.number() }),
});
export type Verdict = z.infer<typeof verdictSchema>;
