import { bytes } from '../../shared/byte-budget.ts';
import { fitLines } from '../../shared/fit-lines.ts';
import { checkedLine, renderDrift } from '../render/render-drift.ts';
import { sourceSection } from '../render/source-section.ts';
import { briefly, code, impactSentence, moment, plain, titleOf, version } from '../render/words.ts';
import { type DriftReport, isMoved } from '../report.ts';
import { sourceName } from '../source.ts';
import { type Effective, type Resolved, TRIAL_SECTION } from './effective.ts';
import {
  formatBlock,
  type Marker,
  type ParsedBody,
  placeBlock,
  sectionComment,
  withoutMarkers,
} from './marker.ts';

/** GitHub refuses longer bodies: 65,536 characters. Bytes are never fewer, so this is on the safe side. */
export const BODY_LIMIT = 65_536;

export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/**
 * The open issue.
 * @param previous what the issue says now; what people wrote around our part is kept, and so are the sections of
 *   sources that this run knows nothing about
 */
export function renderIssue(
  report: DriftReport,
  state: Effective,
  previous: ParsedBody | undefined,
): IssueText {
  const title =
    state.carried.length > 0 && !report.sources.some(isMoved) ? keptTitle(previous) : titleOf(report);
  const marker: Marker = {
    v: 1,
    ...(report.name === undefined ? {} : { name: report.name }),
    run: { startedAt: report.run.startedAt, id: report.run.id },
    title,
    fingerprint: state.fingerprint,
    moved: { ...state.moved },
    ...(state.trial === undefined ? {} : { trial: state.trial }),
    ...(keep(previous) ? { keep: true } : {}),
  };
  const theirs = bytes(previous?.before ?? '') + bytes(previous?.after ?? '');
  const frame = bytes(formatBlock(marker, ''));
  const content = renderDrift(report, {
    maxBytes: Math.max(0, BODY_LIMIT - theirs - frame),
    open: sectionComment,
    carried: carriedSections(state, previous),
    foot: foot(report, keep(previous)),
  });
  return { title, body: placeBlock(previous, formatBlock(marker, content)) };
}

function keptTitle(previous: ParsedBody | undefined): string {
  return previous?.marker?.title ?? 'MCP upstream drift';
}

function keep(previous: ParsedBody | undefined): boolean {
  return previous?.marker?.keep === true || previous?.marker?.closed === true;
}

function carriedSections(state: Effective, previous: ParsedBody | undefined): Record<string, string> {
  const keys = [...state.carried.map(sourceSection), ...(state.carriedTrial ? [TRIAL_SECTION] : [])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const text = previous?.sections[key];
      return text === undefined ? [] : [[key, text]];
    }),
  );
}

function foot(report: DriftReport, kept: boolean): string {
  return [
    '---',
    `<sub>${checkedLine(report)} Later runs that find the same leave this issue alone. What you write above or below this part stays. ${
      kept
        ? 'A person reopened this issue, so it is not closed automatically any more.'
        : 'It is closed when everything above is adopted or gone.'
    }</sub>`,
  ].join('\n\n');
}

/** Our part once everything that it said is resolved. */
export function renderResolved(report: DriftReport, state: Effective, previous: ParsedBody): IssueText {
  const title = previous.marker?.title ?? titleOf(report);
  const marker: Marker = {
    v: 1,
    ...(report.name === undefined ? {} : { name: report.name }),
    run: { startedAt: report.run.startedAt, id: report.run.id },
    title,
    fingerprint: state.fingerprint,
    moved: {},
    closed: true,
    ...(keep(previous) ? { keep: true } : {}),
  };
  const theirs = bytes(previous.before) + bytes(previous.after);
  const room = BODY_LIMIT - theirs - bytes(formatBlock(marker, ''));
  return {
    title,
    body: placeBlock(previous, formatBlock(marker, fitLines(resolvedText(report, state), room))),
  };
}

/** Why the issue is closed, in words. */
export function resolvedText(report: DriftReport, state: Effective): string {
  const lines = state.resolved.map((one) => `- ${resolvedLine(one)}`);
  return [
    '**Resolved: nothing that this issue was about is left.**',
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    `<sub>${checkedLine(report)}</sub>`,
  ].join('\n\n');
}

function resolvedLine({ id, was, why, source }: Resolved): string {
  const name = plain(source === undefined ? id : sourceName(source.watch));
  if (why.kind === 'not-watched') return `${name} is no longer watched.`;
  if (source?.watch.kind === 'referee')
    return why.at === was.to
      ? `${name}: the pin is ${code(why.at)} now; it was ${code(was.from)}.`
      : `${name}: ${code(was.to)} was passed over, or is gone; the pin is ${code(why.at)}.`;
  return `${name}: what is adopted and what is upstream (${code(why.at)}) no longer differ; reported was ${code(was.from)} → ${code(was.to)}.`;
}

/** The one comment that new drift gets, so that people who watch the issue hear of it. */
export function newsComment(report: DriftReport, state: Effective): string {
  const lines = report.sources.filter(isMoved).flatMap((source) => {
    if (!state.news.includes(source.id)) return [];
    return [
      `- ${plain(sourceName(source.watch))}: ${version(source.from)} → ${version(source.to)} (${plain(briefly(source, report.impact))})`,
    ];
  });
  const impact = state.news.includes('referee') ? impactSentence(report) : undefined;
  return withoutMarkers(
    fitLines(
      [
        '**More has moved upstream:**',
        lines.join('\n'),
        ...(impact === undefined ? [] : [impact]),
        `<sub>${moment(report.run.startedAt)}; the description above has the details.</sub>`,
      ].join('\n\n'),
      BODY_LIMIT - 200,
    ),
  );
}
