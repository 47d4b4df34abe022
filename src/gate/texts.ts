import type { Finding, FindingKind, FindingOf } from './finding.ts';

/** The words for one finding: plain text, nothing escaped, no line breaks inside a line. */
export interface FindingText {
  /** One line without a full stop. */
  readonly title: string;
  /** What was seen. */
  readonly detail: string[];
  /** What to do. */
  readonly remedy: string[];
}

/**
 * The words for a finding.
 * @param finding may hold text of the target: whoever shows the result escapes it for where it goes
 */
export function textOf(finding: Finding): FindingText {
  // The table below has exactly one entry per kind; the compiler cannot see that the looked-up entry fits this finding.
  const text = (TEXTS[finding.kind] as (finding: Finding) => FindingText)(finding);
  return {
    title: oneLine(text.title),
    detail: text.detail.flatMap((line) => line.split(/\r?\n/)),
    remedy: text.remedy,
  };
}

// Split, not replaced: a pattern with white space on both sides of a break is quadratic in hostile text.
const oneLine = (text: string) =>
  text.includes('\n')
    ? text
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
    : text;
const list = (items: readonly string[]) => (items.length === 0 ? 'nothing' : counted(items).join(', '));
/** `FAILURE ×5` instead of the same word five times, in the order in which they came. */
const counted = (items: readonly string[]): string[] => {
  const runs: { item: string; times: number }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last?.item === item) last.times += 1;
    else runs.push({ item, times: 1 });
  }
  return runs.map(({ item, times }) => (times === 1 ? item : `${item} ×${times}`));
};
const code = (value: number | null, signal: string | null) =>
  signal === null ? `exit code ${value ?? 'unknown'}` : `signal ${signal}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
const tail = (lines: readonly string[] | undefined) =>
  lines === undefined || lines.length === 0 ? [] : ['The end of its log:', ...lines];
const under = (finding: Finding, what: string) => {
  const count = finding.consequences?.length ?? 0;
  return count === 0
    ? []
    : [`${count} ${what}${count === 1 ? '' : 's'} follow${count === 1 ? 's' : ''} from this.`];
};
/** Checks that are not judged, and scenarios that stand for all of theirs. */
const unjudged = ({ consequences = [] }: Finding) => {
  const whole = consequences.filter(({ check }) => check.startsWith('(')).length;
  const parts = [
    ...(whole === 0 ? [] : [`${whole} scenario${whole === 1 ? '' : 's'}`]),
    ...(consequences.length === whole
      ? []
      : [`${consequences.length - whole} check${consequences.length - whole === 1 ? '' : 's'}`]),
  ];
  return parts.length === 0 ? [] : [`Not judged because of this: ${parts.join(' and ')}.`];
};
/** Whether a check is a success now, by its statuses; one that does not come at all fails at nothing. */
const passesToday = ({ statuses }: FindingOf<'exception-expired'>) =>
  statuses?.every((status) => status === 'SUCCESS' || status === 'INFO') === true;
function todayOf(f: FindingOf<'exception-expired'>): string[] {
  if (f.statuses === undefined) return [];
  const now =
    f.statuses.length === 0
      ? 'its check does not come now, and exists only while it fails'
      : passesToday(f)
        ? 'its check passes now'
        : `its check says ${[list(f.statuses), f.firstLine].filter(Boolean).join(': ')}`;
  return [`Expired on ${f.expires}; ${now}.`];
}
const REMOVED_OR_ADDED = /\[-|\{\+/;
/** A diff without a change: what is to be read is as it was, and the fingerprint beside it is not. */
function evidenceChange(f: FindingOf<'evidence-changed'>): Pick<FindingText, 'detail' | 'remedy'> {
  if (f.diff !== undefined && !REMOVED_OR_ADDED.test(f.diff)) {
    return {
      detail: ['It reads as its `observed` does; only the fingerprint in `evidence` is another one:', f.diff],
      remedy: ['Was `evidence` or `masked` edited by hand? Restore it from git.', ACCEPT],
    };
  }
  return {
    detail: f.diff === undefined ? [f.firstLine] : ['What changed ([-removed-], {+added+}):', f.diff],
    remedy: ['Find out what changed: the reviewed reason may no longer be the reason.', ACCEPT],
  };
}
/** What a probe's reason means; a reason that only a later version knows stands for itself. */
const UNANSWERED: Readonly<Record<string, string>> = {
  refused: 'nobody listens there',
  timeout: 'no answer came in time',
  closed: 'the connection broke',
  unauthorised: 'it wants credentials',
  'not-mcp': 'what answers does not speak MCP',
  unhealthy: 'its health URL does not answer 2xx',
};
const unanswered = (reason: string) => (Object.hasOwn(UNANSWERED, reason) ? UNANSWERED[reason] : reason);
const ACCEPT =
  'If this is what you want, run `mcp-conformance-gate accept`, give the reason and the date of your review.';
const UNREVIEWED = {
  'no-date': {
    what: 'has not been reviewed',
    remedy: 'Read the evidence, correct class and reason, and put the date into `reviewed`.',
  },
  'future-date': {
    what: 'has a review date in the future',
    remedy: 'Put the date of the day when somebody read the evidence into `reviewed`.',
  },
  'nothing-stable': {
    what: 'masks everything that would tell this failure from another one',
    remedy:
      'Remove masks that are not needed, or mend the check: what cannot be recognised cannot be excepted.',
  },
  'flaky-for-ever': {
    what: 'is flaky and does not expire within a year',
    remedy: 'Let it expire within a year: an exception that allows both results must not last.',
  },
} as const;
const LOOK = 'Nothing was measured, so nothing is known about conformance. Mend this and run again.';
const PARTLY = 'What did not run is not known. Run again.';
const REPORT_IT =
  'Look into the referee log in the report folder; if the referee itself is at fault, pin another version.';

type Table = { readonly [K in FindingKind]: (finding: FindingOf<K>) => FindingText };

const TEXTS: Table = {
  unclassified: (f) => ({
    title: `${f.check} of ${f.scenario} is ${list(f.statuses)} and has no exception`,
    detail: [f.firstLine],
    remedy: ['Mend the server, or record a reviewed exception.', ACCEPT],
  }),
  unreviewed: (f) => ({
    title: `The exception for ${f.check} of ${f.scenario} ${UNREVIEWED[f.why ?? 'no-date'].what}`,
    detail: [`It is ${list(f.statuses)}: ${f.firstLine}`],
    remedy: [UNREVIEWED[f.why ?? 'no-date'].remedy],
  }),
  'status-changed': (f) => ({
    title: `${f.check} of ${f.scenario} is ${list(f.statuses)}, reviewed was ${list(f.expected)}`,
    detail: [f.firstLine],
    remedy: ['Find out what changed.', ACCEPT],
  }),
  'evidence-changed': (f) => ({
    title: `${f.check} of ${f.scenario} fails differently than reviewed`,
    ...evidenceChange(f),
  }),
  'now-passing': (f) => ({
    title: `${f.check} of ${f.scenario} passes now; its exception (${list(f.expected)}) is out of date`,
    detail: [],
    remedy: ['Delete the exception, so that the check can never fail again unseen.'],
  }),
  'not-emitted': (f) => ({
    title: `${f.check} of ${f.scenario} did not come; its exception expects ${list(f.expected)}`,
    detail: ['The scenario ran, and the referee did not report this check.'],
    remedy: ['Find out why the check is no longer reached.', ACCEPT],
  }),
  'unknown-exception': (f) => ({
    title: `The exception for ${f.check} of ${f.scenario} names nothing that is scored here`,
    detail: [
      f.why === 'not-scored'
        ? 'The referee runs this scenario but does not score it, so it needs no exception.'
        : f.why === 'no-such-scenario'
          ? `The profile has no scenario ${f.scenario}.`
          : `The scenario ran, and neither now nor at review it had a check ${f.check}.`,
      ...(f.nearest === undefined ? [] : [`Did you mean ${f.nearest}?`]),
    ],
    remedy: ['Correct or delete the exception.'],
  }),
  'vanished-check': (f) => ({
    title: `${f.check} of ${f.scenario} was there at review and did not come`,
    detail: [
      'What is not checked any more cannot fail: a green result without it would say less than before.',
    ],
    remedy: ['Find out whether the server or the referee stopped reaching it.', ACCEPT],
  }),
  'capability-changed': (f) => ({
    title: 'The server advertises other capabilities than at review',
    detail: ['What changed ([-removed-], {+added+}):', f.diff, ...under(f, 'exception')],
    remedy: ['Review the exceptions that depend on optional capabilities.', ACCEPT],
  }),
  'exception-expired': (f) => ({
    title: `The exception for ${f.check} of ${f.scenario} expired on ${f.expires}`,
    detail: todayOf(f),
    remedy: passesToday(f)
      ? ['Delete the exception if its cause is mended, or review it again and set a new date.']
      : ['Mend the cause, or review the exception again and set a new date.'],
  }),
  'pin-mismatch': (f) => ({
    title: 'The baseline was reviewed against another referee',
    detail: [`Reviewed: ${f.reviewed}`, `Running: ${f.running}`],
    remedy: ['Run the reviewed referee, or accept the results of this one and review them.'],
  }),
  'requirements-changed': (f) => ({
    title: 'The baseline was reviewed against another requirement set',
    detail: [`Reviewed: ${f.reviewed}`, `Running: ${f.running}`],
    remedy: ['Look at which scenarios are scored now.', ACCEPT],
  }),
  'normaliser-changed': (f) => ({
    title: `The fingerprints were made by evidence normaliser ${f.reviewed}; this is ${f.running}`,
    detail: ['Fingerprints of different normalisers cannot be compared.', ...under(f, 'exception')],
    remedy: ['Run `mcp-conformance-gate accept` once with the version of the gate that you use now.'],
  }),
  'wrong-baseline': (f) => ({
    title: `The baseline belongs to ${f.reviewed}`,
    detail: ['Two profiles never share an exception.'],
    remedy: ['Accept this profile on its own.'],
  }),
  'no-verdict': (f) => ({
    title: `${f.scenario} is scored and came to no verdict`,
    detail: [
      f.why === 'empty'
        ? 'Its report has no checks.'
        : 'Its report holds nothing but INFO: it was not applicable, or gave up before checking anything.',
    ],
    remedy: [
      'Find out why the scenario checked nothing.',
      ...(f.why === 'empty'
        ? []
        : ['If that is right for this server, accept records the INFO as an exception.']),
    ],
  }),
  flaky: (f) => ({
    title: `${f.check} of ${f.scenario} is flaky`,
    detail: [
      `In the run: ${f.first}.`,
      `Again, alone: ${f.again}${f.ofRuns === 1 ? '' : ` (in one of ${f.ofRuns} runs)`}.`,
    ],
    remedy: [
      'Mend what makes it unstable.',
      'Until then an exception with `flaky: true` and an `expires` date allows both results.',
    ],
  }),
  'boundary-open': (f) => ({
    title: 'The server does not protect its boundary as required',
    detail: [
      `Without the configured headers it answers ${f.without ?? 'nothing'}; 401 or 403 is required.`,
      `With them it answers ${f.with ?? 'nothing'}; 2xx is required.`,
    ],
    remedy: ['Check the authentication of the server and the headers that the gate was given.'],
  }),
  'port-occupied': (f) => ({
    title: `Port ${f.port} is already in use`,
    detail: f.owner === undefined ? [] : [`It belongs to ${f.owner}.`],
    remedy: ['Stop the other process, or let the gate pick a free port with {port}.', LOOK],
  }),
  'target-start-failed': (f) => ({
    title: `The target ended after ${seconds(f.afterMs)} without ever answering (${code(f.exitCode, f.signal)})`,
    detail: [...(f.message === undefined ? [] : [f.message]), ...tail(f.logTail)],
    remedy: [LOOK],
  }),
  'target-not-ready': (f) => ({
    title: `The target did not answer within ${seconds(f.timeoutMs)}`,
    detail: [`Last attempt: ${f.last}`, ...tail(f.logTail)],
    remedy: ['Check its address and its log, or allow more time with --ready-timeout.', LOOK],
  }),
  'target-mismatch': (f) => ({
    title: `Another server answers: ${f.found} instead of ${f.expected}`,
    detail: [],
    remedy: ['Check which process listens at this address.', LOOK],
  }),
  'target-died': (f) => ({
    title: `The target ended during the run, after ${seconds(f.afterMs)} (${code(f.exitCode, f.signal)})`,
    // Some of them may have failed before it ended, by themselves.
    detail: [...tail(f.logTail), ...unjudged(f)],
    remedy: ['Nothing is judged by what came before its end. Mend this and run again.'],
  }),
  'probe-failed': (f) => ({
    title: `The target did not answer the probe ${f.when} the run: ${unanswered(f.reason)}`,
    detail: [`${f.url}: ${f.message}`, ...under(f, 'check')],
    remedy: [
      f.reason === 'unauthorised'
        ? 'Give the gate the credentials with --header.'
        : 'Check that an MCP server listens at this address.',
      LOOK,
    ],
  }),
  'target-unreachable': (f) => ({
    title:
      f.reason === 'no-answer'
        ? `The target did not answer in ${f.scenarios} of ${f.of} scenarios`
        : `The target could not be reached in ${f.scenarios} of ${f.of} scenarios`,
    detail: [`The first says: ${f.message}`, ...under(f, 'check')],
    remedy: [LOOK],
  }),
  'referee-unavailable': (f) => ({
    title: `The referee ${f.pin} is not available`,
    detail: [f.message],
    remedy: [...(f.remedy === undefined ? [] : [f.remedy]), LOOK],
  }),
  'referee-integrity': (f) => ({
    title: `The referee ${f.pin} is not what its pin says`,
    detail: [f.message],
    remedy: ['Do not trust it: find out where it came from.', LOOK],
  }),
  'referee-build-failed': (f) => ({
    title: `The referee ${f.pin} could not be built (${f.step})`,
    detail: tail(f.logTail),
    remedy: [LOOK],
  }),
  'referee-crashed': (f) => ({
    title: `The referee crashed (${code(f.exitCode, f.signal)})`,
    detail: [...tail(f.logTail), ...under(f, 'scenario')],
    remedy: [REPORT_IT],
  }),
  'exit-code-disagrees': (f) => ({
    title: `The referee ended with ${f.exitCode ?? 'no code'}${f.scenario === undefined ? '' : ` for ${f.scenario}`}, which its reports do not explain`,
    detail: [
      `They hold ${f.scoredFailures} ${f.scoredFailures === 1 ? 'scenario' : 'scenarios'} with a FAILURE that counts.`,
    ],
    remedy: ['Something was reported that was not read, or read that was not reported.', REPORT_IT],
  }),
  'profile-timeout': (f) => ({
    title: `The ${f.scope ?? 'profile'} did not end within ${seconds(f.timeoutMs)}`,
    detail: [`Not run: ${list(f.notRun)}.`],
    remedy: [
      `Find the scenario that hangs, or allow more time with ${f.scope === 'run' ? 'the deadline of the run' : '--profile-timeout'}.`,
      PARTLY,
    ],
  }),
  'scenario-timeout': (f) => ({
    title: `${f.scenario} did not end in time, and that was not confirmed`,
    detail: [f.message, ...under(f, 'check')],
    remedy: [
      'Run again. When it repeats alone (--confirm), it is taken as the behaviour of the server and can be reviewed.',
    ],
  }),
  'transport-failure': (f) =>
    f.recordedFor === undefined
      ? {
          title: `${f.scenario} lost its connection, and that was not confirmed`,
          detail: [f.message, ...under(f, 'check')],
          remedy: [
            'Run again. When it repeats alone (--confirm), it is taken as the behaviour of the server and can be reviewed.',
          ],
        }
      : {
          title: `The exception for ${f.recordedFor} of ${f.scenario} has the class inconclusive-infrastructure, which never satisfies the gate`,
          detail: [f.message],
          remedy: ['Mend the infrastructure, or give the exception the class that says why its check fails.'],
        },
  'harness-error': (f) => ({
    title: `The referee itself broke the protocol in ${f.scenario}`,
    detail: [f.message, ...under(f, 'check')],
    remedy: [
      'Pin another version of the referee, or confirm it (--confirm) and record a referee-bug exception.',
    ],
  }),
  'missing-report': (f) => ({
    title: `${f.scenario} had to run and left no report`,
    detail: ['The referee log names no error for it either.'],
    remedy: [REPORT_IT],
  }),
  'duplicate-report': (f) => ({
    title: `${f.scenario} has ${f.folders.length} reports`,
    detail: f.folders,
    remedy: ['Use an empty report folder; two runs must not be mixed.'],
  }),
  'unknown-scenario': (f) => ({
    title: `There is a report of ${f.scenario}, which this profile does not contain`,
    detail: [f.folder],
    remedy: ['Use an empty report folder; two runs must not be mixed.'],
  }),
  'unknown-status': (f) => ({
    title: `${f.check} of ${f.scenario} has the unknown status ${f.status}`,
    detail: [],
    remedy: ['This referee is newer than the gate understands: update the gate, or pin another referee.'],
  }),
  'malformed-report': (f) =>
    f.of === 'gate'
      ? {
          title: `No verdict can be taken from ${f.folder}`,
          detail: [f.message],
          remedy: [
            'Look at the job that left this report folder, or was to leave it: it may have ended too early, or the folder was not brought here whole.',
            'If it is the wrong name, correct it.',
          ],
        }
      : { title: `A report cannot be read: ${f.folder}`, detail: [f.message], remedy: [REPORT_IT] },
  'nothing-applicable': () => ({
    title: 'Nothing that counts was checked',
    detail: [
      'No scored scenario was there to run, or every check of those that ran was skipped.',
      'A gate that checks nothing must not be green.',
    ],
    remedy: ['Check the profile, and the names given with --scenario.'],
  }),
  'stdio-framing': (f) => ({
    title: 'The target wrote something to stdout that is no JSON-RPC message',
    detail: [f.message, f.line],
    remedy: ['Write logs to stderr: on stdio, stdout belongs to the protocol.'],
  }),
  interrupted: (f) => ({
    title: `The run was interrupted (${f.signal})`,
    detail: under(f, 'scenario'),
    remedy: [PARTLY],
  }),
};
