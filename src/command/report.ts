import { join, relative, resolve } from 'node:path';
import { Option } from 'commander';
import { combineReports, type PartReport } from '../publish/combine-reports.ts';
import { writePublication } from '../publish/write.ts';
import { prepareReportFolder, writeJson } from '../report-folder.ts';
import { ConfigError } from '../shared/errors.ts';
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
  extra: [new Option('--output <DIR>', 'folder of the merged report (default: conformance-report-merged)')],
  examples: ['mcp-conformance-gate report node-22/ node-24/ --output merged'],
  handler: async ({ args, given, extra, json }) => {
    const cwd = process.cwd();
    const output = resolve(cwd, String(given.output ?? extra.output ?? 'conformance-report-merged'));
    const folders = args.map((dir) => resolve(cwd, dir));
    if (folders.includes(output)) {
      throw new ConfigError('The merged report would replace one of its parts.', {
        hint: 'Choose another --output.',
      });
    }
    const parts = await Promise.all(
      folders.map((folder) => readPart(folder, relative(cwd, folder) || folder)),
    );
    const publication = combineReports(parts, version);
    await prepareReportFolder(output);
    await writeJson(join(output, 'verdict.json'), publication.verdict);
    for (const text of await writePublication(output, publication))
      process.stderr.write(`warning: ${text}\n`);
    printResult(publication, output, json);
    return EXIT_CODE[publication.verdict.outcome];
  },
};

/** A leg whose run ended before it had a verdict is part of the whole: as what was not measured. */
async function readPart(folder: string, label: string): Promise<PartReport> {
  try {
    return { label, ...(await readReport(folder)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { label, problem: error.message };
  }
}
