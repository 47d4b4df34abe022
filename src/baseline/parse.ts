import type { Profile } from '../profile.ts';
import { ConfigError, type Place } from '../shared/errors.ts';
import { parseYaml } from '../shared/parse-yaml.ts';
import { type Baseline, type BaselineFile, baselineFileSchema, type Exception } from './baseline.ts';

/** The largest real baseline has about 150 kB; beyond this it is an accident, and parsing it would hurt. */
export const MAX_BASELINE_BYTES = 10 * 1024 * 1024 - 1;

/**
 * Parses a baseline. Only plain YAML is allowed, so that what a reviewer reads in one place is all there is, and only LF
 * line ends, so that the file has the same bytes everywhere.
 * @param file how the file is called in messages
 * @param profile when given, the file must belong to it: two profiles never share an exception
 * @throws ConfigError with line, column and the nearest valid name
 */
export function parseBaseline(text: string, file: string, profile?: Profile): Baseline {
  refuseCarriageReturns(text, file);
  refuseEmpty(text, file);
  const { value, placeOf } = parseYaml(text, {
    file,
    what: 'baseline',
    schema: baselineFileSchema,
    maxBytes: MAX_BASELINE_BYTES,
  });
  if (profile !== undefined && value.profile !== profile.id) {
    throw new ConfigError(`The baseline belongs to ${value.profile}, not to ${profile.id}.`, {
      place: placeOf(['profile']),
      hint: `Rename it to the profile that it belongs to, and accept ${profile.id} on its own.`,
    });
  }
  return toBaseline(value, (n) => placeOf(['exceptions', n]));
}

function refuseCarriageReturns(text: string, file: string): void {
  const offset = text.indexOf('\r');
  if (offset === -1) return;
  const before = text.slice(0, offset);
  throw new ConfigError('The baseline has CRLF or CR line ends.', {
    place: { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') },
    hint: 'Convert it to LF, and keep Git from changing it: `baselines/** text eol=lf` in .gitattributes.',
  });
}

function refuseEmpty(text: string, file: string): void {
  const blank = text.split('\n').every((line) => /^\s*(#|$)/.test(line) || line === '---');
  if (!blank) return;
  throw new ConfigError('The baseline is empty.', {
    place: { file, line: 1, column: 1 },
    hint: 'Write it with `mcp-conformance-gate accept`, or delete the file.',
  });
}

function toBaseline(file: BaselineFile, placeOfException: (n: number) => Place): Baseline {
  return {
    profile: file.profile,
    referee: {
      pin: file.referee.pin,
      ...(file.referee.integrity === undefined ? {} : { integrity: file.referee.integrity }),
      ...(file.referee.commit === undefined ? {} : { commit: file.referee.commit }),
    },
    ...(file.requirements === undefined ? {} : { requirements: file.requirements }),
    normaliser: file.normaliser,
    ...(file.capabilities === undefined ? {} : { capabilities: file.capabilities }),
    exceptions: file.exceptions.map((exception, n) => toException(exception, placeOfException(n))),
    inventory: new Map(Object.entries(file.inventory)),
    information: new Map(Object.entries(file.information ?? {})),
  };
}

function toException(file: BaselineFile['exceptions'][number], place: Place): Exception {
  const { scenario, check, status, evidence, reason } = file;
  return {
    scenario,
    check,
    statuses: typeof status === 'string' ? [status] : status,
    evidence,
    class: file.class,
    reason,
    ...(file.reference === undefined ? {} : { reference: file.reference }),
    ...(file.reviewed === undefined || file.reviewed === null ? {} : { reviewed: file.reviewed }),
    ...(file.expires === undefined ? {} : { expires: file.expires }),
    flaky: file.flaky === true,
    masked: file.masked ?? [],
    ...(file.observed === undefined ? {} : { observed: file.observed }),
    place,
  };
}
