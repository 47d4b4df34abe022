import type { Finding } from '../gate/finding.ts';
import type { Publication } from './publication.ts';

/** accept writes what was measured; a date that is missing or past only a person can set. */
const ONLY_A_PERSON: ReadonlySet<Finding['kind']> = new Set(['unreviewed', 'exception-expired']);

/** @returns the command line that writes what differs into the baseline, where running it changes something */
export function helpfulAccept({ verdict, commands }: Publication): string | undefined {
  const helps = verdict.outcome === 'fail' && verdict.findings.some(({ kind }) => !ONLY_A_PERSON.has(kind));
  return helps ? commands?.accept : undefined;
}
