import { z } from 'zod';
import { findingSchema } from '../gate/finding.ts';

/** What a target advertises, as it said it: capability name → its options. */
export const capabilitiesSchema = z.record(z.string(), z.unknown());
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/**
 * One MCP probe (`server/discover` for stateless revisions, `initialize` for stateful ones). Any JSON-RPC answer to it
 * counts as answered, an error too: a target that does not speak the revision is measured, not inconclusive.
 */
export const probeSchema = z.discriminatedUnion('answered', [
  z.object({
    answered: z.literal(true),
    url: z.string(),
    method: z.enum(['initialize', 'server/discover']),
    at: z.iso.datetime(),
    tookMs: z.number(),
    httpStatus: z.number(),
    /** Set when the answer was a JSON-RPC result. */
    protocolVersion: z.string().optional(),
    serverInfo: z.looseObject({ name: z.string(), version: z.string().optional() }).optional(),
    /** `null` when the answer was a JSON-RPC error or carried none. */
    capabilities: capabilitiesSchema.nullable(),
    /** Set when the answer was a JSON-RPC error. */
    error: z.object({ code: z.number(), message: z.string() }).optional(),
  }),
  z.object({
    answered: z.literal(false),
    url: z.string(),
    method: z.enum(['initialize', 'server/discover']),
    at: z.iso.datetime(),
    tookMs: z.number(),
    /** refused: nobody listens. timeout: accepted, never answered. closed: connection broke. unauthorised: 401 or 403. not-mcp: an answer that is no JSON-RPC. */
    reason: z.enum(['refused', 'timeout', 'closed', 'unauthorised', 'not-mcp']),
    httpStatus: z.number().optional(),
    message: z.string(),
  }),
]);
export type Probe = z.infer<typeof probeSchema>;

export const notScoredSchema = z.object({
  scenario: z.string(),
  /** extension | added-after-release | pending: the referee's words (src/requirements.ts upstream). */
  reason: z.string(),
  note: z.string().optional(),
});
export type NotScored = z.infer<typeof notScoredSchema>;

/** Which scenarios a profile contains. */
export const scenarioListSchema = z.object({
  scored: z.array(z.string()),
  notScored: z.array(notScoredSchema),
  /** Set for a partial run: only these scenarios were asked for; what was not is "not evaluated". */
  only: z.array(z.string()).optional(),
});
export type ScenarioList = z.infer<typeof scenarioListSchema>;

/** Which referee this was, down to its lock. Goes into metadata.json and the summary's foot. */
export const refereeFactsSchema = z.object({
  /** `npm:0.2.0-alpha.12`, `git:<40 hex>`, `path:<checkout>@<40 hex>` */
  pin: z.string(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  commit: z.string().optional(),
  /** `sha256:…` of the lock that its tree was installed from. */
  lock: z.string(),
  /** `sha256:…` of the revision's frozen requirement set, when the profile has one. */
  requirements: z.string().optional(),
  node: z.string(),
  cache: z.enum(['hit', 'miss', 'rebuilt']),
  prepareMs: z.number(),
  /** How long building it took when it was built; with a cache hit, that was another run. */
  buildMs: z.number().optional(),
});
export type RefereeFacts = z.infer<typeof refereeFactsSchema>;

/** One run of the referee's process. */
export const refereeRunSchema = z.object({
  /** Set when the process ran this scenario alone: clients, partial runs, re-runs. Then its exit code speaks of this scenario only. */
  scenario: z.string().optional(),
  argv: z.array(z.string()),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  /** The gate's own deadline struck. */
  timedOut: z.boolean(),
  tookMs: z.number(),
});
export type RefereeRun = z.infer<typeof refereeRunSchema>;

/** A scenario that was run again alone (`--confirm`), or once more for calibration. */
export const rerunSchema = z.object({
  scenario: z.string(),
  /** Relative to the profile's folder, forward slashes: `reruns/1/<scenario folder>/…`. Holds `raw/` and `referee.log`. */
  folder: z.string(),
  purpose: z.enum(['confirm', 'calibrate']),
  run: refereeRunSchema,
  /** Address and window of this re-run, for the normaliser. `behind` as in the target's. */
  url: z.string(),
  behind: z.string().optional(),
  window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
});
export type Rerun = z.infer<typeof rerunSchema>;

/**
 * metadata.json of one profile: everything about the run that is not in the raw reports. `accept`, `compare`, `report`
 * and the judge work from this and the raw folder alone, so that a kept report folder can be judged again anywhere.
 */
export const runMetadataSchema = z.object({
  schemaVersion: z.literal(1),
  profile: z.string(),
  source: z.object({
    commit: z.string().optional(),
    ref: z.string().optional(),
    repository: z.string().optional(),
    dirty: z.boolean().optional(),
  }),
  referee: refereeFactsSchema,
  runs: z.array(refereeRunSchema),
  target: z.object({
    kind: z.enum(['url', 'command', 'stdio', 'client']),
    /** What the referee was given; absent for clients and for targets that never came up. */
    url: z.string().optional(),
    /** The target's own address when a relay stands before it: it may occur in evidence as well. */
    behind: z.string().optional(),
    /** Everything that was noticed on the way, as sentences: host changed, header relay in use, … */
    notes: z.array(z.string()),
  }),
  scenarios: scenarioListSchema,
  probes: z.object({
    before: probeSchema.nullable(),
    after: probeSchema.nullable(),
    /** HTTP status without and with the configured headers (DESIGN.md section 10). */
    boundary: z.object({ without: z.number().nullable(), with: z.number().nullable() }).optional(),
  }),
  /** The clock window of the referee's run: times inside it are the run's own. */
  window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }),
  reruns: z.array(rerunSchema),
  /** Client profiles: how each scenario's client ended. */
  clients: z
    .array(
      z.object({
        scenario: z.string(),
        exitCode: z.number().nullable(),
        timedOut: z.boolean(),
        allowed: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Faults seen while running. The judge puts them first. */
  faults: z.array(findingSchema),
  system: z.object({ node: z.string(), os: z.string(), arch: z.string() }),
  durations: z.record(z.string(), z.number()),
});
export type RunMetadata = z.infer<typeof runMetadataSchema>;
