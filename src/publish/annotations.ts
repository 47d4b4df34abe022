import { levelOf } from '../gate/finding.ts';
import { textOf } from '../gate/texts.ts';
import { oneLine } from '../shared/escape-controls.ts';
import { escapeLog } from '../shared/escape-log.ts';
import { groupFindings } from './group-findings.ts';
import { plural } from './plural.ts';
import type { Publication } from './publication.ts';

export interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
  /** Relative to the repository, as the finding's place has it. */
  readonly file?: string;
  readonly line?: number;
}

/** GitHub keeps ten of each level a step and drops the rest without a word: nine findings, and one that counts the others. */
const MOST = 9;
/** Characters; the page cuts longer ones anyway. */
const LONGEST = 1000;

/**
 * At most nine findings and one "N more", one for each finding, in the order of the summary.
 * What could not be measured is a warning, what differs an error; both fail the job in the verdict step.
 */
export function annotations(p: Publication): Annotation[] {
  const findings = groupFindings(p.verdict.findings).flatMap((group) => group.findings);
  const shown = findings.slice(0, MOST).map((finding): Annotation => {
    const { title, detail, remedy } = textOf(finding);
    const lines = [...detail, ...remedy].map(safe).filter((line) => line !== '');
    return {
      level: levelOf(finding.kind) === 'fail' ? 'error' : 'warning',
      title: safe(title),
      message: cut(lines.join('\n') || safe(title)),
      ...(finding.place
        ? { file: finding.place.file, ...(finding.place.line ? { line: finding.place.line } : {}) }
        : {}),
    };
  });
  const left = findings.length - shown.length;
  if (left === 0) return shown;
  const more: Annotation = {
    level: p.verdict.outcome === 'inconclusive' ? 'warning' : 'error',
    title: `${plural(left, 'more finding')}`,
    message: 'The job summary and report.html have all of them.',
  };
  return [...shown, more];
}

const safe = (text: string): string => escapeLog(oneLine(text));

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()} …` : text;
