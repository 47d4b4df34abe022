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
    const { profile } = finding;
    if (profile === undefined || levelOf(finding.kind) === 'fail' || 'scenario' in finding) {
      merged.set(`${merged.size}`, finding);
      continue;
    }
    const key = JSON.stringify(identityOf(finding));
    const first = merged.get(key);
    merged.set(key, first === undefined ? finding : joined(first, finding, profile));
  }
  return [...merged.values()];
}

/** Two attempts at the same dead address may fail in other words. */
function identityOf(finding: Finding): object {
  if (finding.kind === 'probe-failed') {
    const { kind, url, when } = finding;
    return { kind, url, when };
  }
  const { profile, consequences, notRun, ...cause } = finding;
  return cause;
}

function joined(first: Finding, other: Finding, profile: string): Finding {
  const consequences = [...(first.consequences ?? []), ...(other.consequences ?? [])];
  const notRun = [...new Set([...(first.notRun ?? []), ...(other.notRun ?? [])])];
  return {
    ...first,
    alsoIn: [...(first.alsoIn ?? []), profile],
    ...(consequences.length > 0 ? { consequences } : {}),
    ...(notRun.length > 0 ? { notRun } : {}),
  };
}
