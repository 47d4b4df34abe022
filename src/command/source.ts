import { execa } from 'execa';
import type { RunMetadata } from '../run/metadata.ts';

/**
 * Which state of the user's repository was measured: on a runner what the event says, and git's own word elsewhere.
 * Outside a repository, or without git, nothing is known and nothing is claimed.
 */
export async function sourceOf(cwd: string, environment: NodeJS.ProcessEnv): Promise<RunMetadata['source']> {
  const git = (...args: string[]) =>
    execa('git', args, { cwd, reject: false, timeout: 5_000, stdin: 'ignore' });
  const [head, status] = await Promise.all([
    git('rev-parse', 'HEAD'),
    git('status', '--porcelain', '--untracked-files=no'),
  ]);
  const commit = head.exitCode === 0 ? head.stdout.trim() : environment.GITHUB_SHA;
  return {
    ...(commit ? { commit } : {}),
    ...(environment.GITHUB_REF ? { ref: environment.GITHUB_REF } : {}),
    ...(environment.GITHUB_REPOSITORY ? { repository: environment.GITHUB_REPOSITORY } : {}),
    ...(status.exitCode === 0 ? { dirty: status.stdout !== '' } : {}),
  };
}
