import { baselineFile, loadBaseline } from '../baseline/load.ts';
import { planContext } from '../config/load-plan.ts';
import { OPTION_NAMES } from '../config/options.ts';
import { resolvePlan, resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import { ConfigError, MissingTargetError } from '../shared/errors.ts';
import { describePlan } from './describe-plan.ts';
import type { CommandSpec } from './program.ts';
import { describeError } from './show-error.ts';

/** What `check` found out about one baseline. */
interface CheckedBaseline {
  readonly profile: string;
  readonly file: string;
  readonly exceptions: number | null;
  /** Exceptions without a review date. */
  readonly unreviewed: number;
}

export const checkCommand: CommandSpec = {
  name: 'check',
  summary: 'validate configuration and baselines; runs nothing',
  description:
    'Reads the configuration and every baseline it names, and tells the first mistake of each with file, line and column. Starts nothing and asks no network.',
  options: OPTION_NAMES,
  examples: [
    'mcp-conformance-gate check',
    'mcp-conformance-gate check --config .github/mcp-conformance.yaml',
  ],
  handler: async ({ given, json }) => {
    const cwd = process.cwd();
    const context = await planContext(given, cwd, process.env);
    const settings = resolveSettings(context);
    const checked: CheckedBaseline[] = [];
    const mistakes: ConfigError[] = [];
    for (const profile of resolveProfiles(context)) {
      const file = baselineFile(settings.baselines, profile);
      try {
        const baseline = await loadBaseline(file, profile);
        checked.push({
          profile: profile.id,
          file,
          exceptions: baseline?.exceptions.length ?? null,
          unreviewed: baseline?.exceptions.filter(({ reviewed }) => reviewed === undefined).length ?? 0,
        });
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        mistakes.push(error);
      }
    }
    // A target may come as an input of the workflow that this command does not see, so its absence is no mistake here.
    try {
      for (const line of describePlan(resolvePlan(context))) process.stderr.write(`${line}\n`);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (error instanceof MissingTargetError) process.stderr.write(`note: ${error.message}\n`);
      else mistakes.push(error);
    }
    for (const { profile, file, exceptions, unreviewed } of checked) {
      const text =
        exceptions === null
          ? 'has no baseline yet: run, then accept'
          : `${exceptions} exceptions${unreviewed > 0 ? `, ${unreviewed} not reviewed yet` : ''}`;
      process.stderr.write(`baseline   ${profile}  ${text}  ${file}\n`);
    }
    for (const mistake of mistakes) process.stderr.write(`${describeError(mistake, cwd)}\n`);
    if (json) {
      const told = mistakes.map(({ message, place, hint }) => ({ message, place, hint }));
      process.stdout.write(`${JSON.stringify({ baselines: checked, mistakes: told }, null, 2)}\n`);
    }
    return mistakes.length > 0 ? 2 : 0;
  },
};
