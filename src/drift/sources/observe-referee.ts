import { ExecaError, execa } from 'execa';
import semver from 'semver';
import { toolEnv } from '../../referee/child-env.ts';
import { REFEREE_PACKAGE } from '../../referee/known-pins.ts';
import type { Observed } from '../source.ts';
import type { SourceState } from '../state.ts';
import { UnknownError } from '../unknown.ts';
import type { ObserveContext } from './context.ts';
import { commitUrl, compareCommits, compareUrl, short } from './git-facts.ts';
import { viewPackage } from './npm-view.ts';

/**
 * The referee moved when there is a newer one than the pin, other than one that was passed over at the last
 * adoption. What it is compared with is the plan's pin, always: that is what the gate runs.
 */
export function observeReferee(pinned: SourceState | undefined, ctx: ObserveContext): Promise<Observed> {
  const passedOver = pinned?.kind === 'referee' ? pinned.newest : undefined;
  return ctx.pin.kind === 'npm'
    ? observeNpmReferee(ctx.pin.version, passedOver, ctx)
    : observeGitReferee(ctx.pin.commit, passedOver, ctx);
}

async function observeNpmReferee(
  version: string,
  passedOver: string | undefined,
  ctx: ObserveContext,
): Promise<Observed> {
  const { versions } = await viewPackage(REFEREE_PACKAGE, ctx);
  const { candidate, beyond } = newestFor(version, versions);
  const newest = candidate ?? version;
  const value = { kind: 'referee' as const, adopted: ctx.today, pin: ctx.pin.text, newest: `npm:${newest}` };
  const notes = beyond === undefined ? [] : [`There is also ${beyond}, of another line.`];
  if (candidate === undefined) return { value, seen: { label: version }, notes };
  if (passedOver === `npm:${candidate}`)
    return {
      value,
      seen: { label: version },
      notes: [...notes, `${candidate} was passed over at the last adoption.`],
    };
  const repository = githubRepository(ctx.repository);
  // The package's tags are v<version> where its authors made one; without them the movement is still known.
  const comparison =
    repository === undefined
      ? undefined
      : await compareCommits(repository, `v${version}`, `v${candidate}`, ctx).catch(() => undefined);
  return {
    value,
    seen: { label: candidate },
    notes,
    moved: {
      from: { label: version },
      ...(comparison === undefined ? {} : { compareUrl: comparison.url }),
      changes: comparison?.files ?? [],
      incomplete: comparison?.complete === false,
      candidate: `npm:${candidate}`,
    },
  };
}

/**
 * Which version to try.
 * @returns `candidate`: the newest of the pin's line (same major, and same minor below 1.0), or of a later line when
 *   the pin's line has nothing newer; prereleases only when the pin is one. `beyond`: the newest of a later line, when
 *   it is not the candidate. Invalid versions are left out.
 */
export function newestFor(
  pin: string,
  versions: readonly string[],
): { candidate: string | undefined; beyond: string | undefined } {
  const own = semver.parse(pin);
  if (own === null) return { candidate: undefined, beyond: undefined };
  const newer = versions
    .map((version) => semver.parse(version))
    .filter((version) => version !== null)
    .filter(
      (version) => semver.gt(version, own) && (own.prerelease.length > 0 || version.prerelease.length === 0),
    )
    .toSorted(semver.rcompare);
  const line = newer.find(
    (version) => version.major === own.major && (own.major > 0 || version.minor === own.minor),
  );
  const candidate = line ?? newer[0];
  const beyond = newer[0] !== candidate ? newer[0] : undefined;
  return { candidate: candidate?.version, beyond: beyond?.version };
}

async function observeGitReferee(
  commit: string,
  passedOver: string | undefined,
  ctx: ObserveContext,
): Promise<Observed> {
  const head = await remoteHead(ctx);
  const repository = githubRepository(ctx.repository);
  const page = (of: string) => (repository === undefined ? {} : { url: commitUrl(repository, of, ctx) });
  const value = { kind: 'referee' as const, adopted: ctx.today, pin: ctx.pin.text, newest: `git:${head}` };
  const at = { label: short(commit), ...page(commit) };
  if (head === commit) return { value, seen: at, notes: [] };
  if (passedOver === `git:${head}`)
    return { value, seen: at, notes: [`${short(head)} was passed over at the last adoption.`] };
  const comparison =
    repository === undefined
      ? undefined
      : await compareCommits(repository, commit, head, ctx).catch(() => undefined);
  return {
    value,
    seen: { label: short(head), ...page(head) },
    notes: [],
    moved: {
      from: at,
      ...(repository === undefined ? {} : { compareUrl: compareUrl(repository, commit, head, ctx) }),
      changes: comparison?.files ?? [],
      incomplete: comparison?.complete === false,
      candidate: `git:${head}`,
    },
  };
}

/** Head of the default branch of the referee's repository, wherever that is. */
async function remoteHead(ctx: ObserveContext): Promise<string> {
  try {
    const { stdout } = await execa('git', ['ls-remote', '--', ctx.repository, 'HEAD'], {
      // git must not ask a person for a password.
      env: {
        ...toolEnv(ctx.env),
        GIT_TERMINAL_PROMPT: '0',
        GIT_ASKPASS: '',
        SSH_ASKPASS: '',
      },
      extendEnv: false,
      timeout: ctx.timeoutMs,
      cancelSignal: ctx.signal,
      stdin: 'ignore',
    });
    const head = /^([0-9a-f]{40,64})\tHEAD$/m.exec(stdout)?.[1];
    if (head === undefined) throw new UnknownError({ reason: 'malformed', message: 'git named no HEAD' });
    return head;
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error;
    if (error.timedOut || error.isCanceled)
      throw new UnknownError({ reason: 'timeout', message: 'git gave no answer in time' }, { cause: error });
    if (error.code === 'ENOENT')
      throw new UnknownError({ reason: 'tool-missing', message: 'git is not on the PATH' }, { cause: error });
    throw new UnknownError(
      { reason: 'unreachable', message: `git ls-remote ended with ${error.exitCode ?? error.signal}` },
      { cause: error },
    );
  }
}

/** @returns `owner/name` when the address is a repository on GitHub */
export function githubRepository(address: string): string | undefined {
  const match =
    /^(?:https:\/\/(?:[^@/]+@)?github\.com\/|git@github\.com:|ssh:\/\/git@github\.com\/)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      address,
    );
  return match?.[1];
}
