import { z } from 'zod';

/**
 * A finding is one difference between what was measured and the baseline, or one reason why it could not be measured.
 * It is data: its words live in texts.ts, in one table that the compiler checks for completeness (DESIGN.md section 7).
 */

/** One check among the consequences of a root cause. */
const checkRef = z.object({ scenario: z.string(), check: z.string(), status: z.string().optional() });
export type CheckRef = z.infer<typeof checkRef>;

/** Where a person can mend it: a line of the baseline or configuration file. */
const place = z.object({ file: z.string(), line: z.number().optional(), column: z.number().optional() });

const profile = z.string().optional();
/** Everything that hangs on this cause and is therefore not a finding of its own. */
const consequences = z.array(checkRef).optional();
/** Scenarios that did not run, or not to their end, because of this. They have no reports, and that is no finding of its own. */
const notRun = z.array(z.string()).optional();
/** Other profiles that the very same cause kept from being measured: one dead server is one finding. */
const alsoIn = z.array(z.string()).optional();
const base = { profile, alsoIn, place: place.optional(), consequences, notRun };
const check = { ...base, profile: z.string(), scenario: z.string(), check: z.string() };
const statuses = z.array(z.string());
const logTail = z.array(z.string()).optional();
const k = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape });

/** `before` and `now` are lines of readable normalised evidence; `diff` marks removed words as [-…-] and added ones as {+…+}. */
const evidence = { firstLine: z.string(), fingerprint: z.string() };

const failSchemas = [
  k('unclassified', { ...check, statuses, ...evidence }),
  k('unreviewed', {
    ...check,
    statuses,
    ...evidence,
    /** Absent: it has no date. */
    why: z.enum(['future-date', 'nothing-stable', 'flaky-for-ever']).optional(),
  }),
  k('status-changed', { ...check, expected: statuses, statuses, ...evidence }),
  k('evidence-changed', {
    ...check,
    statuses,
    ...evidence,
    expected: z.string(),
    diff: z.string().optional(),
  }),
  k('now-passing', { ...check, expected: statuses }),
  k('not-emitted', { ...check, expected: statuses }),
  k('unknown-exception', {
    ...check,
    nearest: z.string().optional(),
    why: z.enum(['no-such-scenario', 'not-scored', 'no-such-check']),
  }),
  k('vanished-check', { ...check }),
  k('capability-changed', {
    ...base,
    profile: z.string(),
    before: z.unknown(),
    now: z.unknown(),
    diff: z.string(),
  }),
  /** `statuses` and `firstLine`: what the check does now; none when it does not come. */
  k('exception-expired', {
    ...check,
    expires: z.string(),
    statuses: statuses.optional(),
    firstLine: z.string().optional(),
  }),
  k('pin-mismatch', { ...base, profile: z.string(), reviewed: z.string(), running: z.string() }),
  k('requirements-changed', { ...base, profile: z.string(), reviewed: z.string(), running: z.string() }),
  k('normaliser-changed', { ...base, profile: z.string(), reviewed: z.number(), running: z.number() }),
  k('wrong-baseline', { ...base, profile: z.string(), reviewed: z.string() }),
  k('no-verdict', {
    ...base,
    profile: z.string(),
    scenario: z.string(),
    why: z.enum(['empty', 'info-only']),
  }),
  k('flaky', { ...check, first: z.string(), again: z.string(), ofRuns: z.number() }),
  k('boundary-open', {
    ...base,
    profile: z.string(),
    without: z.number().nullable(),
    with: z.number().nullable(),
  }),
] as const;

const inconclusiveSchemas = [
  k('port-occupied', { ...base, port: z.number(), owner: z.string().optional() }),
  k('target-start-failed', {
    ...base,
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    afterMs: z.number(),
    message: z.string().optional(),
    logTail,
  }),
  k('target-not-ready', { ...base, timeoutMs: z.number(), last: z.string(), logTail }),
  k('target-mismatch', { ...base, expected: z.string(), found: z.string() }),
  k('target-died', {
    ...base,
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    afterMs: z.number(),
    logTail,
  }),
  k('probe-failed', {
    ...base,
    when: z.enum(['before', 'after']),
    url: z.string(),
    reason: z.string(),
    message: z.string(),
  }),
  k('target-unreachable', {
    ...base,
    reason: z.enum(['no-connection', 'no-answer']),
    scenarios: z.number(),
    of: z.number(),
    message: z.string(),
  }),
  k('referee-unavailable', { ...base, pin: z.string(), message: z.string(), remedy: z.string().optional() }),
  k('referee-integrity', { ...base, pin: z.string(), message: z.string() }),
  k('referee-build-failed', { ...base, pin: z.string(), step: z.string(), logTail }),
  k('referee-crashed', { ...base, exitCode: z.number().nullable(), signal: z.string().nullable(), logTail }),
  k('exit-code-disagrees', {
    ...base,
    exitCode: z.number().nullable(),
    scoredFailures: z.number(),
    /** Set when the process ran one scenario. */
    scenario: z.string().optional(),
  }),
  k('profile-timeout', {
    ...base,
    timeoutMs: z.number(),
    notRun: z.array(z.string()),
    /** Whose time was up: this profile's (when absent) or the whole run's. */
    scope: z.enum(['profile', 'run']).optional(),
  }),
  k('scenario-timeout', { ...base, scenario: z.string(), message: z.string() }),
  k('transport-failure', {
    ...base,
    scenario: z.string(),
    message: z.string(),
    /** The check whose exception has the class inconclusive-infrastructure; absent when it was seen in this run. */
    recordedFor: z.string().optional(),
  }),
  k('harness-error', { ...base, scenario: z.string(), message: z.string() }),
  k('missing-report', { ...base, scenario: z.string() }),
  k('duplicate-report', { ...base, scenario: z.string(), folders: z.array(z.string()) }),
  k('unknown-scenario', { ...base, scenario: z.string(), folder: z.string() }),
  k('unknown-status', { ...base, scenario: z.string(), check: z.string(), status: z.string() }),
  k('malformed-report', {
    ...base,
    scenario: z.string().optional(),
    folder: z.string(),
    message: z.string(),
    /** Whose report it is: a scenario's, or with `gate` a whole report folder that was to be merged. */
    of: z.literal('gate').optional(),
  }),
  k('nothing-applicable', { ...base }),
  k('stdio-framing', { ...base, line: z.string(), message: z.string() }),
  k('interrupted', { ...base, signal: z.string() }),
] as const;

export const findingSchema = z.discriminatedUnion('kind', [...failSchemas, ...inconclusiveSchemas]);
export type Finding = z.infer<typeof findingSchema>;
export type FindingKind = Finding['kind'];
export type FindingOf<K extends FindingKind> = Extract<Finding, { kind: K }>;

const FAIL_KINDS: ReadonlySet<string> = new Set(failSchemas.map((schema) => schema.shape.kind.value));

/** `fail`: measured, and something differs. `inconclusive`: not measured. The second outranks the first. */
export function levelOf(kind: FindingKind): 'fail' | 'inconclusive' {
  return FAIL_KINDS.has(kind) ? 'fail' : 'inconclusive';
}

/** Every profile that a finding is about; none for one that is about the run as a whole. */
export function profilesOf(finding: Finding): readonly string[] {
  return [...(finding.profile === undefined ? [] : [finding.profile]), ...(finding.alsoIn ?? [])];
}
