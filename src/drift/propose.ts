import { relative, sep } from 'node:path';
import { type Acceptance, type AcceptInput, acceptProfile, type CalibrationRun } from '../baseline/accept.ts';
import { baselineFile, readBaseline } from '../baseline/load.ts';
import { readMetadata } from '../command/judge-folder.ts';
import { readReruns } from '../command/read-reruns.ts';
import type { Plan } from '../config/plan.ts';
import type { Profile } from '../profile.ts';
import { profileFolder } from '../report-folder.ts';
import { readReports } from '../reports/read-reports.ts';
import { type FileChange, makePatch } from './proposal.ts';
import type { Proposal } from './report.ts';

export interface ProposeOptions {
  /** The trial's plan: its profiles and baselines. */
  readonly plan: Plan;
  /** Report folder of the trial. */
  readonly folder: string;
  /** Runs the trial once more, so that what differs between two runs is masked; asked for only when something is new. */
  readonly again: () => Promise<string | undefined>;
  /** Where paths of the patch are relative to, absolute. */
  readonly root: string;
  /** `YYYY-MM-DD` */
  readonly today: string;
  /** Where the patch will lie in the report folder. */
  readonly file: string;
}

/**
 * The baselines as they would look after adoption: what people wrote is carried over, and what is new or other has no
 * review date, so that it cannot pass unseen. Writes nothing.
 * @throws ConfigError when a baseline is not valid
 */
export async function propose(options: ProposeOptions): Promise<Proposal> {
  const { plan, folder } = options;
  const changes: FileChange[] = [];
  const notes: string[] = [];
  const inputs = await Promise.all(
    plan.profiles.map(async ({ profile }) => ({ profile, ...(await inputOf(profile, folder, options)) })),
  );
  const first = inputs.map(({ input }) => input && acceptProfile({ ...input, calibrations: [] }));
  const second = first.some(hasNews) ? await options.again() : undefined;
  for (const [index, { profile, file, input }] of inputs.entries()) {
    const plain = first[index];
    if (input === undefined || plain === undefined) {
      notes.push(`${profile.id}: the trial left no whole run to propose from.`);
      continue;
    }
    const calibration = second === undefined ? undefined : await calibrationOf(profile, second);
    const acceptance =
      calibration === undefined ? plain : acceptProfile({ ...input, calibrations: [calibration] });
    if (!acceptance.accepted) {
      notes.push(`${profile.id}: not measured, so nothing is proposed.`);
      continue;
    }
    if (hasNews(plain) && calibration === undefined)
      notes.push(
        `${profile.id}: without a second run nothing is masked; volatile evidence may differ next time.`,
      );
    for (const { scenario, check, why } of acceptance.refused)
      notes.push(`${profile.id}: ${check} of ${scenario} cannot be excepted (${why}).`);
    changes.push({
      path: relative(options.root, file).split(sep).join('/'),
      ...(input.previous === undefined ? {} : { before: input.previous.text }),
      after: acceptance.yaml,
    });
  }
  return { patch: makePatch(changes), file: options.file, notes };
}

function hasNews(acceptance: Acceptance | undefined): boolean {
  return acceptance?.accepted === true && acceptance.added.length + acceptance.changed.length > 0;
}

async function inputOf(
  profile: Profile,
  folder: string,
  { plan, today }: ProposeOptions,
): Promise<{ file: string; input?: Omit<AcceptInput, 'calibrations'> }> {
  const file = baselineFile(plan.baselines, profile);
  const own = profileFolder(folder, profile.slug);
  const metadata = await readMetadata(own).catch(() => undefined);
  // From a partial run nothing is proposed: another referee is reviewed for all scenarios or for none.
  if (metadata === undefined || metadata.scenarios.only !== undefined) return { file };
  const { reports, findings } = await readReports(own, metadata.scenarios, profile);
  const previous = await readBaseline(file);
  return {
    file,
    input: {
      profile,
      metadata,
      reports,
      reportFindings: findings,
      reruns: await readReruns(own, metadata, profile),
      ...(previous === undefined ? {} : { previous: { text: previous, file } }),
      today,
      strictInfrastructure: plan.strictInfrastructure,
    },
  };
}

async function calibrationOf(profile: Profile, folder: string): Promise<CalibrationRun | undefined> {
  const own = profileFolder(folder, profile.slug);
  const metadata = await readMetadata(own).catch(() => undefined);
  if (metadata === undefined || metadata.faults.length > 0) return undefined;
  const { reports } = await readReports(own, metadata.scenarios, profile);
  return { url: metadata.target.url, window: metadata.window, reports };
}
