import { resolve } from 'node:path';
import { compareRuns } from '../publish/compare.ts';
import { type Change, changeSchema } from '../publish/publication.ts';
import { escapeControls } from '../shared/escape-controls.ts';
import type { CommandSpec } from './program.ts';
import { readReport } from './read-report.ts';

const WORDS: Readonly<Record<Change['kind'], string>> = {
  broke: 'passed before, does not now',
  status: 'another status',
  evidence: 'other evidence',
  vanished: 'no longer comes',
  mended: 'passes now',
  disposition: 'judged otherwise',
  appeared: 'is new',
};

export const compareCommand: CommandSpec = {
  name: 'compare',
  args: '<before> <now>',
  summary: 'what moved between two report folders, check by check',
  description:
    'Compares two report folders check by check, and says what moved on each side: the server, the referee, the requirement set. Exits 0 whether or not something moved.',
  options: [],
  examples: ['mcp-conformance-gate compare last-week/ conformance-report/'],
  handler: async ({ args, json }) => {
    const [before = '', now = ''] = args.map((dir) => resolve(process.cwd(), dir));
    const { moved, changes } = compareRuns(await readReport(before), await readReport(now));
    const lines = moved.map(({ what, from, to }) => `${what}: ${from} → ${to}`);
    for (const kind of changeSchema.shape.kind.options) {
      const some = changes.filter((change) => change.kind === kind);
      if (some.length === 0) continue;
      if (lines.length > 0) lines.push('');
      lines.push(`${WORDS[kind]} (${some.length})`);
      for (const { profile, scenario, check, before: was, now: is } of some) {
        // The statuses are the same where only the judgement is another one.
        const word = (state: Change['now']) =>
          (kind === 'disposition' ? state?.disposition : state?.statuses.join(' ')) ?? '–';
        lines.push(`  ${profile}  ${scenario} / ${check}  ${word(was)} → ${word(is)}`);
      }
    }
    if (lines.length === 0) lines.push('Nothing moved.');
    process.stderr.write(`${lines.map((line) => escapeControls(line.replaceAll('\n', ' '))).join('\n')}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ moved, changes }, null, 2)}\n`);
    return 0;
  },
};
