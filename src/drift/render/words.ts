import { plural } from '../../publish/plural.ts';
import { oneLine } from '../../shared/escape-controls.ts';
import { markdownBlock, markdownCode, markdownLink, markdownText } from '../../shared/escape-markdown.ts';
import { withoutMarkers } from '../issue/marker.ts';
import { type DriftReport, type Impact, isMoved } from '../report.ts';
import type { Moved, Version } from '../source.ts';
import type { Trial } from '../trial.ts';

/** Foreign text for the issue: escaped, and never readable as one of our own comments. */
export const code = (text: string): string => withoutMarkers(markdownCode(text));
export const plain = (text: string): string => withoutMarkers(markdownText(text));
export const block = (text: string, language?: string): string =>
  withoutMarkers(markdownBlock(text, language));

/** Where a source stands, linked where there is a page. */
export function version({ label, url }: Version): string {
  return url === undefined ? code(label) : withoutMarkers(markdownLink(label, url));
}

/** `2026-11-30 03:17 UTC` */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** One sentence about what adopting the newer referee would do; `undefined` when there is none to adopt. */
export function impactSentence(report: Pick<DriftReport, 'impact' | 'trial'>): string | undefined {
  const { impact, trial } = report;
  const texts: Readonly<Record<Impact, string | undefined>> = {
    none: undefined,
    harmless: `Adopting the newer referee changes no result of this gate${added(trial)}.`,
    stale: `Nothing that passes today would fail with the newer referee; ${plural(count(trial, 'stale'), 'baseline entry', 'baseline entries')} would be stale.`,
    breaking:
      trial.kind === 'measured'
        ? `Adopting the newer referee as it is would fail this gate: ${plural(count(trial, 'breaks'), 'finding')} to settle first.`
        : 'The newer referee cannot run what is gated here as it is configured.',
    'not-measured':
      trial.kind === 'not-tried'
        ? 'What adopting the newer referee changes here was not tried.'
        : 'What adopting the newer referee changes here could not be measured.',
  };
  return texts[impact];
}

function added(trial: Trial): string {
  if (trial.kind !== 'measured') return '';
  const all = trial.profiles.flatMap((profile) => (profile.kind === 'measured' ? profile.differences : []));
  const count = all.filter((one) => one.kind === 'new' && one.passes).length;
  return count === 0 ? '' : `; ${plural(count, 'new check passes', 'new checks pass')} here`;
}

function count(trial: Trial, what: 'breaks' | 'stale'): number {
  if (trial.kind !== 'measured') return 0;
  return trial.profiles.reduce(
    (sum, profile) => sum + (profile.kind === 'measured' ? profile[what].length : 0),
    0,
  );
}

/** Titles are shown whole in lists: about a hundred characters, plain text. */
const TITLE_LIMIT = 120;

/**
 * Title of the issue.
 * @param ids what it is about: ids of moved sources
 */
export function titleOf(report: DriftReport): string {
  const name = report.name === undefined ? '' : `${report.name}: `;
  const moved = report.sources.filter(isMoved).map((source) => briefly(source, report.impact));
  const first = moved.slice(0, 2).join('; ');
  const rest = moved.length > 2 ? `; ${moved.length - 2} more` : '';
  const title = oneLine(`MCP upstream drift: ${name}${first}${rest}`);
  return title.length <= TITLE_LIMIT
    ? title
    : `${title
        .slice(0, TITLE_LIMIT - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

const IMPACT_WORDS: Readonly<Record<Impact, string>> = {
  none: '',
  harmless: ' changes nothing here',
  stale: ' makes exceptions stale',
  breaking: ' would fail this gate',
  'not-measured': ' is out',
};

/** A moved source in a few words. */
export function briefly(source: Moved, impact: Impact): string {
  const { watch } = source;
  switch (watch.kind) {
    case 'referee':
      return `referee ${source.to.label}${IMPACT_WORDS[impact]}`;
    case 'spec': {
      const revisions = source.changes.flatMap((change) =>
        change.kind === 'revision' ? [change.revision] : [],
      );
      return revisions.length > 0
        ? `specification ${revisions.join(', ')} is published`
        : 'specification text of a gated revision changed';
    }
    case 'github-release':
      return `${watch.repository.split('/')[1] ?? watch.repository} ${source.to.label} is released`;
    case 'npm':
      return `${watch.package} is ${source.to.label}`;
    case 'branch':
      return `${watch.repository} has moved`;
  }
}
