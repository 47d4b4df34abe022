import { execa } from 'execa';
import type { RunMetadata } from '../run/metadata.ts';

type Git = (...args: string[]) => PromiseLike<{ readonly exitCode?: number; readonly stdout: string }>;

/**
 * Which state of the user's repository was measured: on a runner what the event says, and git's own word elsewhere.
 * Outside a repository, or without git, nothing is known and nothing is claimed.
 */
export async function sourceOf(cwd: string, environment: NodeJS.ProcessEnv): Promise<RunMetadata['source']> {
  const git: Git = (...args) => execa('git', args, { cwd, reject: false, timeout: 5_000, stdin: 'ignore' });
  const status = await git('status', '--porcelain=v2', '--branch', '--untracked-files=no');
  const said = status.exitCode === 0 ? String(status.stdout) : '';
  const commit =
    /^# branch\.oid ([0-9a-f]{40,})$/m.exec(said)?.[1] ??
    (status.exitCode === 0 ? undefined : await headOf(git)) ??
    environment.GITHUB_SHA;
  return {
    ...(commit ? { commit } : {}),
    ...(environment.GITHUB_REF ? { ref: environment.GITHUB_REF } : {}),
    ...(environment.GITHUB_REPOSITORY ? { repository: environment.GITHUB_REPOSITORY } : {}),
    ...(status.exitCode === 0 ? { dirty: /^[^#]/m.test(said) } : {}),
  };
}

/** For a work tree so large that its status takes too long, or a git that is too old to tell both at once. */
async function headOf(git: Git): Promise<string | undefined> {
  const head = await git('rev-parse', 'HEAD');
  return head.exitCode === 0 ? head.stdout.trim() : undefined;
}
