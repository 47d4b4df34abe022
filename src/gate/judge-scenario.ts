import type { Baseline, Exception } from '../baseline/baseline.ts';
import type { CheckGroup } from '../evidence/evaluate-check.ts';
import { isRecognisable } from '../evidence/stable.ts';
import { wordDiff } from '../evidence/word-diff.ts';
import { daysAfter } from '../shared/days-after.ts';
import { nearest } from '../shared/nearest.ts';
import type { Finding, FindingOf } from './finding.ts';
import { matchException } from './match-exception.ts';
import { isFailureOnly } from './special-checks.ts';

/** What the judge needs to know for one scored scenario. */
export interface ScenarioCase {
  readonly profile: string;
  readonly scenario: string;
  readonly groups: readonly CheckGroup[];
  /** The check that says that the scenario was cut short: it threw, or its time was up. */
  readonly cutShort: string | undefined;
  readonly baseline: Baseline | undefined;
  /** The baseline's exceptions for this scenario. */
  readonly exceptions: readonly Exception[];
  /** YYYY-MM-DD */
  readonly today: string;
}

/**
 * Holds the checks of one scored scenario that ran against the baseline.
 * @returns every difference, as findings; none: the scenario passes
 */
export function judgeScenario(one: ScenarioCase): Finding[] {
  const { exceptions } = one;
  const infoOnly = one.groups.every((group) => group.infoOnly);
  const findings: Finding[] = [];
  let excusedInfo = false;
  for (const group of one.groups) {
    const exception = exceptions.find(({ check }) => check === group.check);
    const match = matchException(group, exception, one.baseline?.normaliser ?? 0, infoOnly);
    if (match === 'as-reviewed' && infoOnly) excusedInfo = true;
    findings.push(...checkFindings(one, group, exception, match));
  }
  underCutShort(one, findings, absentChecks(one, exceptions));
  if (infoOnly && !excusedInfo) {
    findings.push({
      kind: 'no-verdict',
      profile: one.profile,
      scenario: one.scenario,
      why: one.groups.length === 0 ? 'empty' : 'info-only',
    });
  }
  return findings;
}

/** What a scenario that was cut short did not come to say is no finding of its own. */
function underCutShort(one: ScenarioCase, findings: Finding[], absent: readonly Absent[]): void {
  const n = findings.findIndex((finding) => 'check' in finding && finding.check === one.cutShort);
  const cause = findings[n];
  if (cause === undefined) {
    findings.push(...absent);
    return;
  }
  const explained = absent.filter(({ kind }) => kind === 'vanished-check' || kind === 'not-emitted');
  const refs = explained.map(({ scenario, check }) => ({ scenario, check }));
  if (refs.length > 0) findings[n] = { ...cause, consequences: refs };
  findings.push(...absent.filter((finding) => !explained.includes(finding)));
}

function checkFindings(
  one: ScenarioCase,
  group: CheckGroup,
  exception: Exception | undefined,
  match: ReturnType<typeof matchException>,
): Finding[] {
  const at = {
    profile: one.profile,
    scenario: one.scenario,
    check: group.check,
    ...(exception?.place === undefined ? {} : { place: exception.place }),
  };
  if (exception === undefined) {
    return match === 'passed' ? lostVerdict(one, group) : [{ kind: 'unclassified', ...at, ...said(group) }];
  }
  const { statuses: expected, masked, observed } = exception;
  switch (match) {
    case 'passed':
      return ofItsDates(exception, one.today, at, () => said(group));
    case 'as-reviewed':
      return standing(one, group, exception, at);
    case 'now-passing':
      return [{ kind: 'now-passing', ...at, expected: [...expected] }];
    case 'status-changed':
      return [{ kind: 'status-changed', ...at, expected: [...expected], ...said(group, masked) }];
    case 'evidence-changed':
      return [
        {
          kind: 'evidence-changed',
          ...at,
          ...said(group, masked),
          expected: exception.evidence,
          ...(observed === undefined ? {} : { diff: wordDiff(observed, observedText(group, masked)) }),
        },
      ];
    case 'unclassified':
    case 'normaliser-changed':
      // One cause for all of them: reported once for the profile.
      return [];
  }
}

/** An exception that matches still has to be reviewed, in date, and about the target rather than the infrastructure. */
function standing(one: ScenarioCase, group: CheckGroup, exception: Exception, at: At): Finding[] {
  if (exception.class === 'inconclusive-infrastructure') {
    return [
      {
        kind: 'transport-failure',
        profile: one.profile,
        scenario: one.scenario,
        message: `Its reason: ${exception.reason}`,
        recordedFor: group.check,
        ...(exception.place === undefined ? {} : { place: exception.place }),
        consequences: [{ scenario: one.scenario, check: group.check, status: group.statuses.join(', ') }],
      },
    ];
  }
  const words = () => said(group, exception.masked);
  const dates = ofItsDates(exception, one.today, at, words);
  if (dates.length > 0 || isRecognisable(group.evidence(), exception.masked)) return dates;
  return [{ kind: 'unreviewed', ...at, ...words(), why: 'nothing-stable' }];
}

interface At {
  readonly profile: string;
  readonly scenario: string;
  readonly check: string;
}

/**
 * What is wrong with an exception's dates: nobody reviewed it, or its time is over. They count while a flaky check happens to
 * pass, too: otherwise the result of the day would decide.
 */
function ofItsDates(
  exception: Exception,
  today: string,
  at: At,
  words: () => { statuses: string[]; firstLine: string; fingerprint: string },
): FindingOf<'unreviewed' | 'exception-expired'>[] {
  const { reviewed, expires } = exception;
  if (reviewed === undefined) return [{ kind: 'unreviewed', ...at, ...words() }];
  // Tomorrow's date is today's somewhere else.
  if (reviewed > daysAfter(today, 1)) return [{ kind: 'unreviewed', ...at, ...words(), why: 'future-date' }];
  if (isFlakyForEver(exception, today)) {
    return [{ kind: 'unreviewed', ...at, ...words(), why: 'flaky-for-ever' }];
  }
  if (expires === undefined || expires >= today) return [];
  const { statuses, firstLine } = words();
  return [{ kind: 'exception-expired', ...at, expires, statuses, firstLine }];
}

/** An exception that allows two results is there for a while, not for good. */
const isFlakyForEver = ({ flaky, expires }: Exception, today: string) =>
  flaky && (expires === undefined || expires > daysAfter(today, 366));

/** A check that had a verdict at review and now only logs something no longer proves anything. */
function lostVerdict(one: ScenarioCase, group: CheckGroup): Finding[] {
  const inventoried = one.baseline?.inventory.get(one.scenario)?.includes(group.check) === true;
  if (!group.infoOnly || !inventoried) return [];
  return [
    {
      kind: 'status-changed',
      profile: one.profile,
      scenario: one.scenario,
      check: group.check,
      expected: ['SUCCESS'],
      ...said(group),
    },
  ];
}

type Absent = FindingOf<
  'now-passing' | 'not-emitted' | 'unknown-exception' | 'vanished-check' | 'unreviewed' | 'exception-expired'
>;

/** What the baseline knows and the scenario did not say. */
function absentChecks(one: ScenarioCase, exceptions: readonly Exception[]): Absent[] {
  const emitted = new Set(one.groups.map(({ check }) => check));
  const inventory = one.baseline?.inventory.get(one.scenario) ?? [];
  const information = one.baseline?.information.get(one.scenario) ?? [];
  const findings: Absent[] = [];
  for (const exception of exceptions) {
    if (emitted.has(exception.check)) continue;
    const failureOnly = isFailureOnly(one.scenario, exception.check, inventory);
    const at = {
      profile: one.profile,
      scenario: one.scenario,
      check: exception.check,
      ...(exception.place === undefined ? {} : { place: exception.place }),
    };
    if (exception.flaky && failureOnly) {
      // It exists only while it fails, so it passes by not coming.
      const words = () => ({ statuses: [], firstLine: '', fingerprint: exception.evidence });
      findings.push(...ofItsDates(exception, one.today, at, words));
    } else if (failureOnly) {
      findings.push({ kind: 'now-passing', ...at, expected: [...exception.statuses] });
    } else if (inventory.includes(exception.check)) {
      findings.push({ kind: 'not-emitted', ...at, expected: [...exception.statuses] });
    } else {
      const near = nearest(exception.check, [...emitted]);
      findings.push({
        kind: 'unknown-exception',
        ...at,
        why: 'no-such-check',
        ...(near === undefined ? {} : { nearest: near }),
      });
    }
  }
  const excepted = new Set(exceptions.map(({ check }) => check));
  for (const check of [...inventory, ...information]) {
    if (emitted.has(check) || excepted.has(check)) continue;
    findings.push({ kind: 'vanished-check', profile: one.profile, scenario: one.scenario, check });
  }
  return findings;
}

/** The text that accept keeps in an exception as `observed` and that a later difference is shown against. */
export function observedText(group: CheckGroup, masks: readonly string[]): string {
  return group.readable(masks).join('\n');
}

const MAX_FIRST_LINE = 300;

function said(
  group: CheckGroup,
  masks?: readonly string[],
): { statuses: string[]; firstLine: string; fingerprint: string } {
  const line = group.readable()[0] ?? '';
  return {
    statuses: [...group.statuses],
    firstLine: line.length > MAX_FIRST_LINE ? `${line.slice(0, MAX_FIRST_LINE)}…` : line,
    fingerprint: group.fingerprint(masks),
  };
}
