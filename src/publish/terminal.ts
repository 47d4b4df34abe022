import { styleText } from 'node:util';
import { profilesOf } from '../gate/finding.ts';
import { textOf } from '../gate/texts.ts';
import type { Outcome } from '../gate/verdict.ts';
import { escapeLog } from '../shared/escape-log.ts';
import { grouped } from '../shared/grouped.ts';
import { helpfulAccept } from './accept-helps.ts';
import { groupFindings } from './group-findings.ts';
import { plural } from './plural.ts';
import type { Publication } from './publication.ts';

const COLOURS: Readonly<Record<Outcome, 'green' | 'red' | 'yellow'>> = {
  pass: 'green',
  fail: 'red',
  inconclusive: 'yellow',
};
const WORDS: Readonly<Record<Outcome, string>> = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE' };

/** Findings of one kind that are written out; the report folder has the rest. */
const MOST_OF_A_KIND = 20;
/** Lines of one finding's detail. */
const MOST_LINES = 12;

export interface TerminalOptions {
  readonly color: boolean;
  /** Columns; longer lines are cut, so that one finding stays one look. */
  readonly width: number;
  /** Where the report lies, as the person may type it; the last line. */
  readonly folder?: string;
}

/**
 * The result for a person at a terminal or in a job's log: the verdict first, findings by cause, a line for each profile,
 * the report folder last. Foreign text in it is obeyed neither by a terminal nor by the runner.
 */
export function renderTerminal(p: Publication, options: TerminalOptions): string {
  const { verdict } = p;
  const { width, folder } = options;
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    options.color ? styleText(format, text, { validateStream: false }) : text;
  const name = verdict.name ? `${verdict.name}: ` : '';
  const lines = [
    `${paint(['bold', COLOURS[verdict.outcome]], WORDS[verdict.outcome])}  ${clean(`${name}${verdict.headline}`, width * 4)}`,
  ];
  for (const group of groupFindings(verdict.findings)) {
    lines.push('', paint('bold', `${group.title} (${grouped(group.findings.length)})`));
    const remedies = new Set<string>();
    for (const finding of group.findings.slice(0, MOST_OF_A_KIND)) {
      const { title, detail, remedy } = textOf(finding);
      const place = finding.place
        ? paint(
            'dim',
            ` ${clean(finding.place.file, width)}${finding.place.line ? `:${finding.place.line}` : ''}`,
          )
        : '';
      const about = profilesOf(finding).length > 0 ? `${profilesOf(finding).join(', ')}  ` : '';
      lines.push(`  ${paint(COLOURS[group.level], '●')} ${clean(`${about}${title}`, width * 3)}${place}`);
      const told = detail.flatMap((line) => line.split('\n'));
      for (const line of told.slice(0, MOST_LINES)) lines.push(`      ${clean(line, width - 6)}`);
      if (told.length > MOST_LINES)
        lines.push(`      … ${plural(told.length - MOST_LINES, 'more line')} in the report`);
      for (const line of remedy) remedies.add(line);
    }
    const left = group.findings.length - MOST_OF_A_KIND;
    if (left > 0) lines.push(`  … and ${plural(left, 'more finding')} of this kind in the report`);
    for (const line of [...remedies].slice(0, MOST_LINES))
      lines.push(`  ${paint('cyan', '→')} ${clean(line, width * 4)}`);
  }
  if (verdict.profiles.length > 0) lines.push('');
  for (const { profile, outcome, counts } of verdict.profiles) {
    const { scored, passed, excepted, failing, notMeasured, notScored } = counts.scenarios;
    const unknown = notMeasured > 0 ? `, ${notMeasured} not measured` : '';
    lines.push(
      `${paint(COLOURS[outcome], WORDS[outcome].padEnd(12))} ${clean(profile, width)}  ${plural(scored, 'scored scenario')}: ${passed} passed, ${excepted} excepted, ${failing} failing${unknown}; ${notScored} not scored`,
    );
  }
  for (const note of verdict.profiles.flatMap((profile) => profile.notes))
    lines.push(paint('dim', `note: ${clean(note, width * 2)}`));
  if (p.comparison && !p.comparison.found) lines.push(paint('dim', clean(p.comparison.note, width * 2)));
  const accept = helpfulAccept(p);
  if (accept !== undefined)
    lines.push('', `To write what differs into the baseline: ${paint('bold', clean(accept, width * 8))}`);
  if (folder !== undefined) lines.push('', `Report: ${clean(folder, width * 8)}`);
  return `${lines.join('\n')}\n`;
}

/** One line of foreign text, cut to a number of characters. */
function clean(text: string, most: number): string {
  const line = escapeLog(text.slice(0, most * 2)).replace(/[\n\t]+/g, ' ');
  return line.length > most && most > 1 ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}
