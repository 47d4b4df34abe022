import { plural } from '../../publish/plural.ts';
import type { Concern } from '../ownership.ts';
import type { DriftReport } from '../report.ts';
import { type Change, type Moved, type SourceReport, sourceName } from '../source.ts';
import { UNKNOWN_TEXTS } from '../unknown.ts';
import { type Block, list, type Part, type Section } from './section.ts';
import { code, moment, plain, version } from './words.ts';

/** Key of a source's section in the issue. */
export function sourceSection(id: string): string {
  return `source:${id}`;
}

/** All sources in a table, moved ones first. */
export function sourceTable(sources: readonly SourceReport[]): Part {
  const order = { moved: 0, unknown: 1, same: 2 } as const;
  return {
    before: '',
    items: sources.toSorted((a, b) => order[a.status] - order[b.status]).map(row),
    separator: '\n',
    more: (left) => `| | … and ${plural(left, 'more source')} | | |`,
  };
}

/** What stands above the rows; part of the table, so no empty line between. */
export const TABLE_HEAD = '| | Source | Adopted | Now |\n| --- | --- | --- | --- |';

function row(source: SourceReport): string {
  const name = plain(sourceName(source.watch));
  switch (source.status) {
    case 'moved':
      return `| 🔶 moved | **${name}** | ${version(source.from)} | ${version(source.to)} |`;
    case 'same':
      return `| ✅ same | ${name} | ${version(source.at)} | ${source.notes.map(plain).join(' ')} |`;
    case 'unknown': {
      const seen =
        source.lastSeen === undefined
          ? ''
          : `; last seen ${moment(source.lastSeen.at)} at ${code(source.lastSeen.label)}`;
      const why =
        source.reason === 'not-adopted'
          ? `${UNKNOWN_TEXTS[source.reason]}: ${plain(source.message)}`
          : `${UNKNOWN_TEXTS[source.reason]} since ${moment(source.since)}${seen}`;
      return `| ❔ unknown | ${name} | | ${why} |`;
    }
  }
}

/** What moved of one source, and whom it concerns here. */
export function movedSection(source: Moved, report: DriftReport): Section {
  const files = source.changes.filter((change) => change.kind === 'file');
  const others = source.changes.filter((change) => change.kind !== 'file');
  const compare =
    source.compareUrl === undefined ? '' : ` · ${version({ label: 'compare', url: source.compareUrl })}`;
  return {
    key: sourceSection(source.id),
    blocks: [
      `## ${plain(sourceName(source.watch))}: ${version(source.from)} → ${version(source.to)}${compare}`,
      ...source.notes.map(plain),
      ...concernBlocks(report.concerns[source.id] ?? []),
      list('', others.map(changeLine), 'changes'),
      ...fileBlocks(files, source.incomplete),
    ],
  };
}

function changeLine(change: Exclude<Change, { kind: 'file' }>): string {
  if (change.kind === 'revision') return `- Revision ${code(change.revision)} is new.`;
  const name = change.name === undefined || change.name === change.tag ? '' : ` ${plain(change.name)}`;
  const day = change.published === undefined ? '' : `, ${change.published.slice(0, 10)}`;
  const first = change.notes
    .split('\n')
    .filter((line) => !/^\s*(#|<!--|$)/.test(line))
    .map((line) => line.replace(/^\s*[-*+]\s+/, '').trim())[0];
  const notes = first === undefined ? '' : `: ${plain(first.slice(0, 160).toWellFormed())}`;
  return `- Release ${version({ label: change.tag, ...(change.url === undefined ? {} : { url: change.url }) })}${name}${day}${notes}`;
}

function fileBlocks(files: readonly Extract<Change, { kind: 'file' }>[], incomplete: boolean): Block[] {
  if (files.length === 0 && !incomplete) return [];
  const signs = { added: '+', modified: '±', removed: '−', renamed: '→' } as const;
  const note = incomplete ? 'Upstream did not list every change; the comparison shows all.' : '';
  if (files.length === 0) return [note];
  return [
    {
      before: `<details><summary>${plural(files.length, 'changed file')}</summary>`,
      items: files.map((file) => `- ${signs[file.change]} ${code(file.path)}`),
      separator: '\n',
      more: (left) => `- … and ${plural(left, 'more file')}`,
      after: [note, '</details>'].filter((text) => text !== '').join('\n\n'),
    },
  ];
}

function concernBlocks(all: readonly Concern[]): Block[] {
  if (all.length === 0) return [];
  return [
    {
      before: '**Who this concerns here**',
      items: [
        '| Speaks of | Changed upstream | Look at | Run |\n| --- | --- | --- | --- |',
        ...all.map(
          (one) =>
            `| ${one.words.map(plain).join(', ')} | ${few(one.changed)} | ${few(one.paths)} | ${one.checks.map(code).join('<br>')} |`,
        ),
      ],
      separator: '\n',
      more: (left) => `| … and ${left} more | | | |`,
    },
  ];
}

function few(paths: readonly string[]): string {
  const shown = paths.slice(0, 4).map(code);
  return [...shown, ...(paths.length > 4 ? [`… ${paths.length - 4} more`] : [])].join('<br>');
}
