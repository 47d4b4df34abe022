import { join } from 'node:path';
import type { Baseline } from '../baseline/baseline.ts';
import type { Finding } from '../gate/finding.ts';
import { type Judgement, judgeProfile } from '../gate/judge.ts';
import { type Profile, parseProfile } from '../profile.ts';
import { readReports } from '../reports/read-reports.ts';
import { type RunMetadata, runMetadataSchema } from '../run/metadata.ts';
import { ConfigError } from '../shared/errors.ts';
import { readRegularText } from '../shared/read-regular-file.ts';
import { readReruns } from './read-reruns.ts';

export interface JudgeFolderOptions {
  readonly profile: Profile;
  /** profiles/<slug> of a report folder; absolute. */
  readonly folder: string;
  readonly metadata: RunMetadata;
  readonly baseline: Baseline | undefined;
  /** How the baseline is named to people: relative, so that findings point into the repository on any machine. */
  readonly baselineFile: string;
  /** YYYY-MM-DD, for expiry. */
  readonly today: string;
  readonly strictInfrastructure: boolean;
}

/** Reads what lies in one profile's folder (its reports and those of its re-runs) and judges it. */
export async function judgeFolder(options: JudgeFolderOptions): Promise<Judgement> {
  const { profile, folder, metadata } = options;
  const { reports, findings } = await readReports(folder, metadata.scenarios, profile);
  const reruns = await readReruns(folder, metadata, profile);
  const judged = judgeProfile({
    profile,
    metadata,
    reports,
    reportFindings: findings,
    reruns,
    baseline: options.baseline,
    baselineFile: options.baselineFile,
    today: options.today,
    strictInfrastructure: options.strictInfrastructure,
  });
  // The only file that a judged finding points into is the baseline.
  const shown = (finding: Finding): Finding =>
    finding.place === undefined
      ? finding
      : { ...finding, place: { ...finding.place, file: options.baselineFile } };
  return { ...judged, findings: judged.findings.map(shown) };
}

/** The profile that a kept run is about. @throws ConfigError when its name is not of a form that this version knows */
export function profileOf(metadata: RunMetadata): Profile {
  const profile = parseProfile(metadata.profile);
  if (profile) return profile;
  throw new ConfigError(`The run's metadata names no profile: "${metadata.profile}".`, {
    hint: 'Run again.',
  });
}

/**
 * Reads a kept metadata.json.
 * @param folder profiles/<slug>
 * @throws ConfigError when it is missing or not what this version writes
 */
export async function readMetadata(folder: string): Promise<RunMetadata> {
  const file = join(folder, 'metadata.json');
  let json: unknown;
  try {
    json = JSON.parse(await readRegularText(file));
  } catch (cause) {
    throw new ConfigError(`The run's metadata cannot be read: ${(cause as Error).message}`, {
      place: { file },
      hint: 'The run may have been cut short before this profile ended. Run it again.',
      cause,
    });
  }
  const parsed = runMetadataSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    `The run's metadata is not of this version's form: ${parsed.error.issues[0]?.message ?? ''}`,
    {
      place: { file },
      hint: 'It was written by another version, or edited. Run again.',
      cause: parsed.error,
    },
  );
}
