import type { Evidence } from './normalise.ts';

/** Longer values are cut in what people read; the fingerprint covers them whole. */
const MAX_LINE = 2_000;

const CUT = /… \(\d+ more characters\)$/m;

/** Whether a text of readableEvidence leaves something out, so that two pieces of evidence may read the same. */
export const isCut = (text: string): boolean => CUT.test(text);

/**
 * Evidence as lines that a person can read and a diff can compare: the error first, then the rest as `path: value`.
 * @param occurrences as for the fingerprint; a heading per occurrence when there are several
 */
export function readableEvidence(occurrences: readonly (Evidence | null)[]): string[] {
  const several = occurrences.length > 1;
  return occurrences.flatMap((evidence, n) => {
    if (evidence === null) return [];
    const lines = evidenceLines(evidence).map((line) =>
      line.length > MAX_LINE
        ? `${line.slice(0, MAX_LINE)}… (${line.length - MAX_LINE} more characters)`
        : line,
    );
    return several ? lines.map((line, at) => (at === 0 ? `[${n + 1}] ${line}` : `    ${line}`)) : lines;
  });
}

function evidenceLines(evidence: Evidence): string[] {
  const { errorMessage, ...rest } = evidence;
  const lines = typeof errorMessage === 'string' ? errorMessage.split('\n') : [];
  for (const [member, value] of Object.entries(rest)) flatten(value, member, lines);
  return lines;
}

function flatten(value: unknown, path: string, lines: string[]): void {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) flatten(inner, `${path}.${key}`, lines);
    return;
  }
  lines.push(`${path}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
