import { type Finding, type FindingKind, levelOf } from '../gate/finding.ts';

/** Findings of one kind: one cause, one thing to do. */
export interface FindingGroup {
  readonly kind: FindingKind;
  readonly level: 'fail' | 'inconclusive';
  /** The kind as words: `evidence-changed` → "Evidence changed". */
  readonly title: string;
  readonly findings: readonly Finding[];
}

/**
 * Groups findings by kind, what could not be measured first (it outranks the rest, DESIGN.md section 7), otherwise in the
 * order in which the verdict has them.
 */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<FindingKind, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.kind);
    if (group) group.push(finding);
    else groups.set(finding.kind, [finding]);
  }
  const all = [...groups].map(([kind, members]) => ({
    kind,
    level: levelOf(kind),
    title: titleOf(kind),
    findings: members,
  }));
  return [...all.filter((g) => g.level === 'inconclusive'), ...all.filter((g) => g.level === 'fail')];
}

/** A kind's name as words. */
export function titleOf(kind: FindingKind): string {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a finding is about, as far as it names it: scenario and check, scenario, or nothing. */
export function subjectOf(finding: Finding): { scenario?: string; check?: string } {
  return {
    ...('scenario' in finding && finding.scenario !== undefined ? { scenario: finding.scenario } : {}),
    ...('check' in finding && finding.check !== undefined ? { check: finding.check } : {}),
  };
}
