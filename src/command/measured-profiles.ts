import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptInput } from '../baseline/accept.ts';
import { readBaseline } from '../baseline/load.ts';
import type { Settings } from '../config/plan.ts';
import type { Profile } from '../profile.ts';
import { isOurs, profileFolder } from '../report-folder.ts';
import { readReports } from '../reports/read-reports.ts';
import { ConfigError } from '../shared/errors.ts';
import { profileOf, readMetadata } from './judge-folder.ts';
import { readReruns } from './read-reruns.ts';

/** The profiles that the report folder holds; only those that were asked for, when some were. */
/**
 * The profiles that a report folder holds; only those that were asked for, when some were.
 * @throws ConfigError when the folder is no report, or lacks one that was asked for
 */
export async function measuredProfiles(
  settings: Settings,
  asked: readonly Profile[] | undefined,
): Promise<Profile[]> {
  if (!(await isOurs(settings.output))) {
    throw new ConfigError(`There is no report in ${settings.output}.`, {
      hint: 'Run first, or name the report folder with --output.',
    });
  }
  const slugs = await readdir(join(settings.output, 'profiles'));
  const found: Profile[] = [];
  for (const slug of slugs.sort()) {
    const metadata = await readMetadata(profileFolder(settings.output, slug));
    const profile = profileOf(metadata);
    if (profile.slug === slug && (asked === undefined || asked.some(({ id }) => id === profile.id)))
      found.push(profile);
  }
  const missing = asked?.find(({ id }) => !found.some((profile) => profile.id === id));
  if (missing) {
    throw new ConfigError(`The report folder holds no run of ${missing.id}.`, {
      hint: `It holds: ${found.map(({ id }) => id).join(', ') || 'nothing that was measured'}.`,
    });
  }
  if (found.length === 0) {
    throw new ConfigError(`The report in ${settings.output} holds no profile that was measured.`, {
      hint: 'Run again.',
    });
  }
  return found;
}

/**
 * Everything about one measured profile that a baseline is made from.
 * @param file the baseline as it is now, if there is one
 * @param today YYYY-MM-DD
 */
export async function acceptInput(
  profile: Profile,
  file: string,
  settings: Settings,
  today: string,
): Promise<Omit<AcceptInput, 'calibrations'>> {
  const folder = profileFolder(settings.output, profile.slug);
  const metadata = await readMetadata(folder);
  const { reports, findings } = await readReports(folder, metadata.scenarios, profile);
  const previous = await readBaseline(file);
  return {
    profile,
    metadata,
    reports,
    reportFindings: findings,
    reruns: await readReruns(folder, metadata, profile),
    ...(previous === undefined ? {} : { previous: { text: previous, file } }),
    today,
    strictInfrastructure: settings.strictInfrastructure,
  };
}
