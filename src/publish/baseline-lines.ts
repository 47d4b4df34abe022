import { Document } from 'yaml';
import type { Finding } from '../gate/finding.ts';
import { yamlText } from '../shared/escape-yaml.ts';

/**
 * The lines of the baseline that would settle a finding, as YAML to copy. A person still has to choose class and reason and
 * to put the date of the review: their places are left open, and the gate does not take them as they are.
 * @returns undefined when no line of a baseline settles it, or all of it is a person's to write
 */
export function baselineLines(finding: Finding): string | undefined {
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
          reviewed: null,
        },
      ]);
    case 'status-changed':
      return changed({ status: statuses(finding.statuses), evidence: finding.fingerprint, reviewed: null });
    case 'evidence-changed':
      return changed({ evidence: finding.fingerprint, reviewed: null });
    default:
      return undefined;
  }
}

const statuses = (list: readonly string[]): string | readonly string[] =>
  list.length === 1 ? (list[0] ?? '') : list;

const yaml = (value: unknown, comment = ''): string => {
  const document = new Document(value);
  if (comment !== '') document.comment = comment;
  return yamlText(document, { lineWidth: 0, nullStr: '' });
};

const changed = (value: unknown): string =>
  yaml(value, ' Delete `observed` with it: it is the text of the old evidence. `accept` writes both.');
