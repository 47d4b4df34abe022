import type { CheckResult, ProfileVerdict } from '../../gate/verdict.ts';
import { fitBytes } from '../../shared/byte-budget.ts';
import { htmlText } from '../../shared/escape-html.ts';
import { markdownCode, markdownLink, markdownText } from '../../shared/escape-markdown.ts';
import { plural } from '../plural.ts';
import type { Publication } from '../publication.ts';
import type { Section } from './section.ts';

/** Folded, one for each profile: every check that is not a plain success, with its links to the specification. */
export function detailSections(p: Publication): Section[] {
  return p.verdict.profiles.flatMap((profile) => {
    const checks = (p.checks[profile.profile] ?? []).filter((check) => check.disposition !== 'passed');
    const notes = profile.notes.map((note) => `- ${markdownText(note)}`);
    return [...checksSection(profile, checks), ...notesSection(profile, notes)];
  });
}

function checksSection(profile: ProfileVerdict, checks: readonly CheckResult[]): Section[] {
  const shown = checks.filter(
    (check) => check.scored || check.statuses.some((s) => s !== 'SUCCESS' && s !== 'INFO'),
  );
  if (shown.length === 0) return [];
  return [
    {
      before: `<details><summary>${htmlText(profile.profile)}: ${plural(shown.length, 'check')} that did not simply succeed</summary>\n\n| scenario | check | status | judged | specification |\n| --- | --- | --- | --- | --- |`,
      items: shown.map(row),
      separator: '\n',
      after: '\n</details>',
      glue: '\n',
      left: (count) => `| … and ${plural(count, 'more check')} | | | | |`,
    },
  ];
}

function row(check: CheckResult): string {
  const judged = check.exception
    ? `${markdownText(check.exception.class)}: ${markdownText(fitBytes(check.exception.reason, 400))}`
    : check.disposition;
  const references = (check.specReferences ?? []).map((ref) => markdownLink(ref.id, ref.url)).join(', ');
  const cells = [
    markdownCode(check.scenario),
    markdownCode(check.check),
    markdownText([...new Set(check.statuses)].join(', ')),
    judged,
    references,
  ];
  return `| ${cells.join(' | ')} |`;
}

function notesSection(profile: ProfileVerdict, notes: readonly string[]): Section[] {
  if (notes.length === 0) return [];
  return [
    {
      before: `<details><summary>${htmlText(profile.profile)}: ${plural(notes.length, 'note')}</summary>`,
      items: notes,
      separator: '\n',
      after: '</details>',
      glue: '\n\n',
      left: (count) => `- … and ${plural(count, 'more note')}`,
    },
  ];
}
