import type { CheckResult, Verdict } from '../gate/verdict.ts';
import type { Change, Comparison } from './publication.ts';

/** What a comparison needs of a run: its verdict and its checks by profile. */
export interface ComparedRun {
  readonly verdict: Verdict;
  readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
}

/** What moved between two runs, on either side of the measurement, and what became of each check. */
export type Moves = Pick<Extract<Comparison, { found: true }>, 'moved' | 'changes'>;

/** Most telling first. */
const ORDER: readonly Change['kind'][] = [
  'broke',
  'status',
  'evidence',
  'vanished',
  'mended',
  'disposition',
  'appeared',
];

/**
 * Compares two runs check by check. A scenario that was not measured or not evaluated in one of them says nothing about
 * change and is left out, and so is a profile that only one of them has (it is named under `moved`).
 */
export function compareRuns(before: ComparedRun, now: ComparedRun): Moves {
  const changes: Change[] = [];
  for (const profile of profilesOf(now)) {
    if (!profilesOf(before).includes(profile)) continue;
    const old = comparable(before, profile);
    const new_ = comparable(now, profile);
    const oldChecks = byCheck(before, profile);
    const newChecks = byCheck(now, profile);
    for (const key of new Set([...oldChecks.keys(), ...newChecks.keys()])) {
      const [was, is] = [oldChecks.get(key), newChecks.get(key)];
      const { scenario, check } = (is ?? was) as CheckResult;
      const bothRan = old.has(scenario) && new_.has(scenario);
      const kind = bothRan ? kindOf(was, is) : undefined;
      if (kind)
        changes.push({
          profile,
          scenario,
          check,
          kind,
          ...(was ? { before: { statuses: [...was.statuses], disposition: was.disposition } } : {}),
          ...(is ? { now: { statuses: [...is.statuses], disposition: is.disposition } } : {}),
        });
    }
  }
  changes.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return { moved: movedBetween(before.verdict, now.verdict), changes };
}

function kindOf(was: CheckResult | undefined, is: CheckResult | undefined): Change['kind'] | undefined {
  if (!was || !is) return was ? 'vanished' : 'appeared';
  const [oldPassed, newPassed] = [succeeded(was), succeeded(is)];
  if (oldPassed !== newPassed) return newPassed ? 'mended' : 'broke';
  if (verdicts(was) !== verdicts(is) && !newPassed) return 'status';
  if (was.fingerprint !== is.fingerprint) return 'evidence';
  return was.disposition === is.disposition ? undefined : 'disposition';
}

/** How often an id only logged something (INFO) depends on timing. */
const verdicts = ({ statuses }: CheckResult): string => statuses.filter((status) => status !== 'INFO').join();

const succeeded = (check: CheckResult): boolean =>
  check.statuses.every((status) => status === 'SUCCESS' || status === 'INFO');

const profilesOf = ({ verdict }: ComparedRun): string[] => verdict.profiles.map(({ profile }) => profile);

/** Scenarios of which the run says something. */
function comparable({ verdict }: ComparedRun, profile: string): Set<string> {
  const scenarios = verdict.profiles.find((each) => each.profile === profile)?.scenarios ?? [];
  return new Set(
    scenarios
      .filter(({ result }) => result !== 'not-measured' && result !== 'not-evaluated')
      .map(({ scenario }) => scenario),
  );
}

const byCheck = (run: ComparedRun, profile: string): Map<string, CheckResult> =>
  new Map((run.checks[profile] ?? []).map((check) => [JSON.stringify([check.scenario, check.check]), check]));

function movedBetween(before: Verdict, now: Verdict): Moves['moved'] {
  const facts: readonly (readonly [string, (verdict: Verdict) => readonly (string | undefined)[]])[] = [
    ['Server commit', ({ source }) => [source.commit?.slice(0, 12)]],
    [
      'Server',
      ({ profiles }) =>
        profiles.map(({ probe }) =>
          probe?.answered && probe.serverInfo
            ? `${probe.serverInfo.name} ${probe.serverInfo.version ?? ''}`.trim()
            : undefined,
        ),
    ],
    ['Referee', ({ profiles }) => profiles.map(({ referee }) => referee?.pin)],
    ['Referee lock', ({ profiles }) => profiles.map(({ referee }) => referee?.lock.slice(0, 19))],
    ['Requirement set', ({ profiles }) => profiles.map(({ referee }) => referee?.requirements?.slice(0, 19))],
    ['Profiles', ({ profiles }) => profiles.map(({ profile }) => profile)],
    ['Gate', ({ tool }) => [tool.version]],
  ];
  return facts.flatMap(([what, of]) => {
    const [from, to] = [words(of(before)), words(of(now))];
    return from === to ? [] : [{ what, from, to }];
  });
}

const words = (values: readonly (string | undefined)[]): string =>
  [...new Set(values.filter((value) => value !== undefined))].join(', ') || 'unknown';
