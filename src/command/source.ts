import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { RunMetadata } from '../run/metadata.ts';

/** Git's answer; no answer when it failed or took too long. */
type Git = (...args: string[]) => Promise<string | undefined>;

const GIT_MS = 5_000;

/**
 * Which state of the user's repository was measured: on a runner what the event says, and git's own word elsewhere.
 * Outside a repository, or without git, nothing is known and nothing is claimed.
 */
export async function sourceOf(cwd: string, environment: NodeJS.ProcessEnv): Promise<RunMetadata['source']> {
  // A monitor of the file system is a program of the user's that may hang, and git waits for it.
  const git: Git = async (...args) => {
    const asked = execa('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd,
      reject: false,
      timeout: GIT_MS,
      stdin: 'ignore',
    });
    // What git started may hold its pipes for longer than git lives.
    const answer = await Promise.race([asked, sleep(GIT_MS + 500, undefined, { ref: false })]);
    return answer?.exitCode === 0 ? answer.stdout : undefined;
  };
  const status = await git('status', '--porcelain=v2', '--branch', '--untracked-files=no');
  const said = /^# branch\.oid ([0-9a-f]{40,})$/m.exec(status ?? '')?.[1];
  // A work tree may be so large that its status takes too long, or git too old to tell both at once.
  const head = status === undefined ? (await git('rev-parse', 'HEAD'))?.trim() : said;
  const commit = head ?? environment.GITHUB_SHA;
  return {
    ...(commit ? { commit } : {}),
    ...(environment.GITHUB_REF ? { ref: environment.GITHUB_REF } : {}),
    ...(environment.GITHUB_REPOSITORY ? { repository: environment.GITHUB_REPOSITORY } : {}),
    ...(status === undefined ? {} : { dirty: /^[^#]/m.test(status) }),
  };
}
