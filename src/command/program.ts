import { Command, CommanderError, Option } from 'commander';
import {
  type GivenOptions,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  type OptionSpec,
} from '../config/options.ts';
import { version } from '../shared/version.ts';

/** What a command is handed: its options from the table, its own extra options, and its arguments. */
export interface Invocation {
  readonly given: GivenOptions;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  readonly json: boolean;
}

/** Runs a command. @returns the exit code */
export type Handler = (invocation: Invocation) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  /** `A B`, `[DIR...]`: commander's form. */
  readonly args?: string;
  readonly summary: string;
  readonly description: string;
  readonly options: readonly OptionName[];
  readonly extra?: readonly Option[];
  /** Shown under the options. */
  readonly examples: readonly string[];
  readonly handler: Handler;
}

const EXIT_CODES = `
Exit codes:
  0  pass: everything that had to run ran, and every difference is reviewed
  1  fail: measured, and something differs from the reviewed baseline
  2  your mistake: usage, configuration or baseline syntax; nothing was run
  3  inconclusive: it could not be measured`;

/**
 * Builds the command line from the commands' descriptions.
 * @param done receives the exit code of the command that ran
 */
export function buildProgram(commands: readonly CommandSpec[], done: (code: number) => void): Command {
  const program = new Command('mcp-conformance-gate')
    .description('Gates an MCP server or client on the official conformance suite and a reviewed baseline.')
    .version(version)
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXIT_CODES)
    .addHelpText('after', '\nStart with:  mcp-conformance-gate demo')
    .showSuggestionAfterError(true)
    .exitOverride();
  for (const spec of commands) addCommand(program, spec, done);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, done: (code: number) => void): void {
  const command = program
    .command(spec.args ? `${spec.name} ${spec.args}` : spec.name)
    .summary(spec.summary)
    .description(spec.description)
    .helpOption('-h, --help', 'show help')
    .allowExcessArguments(false)
    .exitOverride();
  for (const name of spec.options) command.addOption(toOption(name, OPTIONS[name]));
  for (const extra of spec.extra ?? []) command.addOption(extra);
  command.addOption(
    new Option('--json', 'machine-readable result on stdout; everything for people stays on stderr'),
  );
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
  command.action(async (...actionArgs: unknown[]) => {
    const options = command.opts<Record<string, unknown>>();
    const given: Record<string, unknown> = {};
    const extra: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(options)) {
      const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if ((OPTION_NAMES as readonly string[]).includes(name)) given[name] = value;
      else extra[name] = value;
    }
    const args = actionArgs
      .slice(0, -2)
      .flat()
      .filter((arg): arg is string => typeof arg === 'string');
    done(await spec.handler({ given: given as GivenOptions, extra, args, json: options.json === true }));
  });
}

function toOption(name: OptionName, spec: OptionSpec): Option {
  const flags = spec.kind === 'switch' ? `--${name}` : `--${name} <${spec.value ?? 'VALUE'}>`;
  const many = spec.kind === 'list' ? '; repeatable' : '';
  const fallback = spec.default === undefined ? '' : ` (default: ${spec.default})`;
  const option = new Option(flags, `${spec.help}${many}${fallback}`);
  if (spec.kind === 'list')
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

/** True for what commander throws after it printed help or the version. */
export function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
