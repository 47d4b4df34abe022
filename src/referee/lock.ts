import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { ConfigError } from '../shared/errors.ts';
import { readRegularText } from '../shared/read-regular-file.ts';
import { REFEREE_PACKAGE } from './known-pins.ts';

/** One installed package of a lock. What npm wrote and we do not judge stays as it is. */
const packageSchema = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});

const lockSchema = z.looseObject({
  lockfileVersion: z.union([z.literal(2), z.literal(3)]),
  packages: z.record(z.string(), packageSchema),
});

/** A package-lock that was read and found to be one. */
export interface Lock {
  /** Its content without addresses, ready to be written for `npm ci`. */
  readonly content: z.infer<typeof lockSchema>;
  /** `sha256:…` over canonical JSON of that content: line ends, order and addresses do not change it. */
  readonly hash: string;
  /** Packages that it does not nail down: neither an integrity, nor a commit, nor a folder of the same tree. */
  readonly loose: readonly string[];
}

/**
 * Reads the text of a package-lock.json and drops the addresses in it: where a tarball comes from is npm's
 * configuration, what it must contain is the integrity.
 * @param text the file's content
 * @returns the lock, or the sentence that says why it is none
 */
export function parseLock(text: string): Lock | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = lockSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      problem: `is not a package-lock of version 2 or 3: ${issue?.path.join('.')}: ${issue?.message}`,
    };
  }
  const entries = Object.entries(parsed.data.packages);
  const packages = Object.fromEntries(
    entries.map(([path, entry]) => {
      const { resolved: _address, ...rest } = entry;
      return [path, entry.integrity === undefined ? entry : rest];
    }),
  );
  // `dependencies` repeats the tree for npm 6, addresses included; npm 7 and later do not read it.
  const { dependencies: _legacy, ...kept } = parsed.data;
  const content = { ...kept, packages };
  const canonical = canonicalize(content) ?? '';
  return {
    content,
    hash: `sha256:${createHash('sha256').update(canonical).digest('hex')}`,
    loose: entries.filter(([path, entry]) => isLoose(path, entry)).map(([path]) => path),
  };
}

function isLoose(path: string, entry: z.infer<typeof packageSchema>): boolean {
  const installed = /(^|\/)node_modules\//.test(path);
  if (!installed || entry.inBundle === true || entry.integrity !== undefined) return false;
  const address = entry.resolved ?? '';
  if (entry.link === true) return isAbsolute(address) || /^\.\.([\\/]|$)|:/.test(address) || address === '';
  return !/^git\+.*#[0-9a-f]{40}$/.test(address);
}

/** Folders of locks of npm pins; the group is the version. */
export const LOCK_FOLDER = /^npm-(.+)$/;

/** Name of the folder that holds the lock of an npm pin: `npm-0.2.0-alpha.12`. */
export function lockFolder(version: string): string {
  return `npm-${version}`;
}

/** The lock of an npm pin: its whole tree, and the integrity of the referee itself. */
export interface PinLock extends Lock {
  readonly file: string;
  readonly integrity: string;
}

/**
 * Finds the lock of an npm pin: the user's own first (`referee pin` wrote it), then the one that ships.
 * @param version exact version
 * @param folders folders of locks, in order
 * @returns `undefined` when no folder has one
 * @throws ConfigError when there is one that does not nail the pin down
 */
export async function findLock(version: string, folders: readonly string[]): Promise<PinLock | undefined> {
  for (const folder of folders) {
    const file = join(folder, lockFolder(version), 'package-lock.json');
    const text = await readIfThere(file);
    if (text !== undefined) return checkLock(version, file, text);
  }
  return undefined;
}

/**
 * Makes sure that a lock nails down the pinned version and everything below it.
 * @throws ConfigError that names the lock and how to write it anew
 */
export function checkLock(version: string, file: string, text: string): PinLock {
  const lock = parseLock(text);
  const again = `Write it anew: mcp-conformance-gate referee pin npm:${version}`;
  const refuse = (message: string) => new ConfigError(message, { place: { file }, hint: again });
  if ('problem' in lock) throw refuse(`The referee's lock ${lock.problem}.`);
  const referee = lock.content.packages[`node_modules/${REFEREE_PACKAGE}`];
  if (referee?.version !== version) {
    throw refuse(
      `The lock holds ${REFEREE_PACKAGE} ${referee?.version ?? 'not at all'}, and the pin is npm:${version}.`,
    );
  }
  if (lock.loose.length > 0 || referee.integrity === undefined) {
    throw refuse(
      `The lock does not say what these packages must contain: ${lock.loose.slice(0, 5).join(', ')}.`,
    );
  }
  return { ...lock, file, integrity: referee.integrity };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readRegularText(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ConfigError(`The referee's lock cannot be read.`, { place: { file }, cause: error });
  }
}
