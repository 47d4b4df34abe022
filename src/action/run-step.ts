import { relative } from 'node:path';
import * as core from '@actions/core';
import { describeError } from '../command/show-error.ts';
import { explainPinMistake } from '../referee/versions.ts';
import { ConfigError } from '../shared/errors.ts';

/** How long the registry may take to name the versions that exist, in milliseconds, when a pin names none of them. */
const VERSIONS_MS = 15_000;

/**
 * Runs one action step. What nobody caught fails the step with what happened, where, and what to do next.
 * Ends the process afterwards: a library's open socket must not keep a job waiting.
 */
export async function runStep(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (thrown) {
    const error = await explainPinMistake(thrown, AbortSignal.timeout(VERSIONS_MS));
    const text = describeError(error, process.cwd());
    const place = error instanceof ConfigError ? error.place : undefined;
    const root = process.env.GITHUB_WORKSPACE ?? process.cwd();
    core.error(text, {
      title:
        error instanceof ConfigError
          ? 'MCP conformance gate: configuration'
          : 'MCP conformance gate: internal error',
      ...(place ? { file: relative(root, place.file) } : {}),
      ...(place?.line === undefined ? {} : { startLine: place.line }),
      ...(place?.column === undefined ? {} : { startColumn: place.column }),
    });
    process.exitCode = 1;
  }
  await new Promise<void>((done) => process.stdout.write('', () => done()));
  process.exit();
}
