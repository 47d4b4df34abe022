import { Document } from 'yaml';
import type { Finding } from '../gate/finding.ts';
import { yamlText } from '../shared/escape-yaml.ts';

/**
 * The lines of the baseline that would settle a finding, as YAML to copy. A person still has to choose class and reason:
 * their places are left open, and the gate refuses them as they are.
 * @param today YYYY-MM-DD, written as the date of review where the finding asks for one
 * @returns undefined when no line of a baseline settles it
 */
export function baselineLines(finding: Finding, today: string): string | undefined {
  switch (finding.kind) {
    case 'unclassified':
      return yaml([
        {
          scenario: finding.scenario.toWellFormed(),
          check: finding.check.toWellFormed(),
          status: statuses(finding.statuses),
          evidence: finding.fingerprint,
          class: '',
          reason: '',
          reviewed: today,
        },
      ]);
    case 'unreviewed':
      return yaml({ reviewed: today });
    case 'status-changed':
      return yaml({ status: statuses(finding.statuses), evidence: finding.fingerprint, reviewed: today });
    case 'evidence-changed':
      return yaml({ evidence: finding.fingerprint, reviewed: today });
    default:
      return undefined;
  }
}

const statuses = (list: readonly string[]): string | readonly string[] =>
  list.length === 1 ? (list[0] ?? '') : list;

const yaml = (value: unknown): string => yamlText(new Document(value), { lineWidth: 0 });
