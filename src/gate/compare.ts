import type { RunMetadata } from '../run/metadata.ts';
import type { CheckResult } from './verdict.ts';

/** One profile of a report folder. */
export interface ComparedProfile {
  readonly metadata: RunMetadata;
  readonly checks: readonly CheckResult[];
}

/** What became of one check between two runs; without `before` or `now` it did not come in that run. */
export interface CheckChange {
  readonly profile: string;
  readonly scenario: string;
  readonly check: string;
  /**
   * appeared, vanished: it came in one of the runs only. broke, mended: from success to something else, or back. status:
   * another non-success status. evidence: same status, other fingerprint. disposition: same result, judged otherwise.
   */
  readonly kind: 'broke' | 'mended' | 'status' | 'evidence' | 'appeared' | 'vanished' | 'disposition';
  readonly before?: { readonly statuses: string[]; readonly disposition: string };
  readonly now?: { readonly statuses: string[]; readonly disposition: string };
}

export interface RunComparison {
  /** What moved on our side of the measurement: the referee, the server, what it advertises, what is scored. */
  readonly moved: { what: string; from: string; to: string }[];
  readonly changes: CheckChange[];
  /** Profiles that only one of the folders holds. */
  readonly onlyBefore: string[];
  readonly onlyNow: string[];
}

/**
 * Compares two report folders check by check. Pure.
 * @param before,now by profile id
 */
export function compareRuns(
  before: ReadonlyMap<string, ComparedProfile>,
  now: ReadonlyMap<string, ComparedProfile>,
): RunComparison {
  const moved = new Map<string, { what: string; from: string; to: string }>();
  const changes: CheckChange[] = [];
  for (const [profile, current] of now) {
    const earlier = before.get(profile);
    if (earlier === undefined) continue;
    for (const move of movesOf(profile, earlier.metadata, current.metadata)) {
      moved.set(`${move.what}\n${move.from}\n${move.to}`, move);
    }
    changes.push(...changesOf(profile, earlier.checks, current.checks));
  }
  return {
    moved: [...moved.values()],
    changes,
    onlyBefore: [...before.keys()].filter((profile) => !now.has(profile)),
    onlyNow: [...now.keys()].filter((profile) => !before.has(profile)),
  };
}

function movesOf(
  profile: string,
  before: RunMetadata,
  now: RunMetadata,
): { what: string; from: string; to: string }[] {
  const pairs: [what: string, from: string | undefined, to: string | undefined][] = [
    ['referee', before.referee.pin, now.referee.pin],
    ['referee integrity', identityOf(before), identityOf(now)],
    [`requirement set of ${profile}`, before.referee.requirements, now.referee.requirements],
    ['server commit', before.source.commit, now.source.commit],
    ['server version', serverOf(before), serverOf(now)],
    [`negotiated protocol of ${profile}`, protocolOf(before), protocolOf(now)],
    ['Node', before.system.node, now.system.node],
  ];
  return pairs.flatMap(([what, from, to]) =>
    from === to ? [] : [{ what, from: from ?? 'unknown', to: to ?? 'unknown' }],
  );
}

const identityOf = ({ referee }: RunMetadata) => referee.commit ?? referee.integrity;
const answered = ({ probes }: RunMetadata) => (probes.before?.answered === true ? probes.before : undefined);
const protocolOf = (metadata: RunMetadata) => answered(metadata)?.protocolVersion;

function serverOf(metadata: RunMetadata): string | undefined {
  const info = answered(metadata)?.serverInfo;
  return info === undefined ? undefined : [info.name, info.version].filter(Boolean).join(' ');
}

function changesOf(
  profile: string,
  before: readonly CheckResult[],
  now: readonly CheckResult[],
): CheckChange[] {
  const earlier = new Map(before.map((check) => [keyOf(check), check]));
  const current = new Map(now.map((check) => [keyOf(check), check]));
  const changes: CheckChange[] = [];
  for (const [key, check] of current) {
    const old = earlier.get(key);
    const kind = old === undefined ? 'appeared' : kindOf(old, check);
    if (kind === undefined) continue;
    const { scenario, check: id } = check;
    changes.push({
      profile,
      scenario,
      check: id,
      kind,
      ...(old === undefined ? {} : { before: stateOf(old) }),
      now: stateOf(check),
    });
  }
  for (const [key, old] of earlier) {
    if (current.has(key)) continue;
    const { scenario, check } = old;
    changes.push({ profile, scenario, check, kind: 'vanished', before: stateOf(old) });
  }
  return changes;
}

function kindOf(old: CheckResult, now: CheckResult): CheckChange['kind'] | undefined {
  const passed = { before: isSuccess(old), now: isSuccess(now) };
  if (passed.before !== passed.now) return passed.now ? 'mended' : 'broke';
  if (!passed.now) {
    if (verdicts(old) !== verdicts(now)) return 'status';
    if (old.fingerprint !== now.fingerprint) return 'evidence';
  }
  return old.disposition === now.disposition ? undefined : 'disposition';
}

const keyOf = ({ scenario, check }: CheckResult) => `${scenario}\n${check}`;
const isSuccess = ({ statuses }: CheckResult) =>
  statuses.every((status) => status === 'SUCCESS' || status === 'INFO');
/** How often an id only logged something depends on timing. */
const verdicts = ({ statuses }: CheckResult) => statuses.filter((status) => status !== 'INFO').join();
const stateOf = ({ statuses, disposition }: CheckResult) => ({ statuses, disposition });
