import { type Finding, profilesOf } from '../gate/finding.ts';
import { subjectOf } from './group-findings.ts';

/** Findings by what they are about, each in exactly one place. */
export interface FindingIndex {
  /** About this check. */
  check(profile: string, scenario: string, check: string): readonly Finding[];
  /** About the scenario as a whole, or about a check that the given ones do not have. */
  scenario(profile: string, scenario: string, known: ReadonlySet<string>): readonly Finding[];
  /** About the profile as a whole, or about a scenario that the given ones do not have. */
  profile(profile: string, known: ReadonlySet<string>): readonly Finding[];
  /** About no profile, or about one that the given ones do not have. */
  rest(known: ReadonlySet<string>): readonly Finding[];
}

/** @param findings all findings of a verdict */
export function indexFindings(findings: readonly Finding[]): FindingIndex {
  const byProfile = new Map<string, Finding[]>();
  const byScenario = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const profile of profilesOf(finding)) push(byProfile, profile, finding);
    const { scenario } = subjectOf(finding);
    if (finding.profile !== undefined && scenario !== undefined)
      push(byScenario, key(finding.profile, scenario), finding);
  }
  return {
    check: (profile, scenario, check) =>
      (byScenario.get(key(profile, scenario)) ?? []).filter((f) => subjectOf(f).check === check),
    scenario: (profile, scenario, known) =>
      (byScenario.get(key(profile, scenario)) ?? []).filter((f) => !has(known, subjectOf(f).check)),
    profile: (profile, known) =>
      (byProfile.get(profile) ?? []).filter((f) => !has(known, subjectOf(f).scenario)),
    rest: (known) => findings.filter((f) => !profilesOf(f).some((profile) => known.has(profile))),
  };
}

const has = (known: ReadonlySet<string>, name: string | undefined) => name !== undefined && known.has(name);

const key = (profile: string, scenario: string) => JSON.stringify([profile, scenario]);

function push<K>(map: Map<K, Finding[]>, at: K, finding: Finding): void {
  const list = map.get(at);
  if (list) list.push(finding);
  else map.set(at, [finding]);
}
