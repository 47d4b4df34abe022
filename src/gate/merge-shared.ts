import { type Finding, levelOf } from './finding.ts';

/**
 * One cause is one finding, also across profiles: the same dead server or the same damaged referee stopped each of them in
 * the same words. What differs in anything but its consequences stays apart.
 * @param findings of all profiles
 * @returns the first of each such group, with the other profiles in `alsoIn`
 */
export function mergeShared(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const { profile, consequences, notRun, ...cause } = finding;
    const apart = profile === undefined || levelOf(finding.kind) === 'fail' || 'scenario' in finding;
    const key = apart ? `${merged.size}` : JSON.stringify(identityOf(cause));
    const first = merged.get(key);
    merged.set(key, first === undefined ? finding : joined(first, finding));
  }
  return [...merged.values()];
}

/** Two attempts at the same dead address may fail in other words. */
function identityOf(cause: Omit<Finding, 'profile' | 'consequences' | 'notRun'>): object {
  return cause.kind === 'probe-failed' && 'url' in cause && 'when' in cause
    ? { kind: cause.kind, url: cause.url, when: cause.when }
    : cause;
}

function joined(first: Finding, other: Finding): Finding {
  const consequences = [...(first.consequences ?? []), ...(other.consequences ?? [])];
  const notRun = [...new Set([...(first.notRun ?? []), ...(other.notRun ?? [])])];
  return {
    ...first,
    alsoIn: [...(first.alsoIn ?? []), ...(other.profile === undefined ? [] : [other.profile])],
    ...(consequences.length > 0 ? { consequences } : {}),
    ...(notRun.length > 0 ? { notRun } : {}),
  };
}
