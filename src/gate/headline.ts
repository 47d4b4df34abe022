import { type Finding, type FindingKind, levelOf, profilesOf } from './finding.ts';
import { classOf, outcomeOf } from './outcome.ts';
import { textOf } from './texts.ts';
import type { OutcomeClass, ProfileVerdict } from './verdict.ts';

/** How many of a class there are, in words. */
const NOUNS = {
  regression: ['regression', 'regressions'],
  stale: ['stale entry of the baseline', 'stale entries of the baseline'],
  review: ['exception to review', 'exceptions to review'],
} as const satisfies Partial<Record<OutcomeClass, readonly [one: string, many: string]>>;

/** Stale in a way that removing the exception mends; other stale things are about the baseline as a whole. */
const STALE_EXCEPTION: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'now-passing',
  'not-emitted',
  'unknown-exception',
]);
const STALE_EXCEPTIONS = ['stale exception', 'stale exceptions'] as const;

/**
 * The verdict in one sentence that a maintainer understands without knowing this tool: what passed, what differs, or why
 * nothing could be measured.
 */
export function headline(findings: readonly Finding[], profiles: readonly ProfileVerdict[]): string {
  switch (outcomeOf(findings)) {
    case 'pass':
      return passed(profiles);
    case 'fail':
      return differs(findings, profiles);
    case 'inconclusive':
      return notMeasured(findings);
  }
}

function passed(profiles: readonly ProfileVerdict[]): string {
  const exceptions = sum(profiles, ({ counts }) => sum(Object.values(counts.exceptions), (count) => count));
  const size = `${count(profiles.length, 'profile', 'profiles')}, ${count(sum(profiles, ran), 'scenario', 'scenarios')}`;
  const partly = profiles.some(isPartial) ? ' A partial run: not every scenario was asked for.' : '';
  return exceptions === 0
    ? `Passes without an exception: ${size}.${partly}`
    : `Passes its reviewed baseline: ${size}, ${count(exceptions, 'reviewed exception', 'reviewed exceptions')}.${partly}`;
}

function differs(findings: readonly Finding[], profiles: readonly ProfileVerdict[]): string {
  if (findings.every(({ kind }) => kind === 'unclassified') && profiles.every(hasNoExceptions)) {
    return `${count(findings.length, 'check is', 'checks are')} not a success and ${findings.length === 1 ? 'has' : 'have'} no reviewed exception.`;
  }
  const bare = new Set(profiles.filter(hasNoExceptions).map(({ profile }) => profile));
  const isNew = (finding: Finding): boolean => finding.kind === 'unclassified' && bare.has(finding.profile);
  const fresh = findings.filter(isNew).length;
  const known = findings.filter((finding) => !isNew(finding));
  const parts = (Object.keys(NOUNS) as (keyof typeof NOUNS)[]).flatMap((wanted) => {
    const kinds = known.map(({ kind }) => kind).filter((kind) => classOf(kind) === wanted);
    const [one, many] = kinds.every((kind) => STALE_EXCEPTION.has(kind)) ? STALE_EXCEPTIONS : NOUNS[wanted];
    return kinds.length === 0 ? [] : [count(kinds.length, one, many)];
  });
  if (fresh > 0) parts.push(count(fresh, 'check without an exception', 'checks without an exception'));
  const last = parts.pop() ?? '';
  return `${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}

function notMeasured(findings: readonly Finding[]): string {
  const causes = findings.filter(({ kind }) => levelOf(kind) === 'inconclusive');
  const [first] = causes;
  if (first === undefined) throw new TypeError('inconclusive always has a cause');
  const where = profilesOf(first).length === 0 ? '' : ` (${profilesOf(first).join(', ')})`;
  const more = causes.length - 1;
  const others = more === 0 ? '' : ` And ${count(more, 'more cause', 'more causes')}.`;
  const { title } = textOf(first);
  return `Could not measure: ${title.charAt(0).toLowerCase()}${title.slice(1)}${where}.${others}`;
}

const hasNoExceptions = ({ counts }: ProfileVerdict): boolean => Object.keys(counts.exceptions).length === 0;
const isPartial = ({ scenarios, notEvaluated }: ProfileVerdict): boolean =>
  notEvaluated.length > 0 || scenarios.some(({ result }) => result === 'not-evaluated');
const ran = ({ scenarios }: ProfileVerdict): number =>
  scenarios.filter(({ result }) => result !== 'not-evaluated').length;

const count = (many: number, one: string, more: string): string => `${many} ${many === 1 ? one : more}`;
const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
