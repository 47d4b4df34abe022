import { markdownCode, markdownLink, markdownText } from '../../shared/escape-markdown.ts';
import { OUTCOME_SIGNS } from '../outcome-signs.ts';
import { plural } from '../plural.ts';
import type { Change, Comparison } from '../publication.ts';
import type { Section } from './section.ts';

const WORDS: Readonly<Record<Change['kind'], string>> = {
  broke: '❌ broke',
  mended: '✅ mended',
  status: 'other status',
  evidence: 'other evidence',
  appeared: 'new check',
  vanished: 'no longer emitted',
  disposition: 'judged otherwise',
};

/** What changed since the run that this one is compared with. */
export function comparisonSection(comparison: Comparison): Section {
  const frame = {
    separator: '\n',
    after: '',
    left: (count: number) => `| … | ${plural(count, 'more change')} | | |`,
  };
  if (!comparison.found)
    return {
      ...frame,
      before: '### What changed',
      items: [markdownText(comparison.note)],
      glue: '\n\n',
      left: () => '…',
    };
  const { changes, moved, outcome } = comparison;
  const against = `${markdownLink(comparison.with, comparison.url)} (${OUTCOME_SIGNS[outcome].sign} ${OUTCOME_SIGNS[outcome].word}, ${comparison.at.slice(0, 10)})`;
  const lines = [
    `### What changed since ${against}`,
    ...moved.map((m) => `- ${markdownText(m.what)}: ${markdownCode(m.from)} → ${markdownCode(m.to)}`),
  ];
  if (changes.length === 0)
    return { ...frame, before: lines.join('\n\n'), items: ['No check changed.'], glue: '\n\n' };
  return {
    ...frame,
    before: `${lines.join('\n\n')}\n\n| | check | before | now |\n| --- | --- | --- | --- |`,
    items: changes.map(
      (c) =>
        `| ${WORDS[c.kind]} | ${markdownCode(c.profile)} ${markdownCode(c.scenario)} › ${markdownCode(c.check)} | ${statuses(c.before)} | ${statuses(c.now)} |`,
    ),
    glue: '\n',
  };
}

const statuses = (side: Change['before']): string =>
  side ? `${markdownText([...new Set(side.statuses)].join(', '))} (${markdownText(side.disposition)})` : '—';
