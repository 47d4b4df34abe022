import { relative } from 'node:path';
import { plural } from '../../publish/plural.ts';
import { oneLine } from '../../shared/escape-controls.ts';
import { escapeLog } from '../../shared/escape-log.ts';
import type { SyncResult } from '../issue/sync-issue.ts';
import { type DriftReport, isMoved } from '../report.ts';
import { type SourceReport, sourceName } from '../source.ts';
import { UNKNOWN_TEXTS } from '../unknown.ts';
import { adoptSteps, type Sentence } from './adopt-steps.ts';
import { impactSentence, moment } from './words.ts';

/** Details of the trial in a terminal: enough to see what it is about; drift.md has all. */
const SHOWN = 10;

/**
 * The report for a terminal or a log, without colours.
 * @param folder the report folder, or `undefined` when nothing was left there
 */
export function renderDriftTerminal(
  report: DriftReport,
  options: { readonly folder: string | undefined; readonly cwd: string; readonly issue?: SyncResult },
): string {
  const lines = [
    HEADLINES[report.status],
    ...report.sources.map((source) => sourceLine(source, report.command)),
    ...trialLines(report),
    ...changeLines(report),
    ...concernLines(report),
    ...adoptLines(report),
    ...(options.issue === undefined ? [] : ['', issueLine(options.issue), ...options.issue.notices]),
    ...(options.folder === undefined ? [] : ['', `Details: ${relative(options.cwd, options.folder) || '.'}`]),
  ];
  return `${lines.map((line) => escapeLog(line)).join('\n')}\n`;
}

function sourceLine(source: SourceReport, command: string): string {
  const name = oneLine(sourceName(source.watch));
  switch (source.status) {
    case 'moved': {
      const compare = source.compareUrl === undefined ? '' : `  ${source.compareUrl}`;
      return `  moved    ${name}: ${source.from.label} → ${source.to.label}${compare}`;
    }
    case 'same': {
      const notes = source.notes.length === 0 ? '' : `  (${source.notes.join(' ')})`;
      return `  same     ${name}: ${source.at.label}${notes}`;
    }
    case 'unknown': {
      if (source.reason === 'not-adopted')
        return `  unknown  ${name}: ${source.message}; run ${command} drift --adopt`;
      const said = source.message === '' ? '' : ` (${oneLine(source.message)})`;
      return `  unknown  ${name}: ${UNKNOWN_TEXTS[source.reason]} since ${moment(source.since)}${said}`;
    }
  }
}

const HEADLINES = {
  same: 'Nothing moved upstream.',
  moved: 'Upstream moved:',
  unknown: 'Nothing is known to have moved upstream; not everything could be told:',
} as const;

function trialLines(report: DriftReport): string[] {
  const impact = impactSentence(report);
  if (impact === undefined) return [];
  const { trial } = report;
  if (trial.kind === 'not-measured' && trial.impossible !== undefined)
    return ['', impact, `  ${oneLine(trial.impossible.message)}`];
  if (trial.kind !== 'measured') return ['', impact];
  const items = trial.profiles.flatMap((profile) =>
    profile.kind === 'measured'
      ? profile.differences.map((one) => {
          const what = {
            new: 'new check',
            vanished: 'gone',
            status: 'other result',
            evidence: 'other evidence',
          }[one.kind];
          const result = one.kind === 'status' ? one.now : one.statuses;
          return `  ${what}: ${profile.profile} › ${one.scenario} › ${one.check}: ${result.join(', ')}`;
        })
      : [`  not measured: ${profile.profile}`],
  );
  return ['', impact, ...few(items.map((item) => `  ${oneLine(item)}`))];
}

function changeLines(report: DriftReport): string[] {
  return report.sources.filter(isMoved).flatMap((source) => {
    if (source.changes.length === 0) return [];
    const items = source.changes.map((change) => {
      switch (change.kind) {
        case 'file':
          return `  ${change.change} ${change.path}`;
        case 'release':
          return `  release ${change.tag}`;
        default:
          return `  revision ${change.revision} is new`;
      }
    });
    return ['', `Changed in ${oneLine(sourceName(source.watch))}:`, ...few(items)];
  });
}

/** The first items, and how many more there are. */
function few(items: readonly string[]): string[] {
  const left = items.length - SHOWN;
  return [...items.slice(0, SHOWN), ...(left > 0 ? [`  … and ${left} more`] : [])];
}

function adoptLines(report: DriftReport): string[] {
  if (report.status !== 'moved') return [];
  const { steps } = adoptSteps(report);
  return ['', 'To adopt it:', ...steps.map((step, index) => `  ${index + 1}. ${said(step)}`)];
}

function said(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === 'string' ? part : part.code)).join('');
}

function concernLines(report: DriftReport): string[] {
  const all = report.sources.filter(isMoved).flatMap((source) => report.concerns[source.id] ?? []);
  if (all.length === 0) return [];
  return [
    '',
    'Who this concerns here:',
    ...all.map(
      (one) =>
        `  ${one.words.join(', ')}: ${one.paths.join(', ') || plural(one.changed.length, 'change')} → ${one.checks.join(' && ')}`,
    ),
  ];
}

/** What became of the issue, in a sentence. */
export function issueLine(result: SyncResult): string {
  switch (result.kind) {
    case 'none':
      return 'No drift issue is needed.';
    case 'opened':
      return `Opened the drift issue: ${result.url}`;
    case 'updated':
      return `Brought the drift issue up to date: ${result.url}`;
    case 'unchanged':
      return `The drift issue says so already: ${result.url}`;
    case 'closed':
      return `Closed the drift issue as resolved: ${result.url}`;
    case 'kept-open':
      return `Resolved; a person reopened the drift issue, so it stays open: ${result.url}`;
    case 'older-run':
      return `A later run has written the drift issue; this one leaves it alone: ${result.url}`;
    case 'dismissed':
      return `A person closed the drift issue about exactly this; it stays closed: ${result.url}`;
    case 'not-written':
      return result.why === 'issues-disabled'
        ? 'The drift issue was not written: issues are disabled in this repository.'
        : `The drift issue was not written: ${UNKNOWN_TEXTS[result.why]}${result.message === '' ? '' : ` (${result.message})`}.`;
  }
}
