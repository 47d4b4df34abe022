import { tmpdir } from 'node:os';
import { z } from 'zod';
import type { Pin } from '../config/plan.ts';
import { ConfigError } from '../shared/errors.ts';
import { toolEnv } from './child-env.ts';
import { REFEREE_PACKAGE } from './known-pins.ts';
import { locateNpm } from './locate-npm.ts';
import { parseJson } from './parse-json.ts';
import { PinMistake } from './parse-pin.ts';
import { runTool } from './run-tool.ts';

const VIEW_TIMEOUT_MS = 15_000;

const versionsSchema = z.union([z.array(z.string()), z.string().transform((only) => [only])]);

/**
 * Asks the registry which versions of the referee exist.
 * @returns oldest first; `undefined` when the registry did not say
 * @throws MeasurementFault `interrupted`
 */
export async function publishedVersions(signal: AbortSignal): Promise<string[] | undefined> {
  const npm = await locateNpm({ node: process.execPath, env: process.env });
  if (npm === undefined) return undefined;
  const said = await runTool({
    file: npm.file,
    args: [...npm.args, 'view', REFEREE_PACKAGE, 'versions', '--json', '--fetch-retries=0'],
    cwd: tmpdir(),
    env: toolEnv(process.env),
    timeoutMs: VIEW_TIMEOUT_MS,
    signal,
  });
  const parsed = versionsSchema.safeParse(parseJson(said.stdout));
  return said.exitCode === 0 && parsed.success ? parsed.data : undefined;
}

/** An npm pin without a lock: either nobody wrote it yet, or there is no such version. */
export async function noLock(
  pin: Extract<Pin, { kind: 'npm' }>,
  io: { readonly offline: boolean; readonly signal: AbortSignal },
): Promise<ConfigError> {
  const versions = io.offline ? undefined : await publishedVersions(io.signal);
  if (versions !== undefined && !versions.includes(pin.version)) {
    return noSuchVersion(pin.version, versions);
  }
  return new ConfigError(`${pin.text} has no lock yet, so its dependencies could move.`, {
    hint: `Resolve them once and commit what it writes: mcp-conformance-gate referee pin ${pin.text}`,
  });
}

/**
 * Completes the hint of a mistaken npm pin with the versions that exist; everything else comes back as it is. For whoever
 * reports errors: parsePin itself asks nobody.
 */
export async function explainPinMistake(error: unknown, signal: AbortSignal): Promise<unknown> {
  if (!(error instanceof ConfigError) || pinMistake(error)?.about !== 'npm') return error;
  const versions = await publishedVersions(signal);
  if (versions === undefined) return error;
  return new ConfigError(error.message, {
    ...(error.place === undefined ? {} : { place: error.place }),
    hint: `Write an exact version. ${existing(versions)}`,
    cause: error,
  });
}

/** The mistake itself, or what an error that adds a place was made from. */
function pinMistake(error: ConfigError): PinMistake | undefined {
  if (error instanceof PinMistake) return error;
  return error.cause instanceof PinMistake ? error.cause : undefined;
}

/** There is no such version: with those that there are. */
export function noSuchVersion(version: string, versions: readonly string[]): ConfigError {
  return new ConfigError(`There is no ${REFEREE_PACKAGE} ${version}.`, { hint: existing(versions) });
}

/** Newest first: that is what most people want. */
function existing(versions: readonly string[]): string {
  return `These exist: ${[...versions].reverse().join(', ')}.`;
}
