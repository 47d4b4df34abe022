import type { Finding } from '../gate/finding.ts';
import { subjectOf, titleOf } from './group-findings.ts';

/** The words for a finding: plain text lines, nothing escaped. */
export type TextOf = (finding: Finding) => { title: string; detail: string[]; remedy: string[] };

/** Words made from the data alone. */
export const plainTextOf: TextOf = (finding) => {
  const { scenario, check } = subjectOf(finding);
  const { kind, profile, place, consequences, ...rest } = finding;
  const about = [scenario, check].filter((part) => part !== undefined).join(' › ');
  return {
    title: about ? `${titleOf(kind)}: ${about}` : titleOf(kind),
    detail: Object.entries(rest)
      .filter(([key]) => key !== 'scenario' && key !== 'check')
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    remedy: [],
  };
};
