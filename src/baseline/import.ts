import { z } from 'zod';
import type { ExceptionClass } from '../gate/verdict.ts';
import type { Profile } from '../profile.ts';
import { ConfigError } from '../shared/errors.ts';
import { parseYaml } from '../shared/parse-yaml.ts';
import { type Acceptance, type AcceptInput, acceptProfile, type CheckName, type Proposal } from './accept.ts';

/** One line of another list of known failures. */
export interface KnownFailure {
  readonly scenario: string;
  /** Absent: the list excuses the whole scenario. Such a line becomes one exception per check that is not a success. */
  readonly check?: string;
  /** The status that the list expects; absent when it says nothing about it. */
  readonly status?: string;
  readonly class?: ExceptionClass;
  readonly reason?: string;
  readonly reference?: string;
}

export type Imported =
  | {
      readonly acceptance: Extract<Acceptance, { accepted: true }>;
      /** Lines that excuse nothing that was measured: they pass now, or never were there. */
      readonly unused: readonly KnownFailure[];
    }
  | { readonly acceptance: Extract<Acceptance, { accepted: false }>; readonly unused: readonly [] };

const MAX_BYTES = 10 * 1024 * 1024;

/** The referee's own `--expected-failures` file: scenarios, or `scenario:check`, per leg. */
const officialSchema = z.strictObject({
  server: z.array(z.string()).nullable().optional(),
  client: z.array(z.string()).nullable().optional(),
});

/** A JSON baseline by profile, with one classification per check. */
const classifiedSchema = z.looseObject({
  profiles: z.record(
    z.string(),
    z.looseObject({
      classifications: z.array(
        z.looseObject({
          scenario: z.string(),
          check_id: z.string(),
          expected_status: z.string().optional(),
          classification: z.string().optional(),
          reason: z.string().optional(),
          evidence: z.string().optional(),
        }),
      ),
    }),
  ),
});

/** Other lists' words for the classes of this gate. */
const CLASSES: ReadonlyMap<string | undefined, ExceptionClass> = new Map([
  ['genuine_protocol_failure', 'genuine-protocol-failure'],
  ['missing_harness_fixture', 'missing-harness-fixture'],
  ['optional_capability_not_implemented', 'optional-capability'],
  ['harness_limitation_pending', 'harness-limitation'],
  ['inconclusive_infrastructure', 'inconclusive-infrastructure'],
]);

/**
 * Reads a list of known failures: the referee's expected-failures YAML, or a JSON baseline with classifications by
 * revision. Which one it is, its content tells.
 * @param file how it is called in messages
 * @throws ConfigError when it is neither, or a line is not understood
 */
export function readKnownFailures(text: string, file: string, profile: Profile): KnownFailure[] {
  if (/^\s*\{/.test(text)) return readClassified(text, file, profile);
  const { value, placeOf } = parseYaml(text, {
    file,
    what: 'list of expected failures',
    schema: officialSchema,
    maxBytes: MAX_BYTES,
  });
  return (value[profile.leg] ?? []).map((line, n) => {
    const [, scenario, check] = /^([^:\s*?]+)(?::([^:\s*?]+))?$/.exec(line) ?? [];
    if (scenario === undefined) {
      throw new ConfigError(`"${line}" is neither a scenario nor scenario:check.`, {
        place: placeOf([profile.leg, n]),
      });
    }
    return { scenario, ...(check === undefined ? {} : { check }) };
  });
}

function readClassified(text: string, file: string, profile: Profile): KnownFailure[] {
  // JSON is YAML: the same reader gives the same places.
  const { value, placeOf } = parseYaml(text, {
    file,
    what: 'baseline to import',
    schema: classifiedSchema,
    maxBytes: MAX_BYTES,
  });
  const profiles = new Map(Object.entries(value.profiles));
  const found = profiles.get(profile.id) ?? profiles.get(profile.revision);
  if (found === undefined) {
    throw new ConfigError(`The baseline to import has no profile ${profile.revision}.`, {
      place: placeOf(['profiles']),
      hint: `It has: ${[...profiles.keys()].join(', ')}.`,
    });
  }
  return found.classifications.map((entry) => ({
    scenario: entry.scenario,
    check: entry.check_id,
    ...(entry.expected_status === undefined ? {} : { status: entry.expected_status }),
    ...classified(entry),
  }));
}

/** Class, reason and reference; what the list gives as evidence is kept as words when it is no address. */
function classified(entry: {
  classification?: string | undefined;
  reason?: string | undefined;
  evidence?: string | undefined;
}): Proposal {
  const known = CLASSES.get(entry.classification);
  const address = entry.evidence?.match(/https?:\/\/\S+/)?.[0];
  const needsAddress = known === 'optional-capability' && address === undefined;
  const reason = [entry.reason, address === entry.evidence ? undefined : entry.evidence]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join(' ');
  return {
    // Without the address that it needs, the class cannot be carried over; a person has to add both.
    ...(known === undefined || needsAddress ? {} : { class: known }),
    ...(reason === '' ? {} : { reason: needsAddress ? `(${entry.classification}) ${reason}` : reason }),
    ...(address === undefined ? {} : { reference: address }),
  };
}

/**
 * Turns known failures into a baseline, held against a run: a line becomes exceptions for exactly the checks that it covers
 * and that are not successes, with the fingerprint of what was measured and no review date.
 * @param input as for accept; the run that the list is held against
 */
export function importKnownFailures(
  known: readonly KnownFailure[],
  input: Omit<AcceptInput, 'proposed'>,
): Imported {
  const used = new Set<KnownFailure>();
  const acceptance = acceptProfile({
    ...input,
    proposed: (check) => {
      const line = known.find(
        (one) => covers(one, check) && (one.status === undefined || check.statuses.includes(one.status)),
      );
      if (line !== undefined) used.add(line);
      return line;
    },
  });
  if (!acceptance.accepted) return { acceptance, unused: [] };
  // A line also did its work where an exception for its check was there before.
  const present = [...acceptance.kept, ...acceptance.changed];
  const unused = known.filter((line) => !used.has(line) && !present.some((check) => covers(line, check)));
  return { acceptance, unused };
}

function covers(line: KnownFailure, { scenario, check }: CheckName): boolean {
  return line.scenario === scenario && (line.check === undefined || line.check === check);
}
