import { relative } from 'node:path';
import * as core from '@actions/core';
import { describeError } from '../command/show-error.ts';
import { ConfigError } from '../shared/errors.ts';

/**
 * Runs one action step. What nobody caught fails the step with what happened, where, and what to do next.
 * Ends the process afterwards: a library's open socket must not keep a job waiting.
 */
export async function runStep(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
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
