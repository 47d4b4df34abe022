import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../gate/finding.ts';
import type { Profile } from '../profile.ts';
import type { ScenarioList } from '../run/metadata.ts';
import { scenarioOfFolder } from './folder-name.ts';
import { listFolders } from './list-folders.ts';
import { readChecks } from './read-checks.ts';
import type { Report } from './report.ts';
import { thrownScenarios } from './thrown-scenarios.ts';

/** Logs are bounded by what a run prints; beyond this the head is read, which holds the order of scenarios. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** The referee's own words for a scenario that threw (src/index.ts upstream). */
const THROWN_DESCRIPTION = 'Failed to run scenario';

/**
 * Reads what the referee left of one profile: every scenario's checks.json, and a report made from the log for each
 * scenario that threw. Reports of unknown scenarios and second reports of one scenario are returned too: the judge
 * decides what they mean.
 * @param folder `profiles/<slug>` or a re-run's folder; holds `raw/` and `referee.log`
 * @returns the reports in the order of the profile's scenarios, and `malformed-report` for what could not be read
 */
export async function readReports(
  folder: string,
  scenarios: ScenarioList,
  profile: Profile,
): Promise<{ reports: Report[]; findings: Finding[] }> {
  const order = [...scenarios.scored, ...scenarios.notScored.map(({ scenario }) => scenario)];
  const known = new Set(order);
  const raw = join(folder, 'raw');
  const { folders, problems } = await listFolders(raw);
  const findings: Finding[] = problems.map((problem) => ({
    kind: 'malformed-report',
    profile: profile.id,
    ...problem,
  }));
  const reports: Report[] = [];
  let thrown: Map<string, readonly string[]> | undefined;

  for (const { folder: path, hasChecks } of folders) {
    const scenario = scenarioOfFolder(path, profile.leg, known);
    if (!hasChecks) {
      thrown ??= thrownScenarios(await readLog(join(folder, 'referee.log')));
      const [error, other] = thrown.get(scenario) ?? [];
      if (error !== undefined && other !== undefined) {
        findings.push({
          kind: 'malformed-report',
          profile: profile.id,
          scenario,
          folder: path,
          message: `The referee log gives different errors for it, so none can be believed: ${firstLine(error)} / ${firstLine(other)}`,
        });
      } else if (error !== undefined) reports.push(thrownReport(scenario, path, error));
      continue;
    }
    const file = await readChecks(join(raw, path, 'checks.json'));
    if (file.ok) reports.push({ scenario, origin: 'checks.json', folder: path, checks: file.checks });
    else
      findings.push({
        kind: 'malformed-report',
        profile: profile.id,
        scenario,
        folder: path,
        message: file.message,
      });
  }

  const rank = new Map(order.map((scenario, n) => [scenario, n]));
  const rankOf = (report: Report) => rank.get(report.scenario) ?? order.length;
  reports.sort((a, b) => rankOf(a) - rankOf(b));
  return { reports, findings };
}

/** The report of a scenario that threw: one FAILURE whose id is the scenario's name (DESIGN.md section 7). */
export function thrownReport(scenario: string, folder: string, error: string): Report {
  return {
    scenario,
    origin: 'thrown',
    folder,
    checks: [
      {
        id: scenario,
        name: scenario,
        description: THROWN_DESCRIPTION,
        status: 'FAILURE',
        errorMessage: error,
      },
    ],
  };
}

const firstLine = (text: string) => (text.split('\n', 1)[0] ?? '').slice(0, 200);

async function readLog(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(size, MAX_LOG_BYTES)) });
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    // No log: a scenario without checks.json is then a missing report, which is inconclusive.
    return '';
  }
}
