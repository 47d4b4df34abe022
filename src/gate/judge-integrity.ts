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
    !measurement.evaluated.some((scenario) => measurement.scored.has(scenario)) ||
    allSkipped(measurement)
  ) {
    return [{ kind: 'nothing-applicable', ...at }];
  }
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
  findings.push(...endings(metadata, measurement, reportFindings).map((finding) => ({ ...finding, ...at })));
  findings.push(...extraReports(at, measurement));
  findings.push(...emptyReports(at, measurement));
  findings.push(...unknownStatuses(at, measurement));
  findings.push(...exitCodeFindings(profile, metadata, measurement));
  return findings;
}

/**
 * How the referee's processes ended, where that means that something was not run: the gate's deadline struck, an end other
 * than 0 or 1, no process at all, or one that left nothing behind (wrong usage ends with 1, like a failed check).
 */
function endings(
  metadata: RunMetadata,
  measurement: Measurement,
  reportFindings: readonly Finding[],
): Finding[] {
  const { runs } = metadata;
  const late = runs.find(({ timedOut }) => timedOut);
  if (late !== undefined) {
    // Whoever stopped it has said why; this is for records that do not.
    if (metadata.faults.length > 0) return [];
    if (late.scenario !== undefined) {
      const message = `The referee was stopped after ${late.tookMs} ms.`;
      return [{ kind: 'scenario-timeout', scenario: late.scenario, message }];
    }
    const notRun = measurement.evaluated.filter((scenario) => !measurement.scenarios.has(scenario));
    return [{ kind: 'profile-timeout', timeoutMs: late.tookMs, notRun }];
  }
  const crashed = runs.find(({ exitCode }) => exitCode !== 0 && exitCode !== 1);
  const silent = measurement.scenarios.size === 0 && reportFindings.length === 0;
  if (crashed === undefined && !silent && runs.length > 0) return [];
  const { exitCode, signal } = crashed ?? runs[0] ?? { exitCode: null, signal: null };
  return [{ kind: 'referee-crashed', exitCode, signal }];
}

/** A run in which every verdict is SKIPPED checked nothing, however well each of them is excepted. */
function allSkipped(measurement: Measurement): boolean {
  const statuses = [...measurement.scenarios.values()]
    .filter(({ scored }) => scored)
    .flatMap(({ groups }) => groups.flatMap((group) => (group.infoOnly ? [] : group.statuses)));
  return statuses.length > 0 && statuses.every((status) => status === 'SKIPPED');
}

/** Scored scenarios without checks are `no-verdict`; one that is not scored must at least have been run. */
function emptyReports(at: { profile: string }, measurement: Measurement): Finding[] {
  return [...measurement.scenarios.values()]
    .filter(({ scored, groups }) => !scored && groups.length === 0)
    .map(({ scenario, report }) => ({
      kind: 'malformed-report',
      ...at,
      scenario,
      folder: report.folder,
      message: 'holds no checks',
    }));
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
