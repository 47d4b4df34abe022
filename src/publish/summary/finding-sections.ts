import { type Finding, profilesOf } from '../../gate/finding.ts';
import { textOf } from '../../gate/texts.ts';
import { fitBytes } from '../../shared/byte-budget.ts';
import { markdownBlock, markdownCode, markdownProse, markdownText } from '../../shared/escape-markdown.ts';
import { fitLines } from '../../shared/fit-lines.ts';
import { grouped } from '../../shared/grouped.ts';
import { helpfulAccept } from '../accept-helps.ts';
import { baselineLines } from '../baseline-lines.ts';
import { type FindingGroup, groupFindings, subjectOf } from '../group-findings.ts';
import { plural } from '../plural.ts';
import type { Publication } from '../publication.ts';
import type { Section } from './section.ts';

/** Bytes of one finding's own lines: enough to recognise it, the page and the raw reports have the rest. */
const DETAIL = 4096;
/** Rows of a cause that stand open; the rest is folded. */
const OPEN_ROWS = 25;
/** Findings whose YAML lines are written out. */
const MOST_YAML = 30;

/** For each cause: what it is, each finding, and what to do. */
export function findingSections(p: Publication): Section[] {
  const sections = groupFindings(p.verdict.findings).flatMap((group) => groupSections(group));
  const accept = helpfulAccept(p);
  return accept === undefined ? sections : [...sections, next(accept)];
}

function groupSections(group: FindingGroup): Section[] {
  const { findings } = group;
  const sign = group.level === 'fail' ? '❌' : '⚠️';
  const heading = `### ${sign} ${group.title} (${grouped(findings.length)})`;
  const remedies = [...new Set(findings.flatMap((finding) => textOf(finding).remedy))].slice(0, 12);
  const after = [
    remedies.length > 0
      ? `**What to do:**\n${remedies.map((line) => `- ${markdownProse(line)}`).join('\n')}`
      : '',
    yamlOf(findings),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  if (!findings.every(isRow)) return [list(heading, findings, after)];
  const [open, folded] = [findings.slice(0, OPEN_ROWS), findings.slice(OPEN_ROWS)];
  if (folded.length === 0) return [table(`${heading}\n\n`, open, after ? `\n${after}` : '')];
  const summary = `<details><summary>${plural(folded.length, 'more finding')} of this kind</summary>\n\n`;
  return [
    table(`${heading}\n\n`, open, ''),
    table(summary, folded, `\n</details>${after ? `\n\n${after}` : ''}`),
  ];
}

/** True when a finding is about a check and says what it has to say in one line. */
function isRow(finding: Finding): boolean {
  const { scenario } = subjectOf(finding);
  return (
    scenario !== undefined &&
    (finding.consequences?.length ?? 0) === 0 &&
    !('diff' in finding && finding.diff) &&
    textOf(finding).detail.length <= 1
  );
}

function table(before: string, findings: readonly Finding[], after: string): Section {
  return {
    before: `${before}| profile | scenario | check | status | seen |\n| --- | --- | --- | --- | --- |`,
    items: findings.map((finding) => {
      const { scenario = '', check = '' } = subjectOf(finding);
      const seen = textOf(finding).detail[0] ?? textOf(finding).title;
      const cells = [
        profilesOf(finding).map(markdownCode).join('<br>'),
        markdownCode(fitBytes(scenario, 300)),
        check ? markdownCode(fitBytes(check, 300)) : '',
        'statuses' in finding ? markdownText(statusWords(finding.statuses ?? [])) : '',
        `${markdownText(fitLines(seen, 600))}${finding.place ? `<br>${place(finding.place)}` : ''}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    separator: '\n',
    after,
    glue: '\n',
    left: (count) => `| … | and ${plural(count, 'more finding')}; report.html lists all of them | | | |`,
  };
}

function list(before: string, findings: readonly Finding[], after: string): Section {
  return {
    before,
    items: findings.map(item),
    separator: '\n\n',
    after,
    glue: '\n\n',
    left: (count) => `- … and ${plural(count, 'more finding')} of this kind; report.html lists all of them.`,
  };
}

function item(finding: Finding): string {
  const { title, detail } = textOf(finding);
  const where = [...profilesOf(finding).map(markdownCode), finding.place ? place(finding.place) : ''].filter(
    (part) => part !== '',
  );
  const head = `- **${markdownText(fitBytes(title, 600))}**${where.length > 0 ? ` · ${where.join(' · ')}` : ''}`;
  const blocks = [
    detail.length > 0 ? markdownBlock(fitLines(detail.join('\n'), DETAIL)) : '',
    finding.consequences && finding.consequences.length > 0 ? consequences(finding.consequences) : '',
  ].filter((part) => part !== '');
  return [head, ...blocks.map(indent)].join('\n\n');
}

const place = ({ file, line }: NonNullable<Finding['place']>): string =>
  markdownCode(fitBytes(`${file}${line ? `:${line}` : ''}`, 300));

/** "FAILURE ×5", "FAILURE, SUCCESS". */
export function statusWords(statuses: readonly string[]): string {
  return [...Map.groupBy(statuses, (status) => status)]
    .map(([status, { length }]) => (length > 1 ? `${status} ×${length}` : status))
    .join(', ');
}

function consequences(refs: NonNullable<Finding['consequences']>): string {
  const shown = refs
    .slice(0, 100)
    .map((ref) => `${ref.scenario} › ${ref.check}${ref.status ? ` (${ref.status})` : ''}`);
  const more =
    refs.length > shown.length ? [`… and ${plural(refs.length - shown.length, 'more check')}`] : [];
  return `<details><summary>${plural(refs.length, 'check')} under this cause</summary>\n\n${markdownBlock(
    fitLines([...shown, ...more].join('\n'), DETAIL),
  )}\n\n</details>`;
}

function yamlOf(findings: readonly Finding[]): string {
  const entries = findings.slice(0, MOST_YAML).flatMap((finding) => {
    const lines = baselineLines(finding);
    const at = finding.place
      ? `# ${finding.place.file}${finding.place.line ? `:${finding.place.line}` : ''}\n`
      : '';
    return lines ? [`${at}${lines}`] : [];
  });
  if (entries.length === 0) return '';
  const left = findings.length - entries.length;
  const more = left > 0 ? `# … and ${grouped(left)} more: let accept write them\n` : '';
  return `<details><summary>The lines for the baseline</summary>\n\n${markdownBlock(
    fitLines(`${entries.join('')}${more}`, DETAIL * 4),
    'yaml',
  )}\n\n</details>`;
}

function next(accept: string): Section {
  return {
    before:
      'To write what differs into the baseline, run this where the report folder is, then review each new line:',
    items: [markdownBlock(accept, 'sh')],
    separator: '\n',
    after: '',
    glue: '\n\n',
    left: () => '',
  };
}

/** Inside a list item, so that the blocks belong to it. */
const indent = (block: string): string => block.replace(/^(?=.)/gm, '  ');
