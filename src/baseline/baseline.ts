import { z } from 'zod';
import { EXCEPTION_CLASSES, type ExceptionClass } from '../gate/verdict.ts';
import type { Place } from '../shared/errors.ts';

/** What an exception may expect. INFO only where a scenario has nothing else to say (see the judge's `no-verdict`). */
export const EXPECTABLE_STATUSES = ['FAILURE', 'WARNING', 'SKIPPED', 'SUCCESS', 'INFO'] as const;

/** Classes that claim something about somebody else's specification or code and must say where it is written. */
export const CLASSES_WITH_REFERENCE: readonly ExceptionClass[] = ['referee-bug', 'optional-capability'];

const ZEROS = `sha256:${'0'.repeat(64)}`;

const hash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 lower-case hexadecimal digits')
  .refine((value) => value !== ZEROS, 'is a placeholder: a hash of zeros matches no evidence');

const name = z
  .string()
  .regex(/^[^\s*?]+$/, 'must be exactly one name: no white space and no wildcard, which no exception has');

const status = z.enum(EXPECTABLE_STATUSES);

const exceptionFileSchema = z.strictObject({
  scenario: name.describe("The referee's name of a scored scenario."),
  check: name.describe('The id of the check in that scenario.'),
  status: z
    .union([status, z.array(status).min(1)])
    .describe('The expected status; a list, in order, when the id occurs several times.'),
  evidence: hash.describe('Fingerprint of the normalised evidence of all occurrences.'),
  class: z.enum(EXCEPTION_CLASSES).describe('Why this is not expected to pass.'),
  reason: z.string().trim().min(1).describe('One sentence for the next reader.'),
  reference: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where it is written; required for referee-bug and optional-capability.'),
  reviewed: z.iso
    .date()
    .nullable()
    .optional()
    .describe('When a person looked at this. Absent or empty: not reviewed yet, which is a finding.'),
  expires: z.iso.date().optional().describe('Past this date the exception is a finding.'),
  flaky: z
    .boolean()
    .optional()
    .describe('True: passing or failing with this evidence; then expires is required.'),
  masked: z
    .array(z.string().min(1))
    .optional()
    .describe('Places in the evidence that differed between two runs; written by accept.'),
  observed: z
    .string()
    .optional()
    .describe('The evidence that was reviewed, readable; written by accept, used only to show what changed.'),
});

const idLists = z.record(name, z.array(name));

/** The reviewed file of one profile (DESIGN.md section 6). Its JSON Schema is generated from here. */
export const baselineFileSchema = z
  .strictObject({
    schema: z.literal(1),
    profile: z.string().describe('The profile this file belongs to, such as server:2025-11-25.'),
    referee: z.strictObject({
      pin: z.string().min(1).describe('The referee this was reviewed against.'),
      integrity: z.string().optional(),
      commit: z.string().optional(),
    }),
    requirements: hash.optional().describe('Hash of the frozen requirement set this was reviewed against.'),
    normaliser: z
      .int()
      .min(1)
      .describe('Version of the evidence normaliser that the fingerprints were made with.'),
    capabilities: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('What the server advertised at review; empty when it answered with an error.'),
    exceptions: z.array(exceptionFileSchema),
    inventory: idLists.describe('Every check id with a verdict that a scored scenario emitted at review.'),
    information: idLists.optional().describe('The ids that had nothing but INFO.'),
  })
  .superRefine((file, context) => {
    const complain = (n: number, key: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['exceptions', n, key], message });
    const seen = new Map<string, number>();
    for (const [n, exception] of file.exceptions.entries()) {
      const identity = `${exception.scenario}\n${exception.check}`;
      const earlier = seen.get(identity);
      if (earlier !== undefined) {
        complain(n, 'check', `is the second exception for ${exception.check} of ${exception.scenario}`);
      }
      seen.set(identity, n);
      if (CLASSES_WITH_REFERENCE.includes(exception.class) && exception.reference === undefined) {
        complain(n, 'class', `${exception.class} needs a reference that says where this is written`);
      }
      if (exception.class === 'optional-capability' && file.capabilities === undefined) {
        complain(n, 'class', 'optional-capability needs the capabilities snapshot that it hangs on');
      }
      if (exception.flaky === true && exception.expires === undefined) {
        complain(n, 'flaky', 'needs expires: a flaky exception must not last for ever');
      }
    }
  });
export type BaselineFile = z.infer<typeof baselineFileSchema>;

/** One reviewed exception, ready for the judge. */
export interface Exception {
  readonly scenario: string;
  readonly check: string;
  readonly statuses: readonly string[];
  readonly evidence: string;
  readonly class: ExceptionClass;
  readonly reason: string;
  readonly reference?: string;
  /** Date; absent when nobody looked at it yet. */
  readonly reviewed?: string;
  readonly expires?: string;
  readonly flaky: boolean;
  readonly masked: readonly string[];
  readonly observed?: string;
  /** Where it stands, for findings that a person mends there. */
  readonly place?: Place;
}

export interface Baseline {
  readonly profile: string;
  readonly referee: { readonly pin: string; readonly integrity?: string; readonly commit?: string };
  readonly requirements?: string;
  readonly normaliser: number;
  /** Absent: no snapshot was taken. `null`: the server advertised none. */
  readonly capabilities?: { readonly [name: string]: unknown } | null;
  readonly exceptions: readonly Exception[];
  /** Scenario → check ids that had a verdict at review. */
  readonly inventory: ReadonlyMap<string, readonly string[]>;
  /** Scenario → check ids that had nothing but INFO. */
  readonly information: ReadonlyMap<string, readonly string[]>;
}
