import { relative } from 'node:path';
import { loadPlan } from '../config/load-plan.ts';
import { type GivenOptions, OPTION_NAMES, OPTIONS, type OptionName } from '../config/options.ts';
import type { Plan } from '../config/plan.ts';
import type { Outcome } from '../gate/verdict.ts';
import type { Publication } from '../publish/publication.ts';
import { renderTerminal } from '../publish/terminal.ts';
import { describePlan } from './describe-plan.ts';
import type { CommandSpec, Invocation } from './program.ts';
import { runGate } from './run-gate.ts';
import { withIo } from './with-io.ts';

/** Exit codes of a verdict (DESIGN.md section 4). */
export const EXIT_CODE = { pass: 0, fail: 1, inconclusive: 3 } as const satisfies Record<Outcome, number>;

export const runCommand: CommandSpec = {
  name: 'run',
  summary: 'measure and judge; leaves a report folder',
  description:
    'Runs the pinned referee against your server or client, judges every check by the reviewed baselines, and leaves a report folder.',
  options: OPTION_NAMES,
  examples: [
    'mcp-conformance-gate run --url http://127.0.0.1:3000/mcp',
    "mcp-conformance-gate run --server-command 'node server.js --port {port}'",
    "mcp-conformance-gate run --stdio-command 'node server.js' --profile server:2025-11-25",
  ],
  handler: async (invocation) => {
    const plan = await loadPlan(invocation.given, process.cwd(), process.env);
    return runPlan(plan, invocation, { accept: acceptCommand(invocation.given) });
  },
};

/** Runs a plan and prints the verdict: first line the verdict, last line the report folder. */
export async function runPlan(
  plan: Plan,
  invocation: Invocation,
  commands?: NonNullable<Publication['commands']>,
): Promise<number> {
  for (const line of describePlan(plan)) process.stderr.write(`${line}\n`);
  const publication = await withIo((io) => runGate(plan, io, commands));
  printResult(publication, plan.output, invocation.json);
  return EXIT_CODE[publication.verdict.outcome] ?? EXIT_CODE.inconclusive;
}

/** For people on stderr; with `--json` verdict.json's content on stdout too. */
export function printResult(publication: Publication, folder: string, json: boolean): void {
  const { isTTY, columns } = process.stderr;
  const color = isTTY === true && !process.env.NO_COLOR;
  process.stderr.write(renderTerminal(publication, { color, width: columns || 120, folder }));
  if (json) process.stdout.write(`${JSON.stringify(publication.verdict, null, 2)}\n`);
}

/** The command line that accepts what this run measured: the same options, without the values of secret ones. */
export function acceptCommand(given: GivenOptions): string {
  const parts = [...invokedAs(), 'accept'];
  for (const name of OPTION_NAMES) parts.push(...asFlags(name, given));
  return parts.join(' ');
}

/** How a person started this: by its name, or as `node path/to/dist/cli.js`. On a runner the name has to do. */
function invokedAs(): string[] {
  const script = process.argv[1] ?? '';
  if (!script.endsWith('cli.js')) return ['mcp-conformance-gate'];
  const near = relative(process.cwd(), script);
  return ['node', quote(near.startsWith('..') ? script : near)];
}

function asFlags(name: OptionName, given: GivenOptions): string[] {
  const value = given[name];
  const spec: { secret?: boolean } = OPTIONS[name];
  if (value === undefined || value === false || value === '') return [];
  if (value === true) return [`--${name}`];
  const items = typeof value === 'string' ? value.split(/\r?\n/).filter(Boolean) : value;
  return items.flatMap((item) => [
    `--${name}`,
    quote(spec.secret ? `${item.slice(0, item.indexOf(':') + 1)} …` : item),
  ]);
}

function quote(text: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
