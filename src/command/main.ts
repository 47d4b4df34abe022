import { CommanderError } from 'commander';
import { explainPinMistake } from '../referee/versions.ts';
import { acceptCommand } from './accept.ts';
import { checkCommand } from './check.ts';
import { compareCommand } from './compare.ts';
import { demoCommand } from './demo.ts';
import { driftCommand } from './drift.ts';
import { importCommand } from './import.ts';
import type { CommandSpec } from './program.ts';
import { buildProgram, isHelp } from './program.ts';
import { refereeCommand } from './referee.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';
import { describeError, exitCodeOf } from './show-error.ts';

const COMMANDS: readonly CommandSpec[] = [
  runCommand,
  demoCommand,
  acceptCommand,
  checkCommand,
  importCommand,
  compareCommand,
  reportCommand,
  driftCommand,
  refereeCommand,
];

/** How long the registry may take to name the versions that exist, in milliseconds, when a pin names none of them. */
const VERSIONS_MS = 15_000;

/**
 * The command line. Sets the exit code instead of exiting, so that what was printed is written out.
 * @param argv arguments without node and script
 */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that has seen enough (`… | head`) changes nothing about what was measured.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const program = buildProgram(COMMANDS, (code) => {
    process.exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (isHelp(error)) return;
    // Commander has printed its own errors already.
    if (!(error instanceof CommanderError)) {
      const explained = await explainPinMistake(error, AbortSignal.timeout(VERSIONS_MS));
      process.stderr.write(`${describeError(explained, process.cwd())}\n`);
    }
    process.exitCode = exitCodeOf(error);
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
