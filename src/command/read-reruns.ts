import { join } from 'node:path';
import type { RerunReports } from '../gate/measurement.ts';
import type { Profile } from '../profile.ts';
import { readReports } from '../reports/read-reports.ts';
import type { RunMetadata } from '../run/metadata.ts';

/** Reads the reports of every scenario that was run again alone. */
export async function readReruns(
  folder: string,
  metadata: RunMetadata,
  profile: Profile,
): Promise<RerunReports[]> {
  return Promise.all(
    metadata.reruns.map(async (rerun) => {
      const only = { ...metadata.scenarios, only: [rerun.scenario] };
      return { rerun, ...(await readReports(join(folder, rerun.folder), only, profile)) };
    }),
  );
}
