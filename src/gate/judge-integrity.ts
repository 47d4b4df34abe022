import type { Profile } from '../profile.ts';
import { CHECK_STATUSES } from '../reports/report.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { exitCodeFindings } from './exit-code.ts';
import type { Finding } from './finding.ts';
import type { Measurement } from './measurement.ts';

const KNOWN_STATUSES: ReadonlySet<string> = new Set(CHECK_STATUSES);

/**
 * Was everything that had to run measured, once, and understood? Every finding here means: not measured.
 * @param reportFindings what reading the reports brought
 */
export function judgeIntegrity(
  profile: Profile,
  metadata: RunMetadata,
  measurement: Measurement,
  reportFindings: readonly Finding[],
): Finding[] {
  const at = { profile: profile.id };
  if (
    !measurement.evaluated.some((scenario) => measurement.scored.has(scenario)) &&
    metadata.scenarios.only === undefined
  ) {
    return [{ kind: 'nothing-applicable', ...at }];
  }
  if (measurement.evaluated.length === 0) return [{ kind: 'nothing-applicable', ...at }];
  // That these have no report is explained already.
  const explained = new Set(
    [...reportFindings, ...metadata.faults].flatMap((finding) =>
      finding.kind === 'malformed-report' || finding.kind === 'scenario-timeout' ? [finding.scenario] : [],
    ),
  );
  const findings: Finding[] = [...reportFindings];
  for (const scenario of measurement.evaluated) {
    if (!measurement.scenarios.has(scenario) && !explained.has(scenario)) {
      findings.push({ kind: 'missing-report', ...at, scenario });
    }
  }
  findings.push(...crashes(metadata).map((finding) => ({ ...finding, ...at })));
  findings.push(...extraReports(at, measurement));
  findings.push(...unknownStatuses(at, measurement));
  findings.push(...exitCodeFindings(profile, metadata, measurement));
  return findings;
}

/** The referee ends with 0 or 1; anything else, and ending by a signal that the gate did not send, is a crash. */
function crashes(metadata: RunMetadata): Finding[] {
  return metadata.runs
    .filter(({ timedOut, exitCode }) => !timedOut && exitCode !== 0 && exitCode !== 1)
    .slice(0, 1)
    .map(({ exitCode, signal }) => ({ kind: 'referee-crashed', exitCode, signal }));
}

function extraReports(at: { profile: string }, measurement: Measurement): Finding[] {
  const inList = (scenario: string) =>
    measurement.scored.has(scenario) || measurement.notScored.has(scenario);
  const known = new Map<string, string[]>();
  const findings: Finding[] = [];
  for (const { scenario, folder } of measurement.extra) {
    if (!inList(scenario)) findings.push({ kind: 'unknown-scenario', ...at, scenario, folder });
    else known.set(scenario, [...(known.get(scenario) ?? []), folder]);
  }
  for (const [scenario, folders] of known) {
    const first = measurement.scenarios.get(scenario)?.report.folder ?? '';
    findings.push({ kind: 'duplicate-report', ...at, scenario, folders: [first, ...folders] });
  }
  return findings;
}

function unknownStatuses(at: { profile: string }, measurement: Measurement): Finding[] {
  return [...measurement.scenarios.values()].flatMap(({ scenario, groups }) =>
    groups.flatMap(({ check, occurrences }): Finding[] => {
      const unknown = occurrences.find(({ status }) => !KNOWN_STATUSES.has(status));
      return unknown === undefined
        ? []
        : [{ kind: 'unknown-status', ...at, scenario, check, status: unknown.status }];
    }),
  );
}
