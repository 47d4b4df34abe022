import { join } from 'node:path';
import { z } from 'zod';
import type { Plan } from '../config/plan.ts';
import { type CheckResult, checkResultSchema, type Verdict, verdictSchema } from '../gate/verdict.ts';
import { profileFolder } from '../report-folder.ts';
import { readRegularText } from '../shared/read-regular-file.ts';
import type { Measured } from './trial.ts';

/**
 * Reads the report folder of a run of the same job.
 * @returns `undefined` when there is none, or it is about other profiles or another referee than the plan's
 */
export async function readMeasured(folder: string, plan: Plan): Promise<Measured | undefined> {
  let verdict: Verdict;
  try {
    verdict = verdictSchema.parse(JSON.parse(await readRegularText(join(folder, 'verdict.json'))));
  } catch {
    return undefined;
  }
  const wanted = plan.profiles.map(({ profile }) => profile);
  const fits = wanted.every(({ id }) => {
    const found = verdict.profiles.find((one) => one.profile === id);
    return found !== undefined && (found.referee === null || found.referee.pin === plan.referee.pin.text);
  });
  // A run that came to nothing before its first profile is this job's all the same, and says why.
  if (!fits && verdict.profiles.length > 0) return undefined;
  const checks: Record<string, CheckResult[]> = {};
  for (const { id, slug } of wanted)
    checks[id] = await readChecks(join(profileFolder(folder, slug), 'checks.json'));
  return { verdict, checks, folder };
}

async function readChecks(file: string): Promise<CheckResult[]> {
  try {
    return z.array(checkResultSchema).parse(JSON.parse(await readRegularText(file)));
  } catch {
    return [];
  }
}
