import { plural } from '../../publish/plural.ts';
import { TRIAL_SECTION } from '../issue/effective.ts';
import { type DriftReport, isMoved, isUnknown } from '../report.ts';
import { adoptSection } from './adopt-section.ts';
import { type Block, fitSections, type Section } from './section.ts';
import { movedSection, sourceSection, sourceTable, TABLE_HEAD } from './source-section.ts';
import { trialSection } from './trial-section.ts';
import { impactSentence, moment, plain, version } from './words.ts';

export interface RenderOptions {
  /** UTF-8 bytes of the whole. */
  readonly maxBytes: number;
  /** Opens a section with a key: the issue's hidden comments. Absent: none. */
  readonly open?: (key: string) => string;
  /** Sections that are taken over as they stand, by key. */
  readonly carried?: Readonly<Record<string, string>>;
  /** Last lines. */
  readonly foot?: string;
}

/**
 * The whole report as GitHub-flavoured Markdown, for the issue and for the job summary. Text from upstream, the referee
 * and the server in it is neutralised.
 */
export function renderDrift(report: DriftReport, options: RenderOptions): string {
  const carried = options.carried ?? {};
  const sections: Section[] = [
    {
      blocks: [
        headline(report, carried),
        { ...sourceTable(report.sources), items: [TABLE_HEAD, ...sourceTable(report.sources).items] },
      ],
    },
    ...movedSections(report, carried),
    ...(report.status === 'moved' ? [adoptSection(report)] : []),
    { blocks: [options.foot ?? ''] },
  ];
  return fitSections(sections, options.maxBytes, options.open);
}

function movedSections(report: DriftReport, carried: Readonly<Record<string, string>>): Section[] {
  const old = (key: string): Section | undefined =>
    carried[key] === undefined ? undefined : { key, blocks: [carried[key]] };
  const referee = report.sources.find((source) => source.watch.kind === 'referee');
  const trial =
    old(TRIAL_SECTION) ??
    (referee !== undefined && isMoved(referee) ? trialSection(report.trial) : undefined);
  // The referee first: what its trial says is right above.
  const sources = report.sources.toSorted((a, b) => rank(a.watch.kind) - rank(b.watch.kind));
  const moved = sources.map((source) =>
    isMoved(source) ? movedSection(source, report) : old(sourceSection(source.id)),
  );
  return (
    [trial, ...moved]
      .filter((section) => section !== undefined)
      // The trial's own heading names the referee: a second one with nothing under it says nothing.
      .filter((section) => trial === undefined || !isBareReferee(section))
  );
}

function isBareReferee(section: Section): boolean {
  return section.key === sourceSection('referee') && section.blocks.filter(hasContent).length === 1;
}

function hasContent(block: Block): boolean {
  return typeof block === 'string' ? block !== '' : block.items.length > 0;
}

function rank(kind: string): number {
  return kind === 'referee' ? 0 : 1;
}

function headline(report: DriftReport, carried: Readonly<Record<string, string>>): string {
  const moved = report.sources.filter(isMoved).length;
  const unknown = report.sources.filter(isUnknown).length;
  const total = report.sources.length;
  const first =
    moved === 0
      ? unknown === 0
        ? `Nothing moved: ${plural(total, 'watched source')}.`
        : `Nothing is known to have moved; ${unknown} of ${plural(total, 'watched source')} could not be told.`
      : `${moved} of ${plural(total, 'watched source')} moved.`;
  const impact = 'trial' in carried ? CARRIED_TRIAL : impactSentence(report);
  return [`**${first}**`, ...(impact === undefined ? [] : [impact])].join(' ');
}

const CARRIED_TRIAL = 'The trial below was made by an earlier run; this one could not repeat it.';

/** When and by which run. */
export function checkedLine(report: DriftReport): string {
  const { startedAt, url } = report.run;
  const when = moment(startedAt);
  return `Looked at ${url === undefined ? when : `${when} by ${version({ label: 'this run', url })}`}, with the referee pinned to ${plain(report.pin)}.`;
}
