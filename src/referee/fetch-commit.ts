import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { type GitContext, git, gitComplaint } from './git.ts';
import { tailOf } from './run-tool.ts';

/**
 * Puts the files of one commit into an empty folder of ours: the object as it is, whatever a work tree, a branch or a
 * tag says meanwhile.
 * @param folder empty; holds the commit's files afterwards and no repository
 * @param repository URL, or absolute path
 * @throws ConfigError when the repository has no such commit
 * @throws MeasurementFault `referee-unavailable` when the repository cannot be reached, `referee-integrity` when what
 *   came is not what its name says
 */
export async function fetchCommit(
  folder: string,
  repository: string,
  commit: string,
  context: GitContext,
): Promise<void> {
  await must(folder, ['init', '--quiet', '--template='], context);
  await fetchObject(folder, repository, commit, context);
  await verifyObject(folder, commit, context);
  await must(folder, ['checkout', '--quiet', '--force', '--detach', commit], context);
  await rm(join(folder, '.git'), { recursive: true, force: true });
}

/** Asks for the one commit, and where a server gives only what a branch or tag points to, for all of them. */
async function fetchObject(
  folder: string,
  repository: string,
  commit: string,
  context: GitContext,
): Promise<void> {
  const plain = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules'];
  const one = await git(folder, [...plain, '--depth=1', '--', repository, commit], context);
  if (one.exitCode === 0) return;
  const all = await git(
    folder,
    [...plain, '--', repository, '+refs/heads/*:refs/all/heads/*', '+refs/tags/*:refs/all/tags/*'],
    context,
  );
  if (all.exitCode !== 0 && (await isHere(repository, folder, context))) {
    // No network can be at fault: the repository does not give what it says that it has.
    throw integrity(context, `${repository}: ${gitComplaint(all)}`);
  }
  if (all.exitCode !== 0) {
    throw new MeasurementFault({
      kind: 'referee-unavailable',
      pin: context.pin,
      message: withoutCredentials(`${repository} cannot be fetched from: ${gitComplaint(all)}`),
      remedy: 'Check the network and --referee-repository; a cached referee runs without both: --offline.',
    });
  }
  if ((await git(folder, ['cat-file', '-e', commit], context)).exitCode === 0) return;
  throw new ConfigError(`${withoutCredentials(repository)} has no commit ${commit}.`, {
    hint: 'Check the 40 digits, and that the repository is the right one (--referee-repository).',
  });
}

async function isHere(repository: string, folder: string, context: GitContext): Promise<boolean> {
  if (!isAbsolute(repository)) return false;
  return (await git(folder, ['ls-remote', '--quiet', '--', repository], context)).exitCode === 0;
}

/** Every object that came must hash to its name, and the name must be a commit's, not a tag's or a tree's. */
async function verifyObject(folder: string, commit: string, context: GitContext): Promise<void> {
  const type = await git(folder, ['cat-file', '-t', commit], context);
  if (type.stdout.trim() !== 'commit') {
    throw new ConfigError(`${commit} is a ${type.stdout.trim() || 'nothing'}, not a commit.`, {
      hint: `For a tag, pin the commit that it points to: git rev-parse ${commit.slice(0, 12)}^{commit}`,
    });
  }
  const check = await git(folder, ['fsck', '--full', '--no-dangling', '--no-reflogs'], context);
  if (check.exitCode !== 0) throw integrity(context, `git fsck: ${gitComplaint(check)}`);
}

async function must(folder: string, args: readonly string[], context: GitContext): Promise<void> {
  const result = await git(folder, args, context);
  if (result.exitCode === 0) return;
  throw new MeasurementFault({
    kind: 'referee-build-failed',
    pin: context.pin,
    step: `git ${args[0]}`,
    logTail: tailOf(result),
  });
}

function integrity(context: GitContext, message: string): MeasurementFault {
  return new MeasurementFault({ kind: 'referee-integrity', pin: context.pin, message });
}

/** A URL may carry a token; findings are published. */
function withoutCredentials(text: string): string {
  return text.replace(/([a-z+]+:\/\/)[^/@\s]*@/gi, '$1');
}
