import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as core from '@actions/core';
import { setOutputs } from '../publish/set-outputs.ts';
import { uploadReport } from '../publish/upload.ts';
import { isOurs } from '../report-folder.ts';
import { oneLine } from '../shared/escape-controls.ts';

/**
 * The upload step: the report folder becomes an artifact, also after a failure or a cancel. Whatever happens here, the
 * verdict stays what it is: a lost report is a warning that names what was lost.
 */
export async function uploadStep(): Promise<void> {
  const folder = core.getInput('report-path');
  if (folder === '') {
    core.warning('Nothing was uploaded: the gate step ended before it had a report folder.');
    return;
  }
  if (!(await isOurs(folder))) {
    core.warning(`Nothing was uploaded: ${oneLine(folder)} is not a report folder of this tool.`);
    return;
  }
  const env = process.env;
  const result = await uploadReport({
    folder,
    name: {
      chosen: core.getInput('artifact-name') || undefined,
      name: core.getInput('name') || undefined,
      profiles: await profilesIn(folder),
      job: env.GITHUB_JOB,
      attempt: env.GITHUB_RUN_ATTEMPT,
      matrix: core.getInput('matrix') || undefined,
    },
    retentionDays: wholeNumber('retention-days', 1, 400),
    compressionLevel: wholeNumber('compression-level', 0, 9),
    env,
  });
  for (const text of result.warnings) core.warning(text);
  if (result.kind === 'lost') return;
  core.info(`Report kept as ${result.name}: ${result.url}`);
  const outputs = {
    'artifact-id': String(result.id),
    'artifact-url': result.url,
    'artifact-digest': result.digest,
  };
  for (const text of setOutputs(outputs)) core.warning(text);
}

/** The profiles that left evidence; they are part of the artifact's name. */
async function profilesIn(folder: string): Promise<string[]> {
  return readdir(join(folder, 'profiles')).then(
    (names) => names.sort(),
    () => [],
  );
}

/** A numeric input. A mistake in it is told, and the upload still happens with the default: evidence first. */
function wholeNumber(name: string, min: number, max: number): number | undefined {
  const text = core.getInput(name).trim();
  if (text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  core.warning(`${name}: "${text}" is not a whole number from ${min} to ${max}; the default holds.`);
  return undefined;
}
