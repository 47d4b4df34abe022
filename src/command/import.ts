import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type Imported, importKnownFailures, readKnownFailures } from '../baseline/import.ts';
import { baselineFile } from '../baseline/load.ts';
import { planContext } from '../config/load-plan.ts';
import { resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import { ConfigError } from '../shared/errors.ts';
import { acceptInput, measuredProfiles } from './measured-profiles.ts';
import type { CommandSpec } from './program.ts';
import { showAcceptance } from './show-acceptance.ts';

export const importCommand: CommandSpec = {
  name: 'import',
  args: '<file>',
  summary: "turn another list of known failures into a baseline, held against a run's report",
  description:
    "Reads the referee's own expected-failures YAML, or a JSON baseline with classifications by revision, and holds it against a report folder: each line becomes exceptions for exactly the checks that it covers and that were not successes. Each still needs a review date from a person.",
  options: ['config', 'name', 'profile', 'baselines', 'output', 'strict-infrastructure'],
  extra: [new Option('--propose <DIR>', 'write the baselines there instead; the only way where CI is set')],
  examples: [
    'mcp-conformance-gate import expected-failures.yml',
    'mcp-conformance-gate import baseline.json --output report',
  ],
  handler: async ({ given, extra, args, json }) => {
    const cwd = process.cwd();
    const context = await planContext(given, cwd, process.env);
    const settings = resolveSettings(context);
    const propose = typeof extra.propose === 'string' ? resolve(cwd, extra.propose) : undefined;
    if (process.env.CI && propose === undefined) {
      throw new ConfigError(
        'import does not write baselines where CI is set: a baseline is what a person reviewed.',
        {
          hint: 'Run it on your machine, or use --propose DIR and review the result.',
        },
      );
    }
    const file = resolve(cwd, args[0] ?? '');
    const text = await readText(file);
    const profiles = await measuredProfiles(
      settings,
      given.profile === undefined ? undefined : resolveProfiles(context),
    );
    const today = new Date().toISOString().slice(0, 10);
    // All of them first: a line that is not understood must not leave half of the baselines written.
    const results = await Promise.all(
      profiles.map(async (profile) => {
        const from = baselineFile(settings.baselines, profile);
        const known = readKnownFailures(text, file, profile);
        const imported = importKnownFailures(known, {
          ...(await acceptInput(profile, from, settings, today)),
          calibrations: [],
        });
        return { profile, to: propose === undefined ? from : baselineFile(join(propose), profile), imported };
      }),
    );
    for (const { to, imported } of results) {
      if (!imported.acceptance.accepted) continue;
      await mkdir(dirname(to), { recursive: true });
      await writeFileAtomic(to, imported.acceptance.yaml);
    }
    for (const { profile, to, imported } of results) {
      const lines = [
        ...showAcceptance(profile, to, imported.acceptance, cwd),
        ...unusedLines(imported, relative(cwd, file)),
      ];
      process.stderr.write(`${lines.join('\n')}\n`);
    }
    if (json) {
      const told = results.map(({ profile, to, imported }) => ({
        profile: profile.id,
        file: to,
        unused: imported.unused,
      }));
      process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    }
    return results.some(({ imported }) => !imported.acceptance.accepted) ? 3 : 0;
  },
};

function unusedLines({ unused }: Imported, file: string): string[] {
  return unused.map(
    ({ scenario, check }) =>
      `  not used: ${scenario}${check === undefined ? '' : ` / ${check}`} of ${file}: it passes now, or did not come`,
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`The list cannot be read: ${(cause as Error).message}`, { place: { file }, cause });
  }
}
