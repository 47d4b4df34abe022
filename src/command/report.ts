import { basename, join, relative, resolve } from 'node:path';
import { Option } from 'commander';
import { verdictDoubt } from '../gate/verdict-doubt.ts';
import { combineReports, type PartReport } from '../publish/combine-reports.ts';
import { prepareReportFolder, writeJson } from '../report-folder.ts';
import { ConfigError } from '../shared/errors.ts';
import { isWithin } from '../shared/is-within.ts';
import { version } from '../shared/version.ts';
import type { CommandSpec } from './program.ts';
import { readReport } from './read-report.ts';
import { EXIT_CODE, printResult } from './run.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  args: '<dirs...>',
  summary: 'merge report folders of a matrix into one verdict and one page',
  description:
    'Merges the report folders that the legs of a matrix left into one verdict, one summary and one page. A folder without a verdict makes the whole inconclusive.',
  options: [],
  extra: [
    new Option('--output <DIR>', 'folder of the merged report (default: conformance-report-merged)'),
    new Option('--expect <N>', 'how many reports there have to be, so that a leg that left none is noticed'),
  ],
  examples: ['mcp-conformance-gate report node-22/ node-24/ --output merged'],
  handler: async ({ args, given, extra, json }) => {
    const cwd = process.cwd();
    const output = resolve(cwd, String(given.output ?? extra.output ?? 'conformance-report-merged'));
    const folders = args.map((dir) => resolve(cwd, dir));
    if (folders.some((folder) => isWithin(folder, output) || isWithin(output, folder))) {
      throw new ConfigError('The merged report would replace one of its parts.', {
        hint: 'Choose another --output.',
      });
    }
    const twice = folders.find((folder, index) =>
      folders.some((other, n) => n < index && isWithin(folder, other)),
    );
    if (twice !== undefined) throw new ConfigError(`The report in ${twice} is named twice.`);
    const expected = extra.expect === undefined ? folders.length : Number(extra.expect);
    if (!Number.isInteger(expected) || expected < 1) throw new ConfigError('--expect is not a whole number.');
    if (expected !== folders.length) {
      throw new ConfigError(`${folders.length} reports were given, but ${expected} are expected.`, {
        hint: 'A leg of the matrix left none: look at its job.',
      });
    }
    const labels = labelsOf(folders, cwd);
    const parts = await Promise.all(folders.map((folder, n) => readPart(folder, labels[n] ?? folder)));
    refuseMixedCommits(parts);
    const publication = combineReports(parts, version);
    await prepareReportFolder(output);
    await writeJson(join(output, 'verdict.json'), publication.verdict);
    const { writePublication } = await import('../publish/write.ts');
    for (const text of await writePublication(output, publication))
      process.stderr.write(`warning: ${text}\n`);
    printResult(publication, output, json);
    return EXIT_CODE[publication.verdict.outcome];
  },
};

/** How legs are called to people: below this folder by their paths, elsewhere by their own names when those differ. */
function labelsOf(folders: readonly string[], cwd: string): string[] {
  const paths = folders.map((folder) => relative(cwd, folder) || basename(folder));
  const names = paths.map((path) => (path.startsWith('..') ? basename(path) : path));
  return new Set(names).size === names.length ? names : paths;
}

/** A leg whose run ended before it had a verdict is part of the whole: as what was not measured. */
async function readPart(folder: string, label: string): Promise<PartReport> {
  try {
    const report = await readReport(folder);
    const problem = verdictDoubt(report.verdict);
    return problem === undefined ? { label, ...report } : { label, problem };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { label, problem: error.message };
  }
}

/** The legs of one matrix tested the same commit; anything else would be a verdict about nothing. */
function refuseMixedCommits(parts: readonly PartReport[]): void {
  const commits = new Set(
    parts.flatMap((part) => ('verdict' in part ? [part.verdict.source.commit ?? 'unknown'] : [])),
  );
  if (commits.size <= 1) return;
  throw new ConfigError(`The reports are about different commits: ${[...commits].join(', ')}.`, {
    hint: 'Merge the reports of one workflow run.',
  });
}
