import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

export interface Repository {
  readonly path: string;
  /** Writes files (`undefined` removes one), commits them and returns the commit. */
  commit(files: Readonly<Record<string, string | undefined>>, message?: string): Promise<string>;
  git(...args: string[]): Promise<string>;
}

/** A real git repository that is gone when the test is over. */
export async function aRepository(): Promise<Repository> {
  const path = await temporaryFolder('repository-');
  const git = async (...args: string[]) => {
    const identity = [
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@localhost',
      '-c',
      'commit.gpgsign=false',
    ];
    return (await run('git', [...identity, ...args], { cwd: path })).stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  return {
    path,
    git,
    async commit(files, message = 'change') {
      for (const [name, content] of Object.entries(files)) {
        const file = join(path, name);
        await mkdir(dirname(file), { recursive: true });
        if (content === undefined) await rm(file);
        else await writeFile(file, content);
      }
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}
