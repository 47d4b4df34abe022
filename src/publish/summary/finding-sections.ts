import { type Finding, profilesOf } from '../../gate/finding.ts';
import { textOf } from '../../gate/texts.ts';
import { markdownBlock, markdownCode, markdownText } from '../../shared/escape-markdown.ts';
import { fitLines } from '../../shared/fit-lines.ts';
import { type FindingGroup, groupFindings, subjectOf } from '../group-findings.ts';
import { plural } from '../plural.ts';
import type { Publication } from '../publication.ts';
import type { Section } from './section.ts';

/** Bytes of one finding's own lines: enough to recognise it, the page and the raw reports have the rest. */
const DETAIL = 4096;

/** One section for each cause: what it is, each finding, and what to do. */
export function findingSections(p: Publication): Section[] {
  return groupFindings(p.verdict.findings).map((group) => section(group, p));
}

function section(group: FindingGroup, p: Publication): Section {
  const remedies = group.findings.map((finding) => textOf(finding).remedy);
  const shared = remedies.every((lines) => lines.join('\n') === remedies[0]?.join('\n'))
    ? (remedies[0] ?? [])
    : [];
  const sign = group.level === 'fail' ? '❌' : '⚠️';
  const accept =
    p.commands && ACCEPTABLE.has(group.kind)
      ? `When the server is right as it is, write the exceptions and review them:\n\n${markdownBlock(p.commands.accept, 'sh')}`
      : '';
  return {
    before: `### ${sign} ${group.title} (${group.findings.length.toLocaleString('en-US')})`,
    items: group.findings.map((finding) => item(finding, shared.length === 0)),
    separator: '\n',
    after: [remedy(shared), accept].filter((part) => part !== '').join('\n\n'),
    glue: '\n\n',
    left: (count) => `- … and ${plural(count, 'more finding')} of this kind; report.html lists all of them.`,
  };
}

/** Kinds that a reviewed exception settles. */
const ACCEPTABLE: ReadonlySet<string> = new Set([
  'unclassified',
  'status-changed',
  'evidence-changed',
  'now-passing',
  'not-emitted',
  'vanished-check',
]);

function item(finding: Finding, withRemedy: boolean): string {
  const { title, detail, remedy: lines } = textOf(finding);
  const { scenario, check } = subjectOf(finding);
  const subject = scenario
    ? `${markdownCode(scenario)}${check ? ` › ${markdownCode(check)}` : ''}`
    : markdownText(title);
  const where = [
    ...profilesOf(finding).map(markdownCode),
    finding.place
      ? markdownCode(`${finding.place.file}${finding.place.line ? `:${finding.place.line}` : ''}`)
      : '',
  ].filter((part) => part !== '');
  const head = `- **${subject}**${where.length > 0 ? ` — ${where.join(', ')}` : ''}`;
  const told = scenario ? [title, ...detail] : detail;
  const blocks = [
    told.length > 0 ? markdownBlock(fitLines(told.join('\n'), DETAIL)) : '',
    finding.consequences && finding.consequences.length > 0 ? consequences(finding.consequences) : '',
    withRemedy ? remedy(lines) : '',
  ].filter((part) => part !== '');
  return [head, ...blocks.map((block) => indent(block))].join('\n\n').concat('\n');
}

function consequences(list: NonNullable<Finding['consequences']>): string {
  const shown = list
    .slice(0, 100)
    .map((ref) => `${ref.scenario} › ${ref.check}${ref.status ? ` (${ref.status})` : ''}`);
  const more =
    list.length > shown.length ? [`… and ${plural(list.length - shown.length, 'more check')}`] : [];
  return `<details><summary>${plural(list.length, 'check')} under this cause</summary>\n\n${markdownBlock(
    [...shown, ...more].join('\n'),
  )}\n\n</details>`;
}

function remedy(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `**What to do**\n\n${markdownBlock(lines.join('\n'))}`;
}

/** Inside a list item, so that the blocks belong to it. */
const indent = (block: string): string => block.replace(/^(?=.)/gm, '  ');
