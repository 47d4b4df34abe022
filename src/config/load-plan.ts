import type { GivenOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { readConfigFile } from './read-config-file.ts';
import { type PlanContext, resolvePlan } from './resolve-plan.ts';

/**
 * The first two stations of the line: what was given and the configuration file become a Plan.
 * @param given options or inputs; they outrank the file
 * @param cwd where the command runs; absolute
 * @throws ConfigError
 */
export async function loadPlan(
  given: GivenOptions,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<Plan> {
  return resolvePlan(await planContext(given, cwd, environment));
}

/** Reads the configuration file and lays it beside what was given. */
export async function planContext(
  given: GivenOptions,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<PlanContext> {
  const file = typeof given.config === 'string' && given.config !== '' ? given.config : undefined;
  return { given, config: await readConfigFile(cwd, file), cwd, environment };
}
