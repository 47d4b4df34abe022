import { resolve } from 'node:path';
import { execa } from 'execa';
import type { LocalFacts } from './ownership.ts';
import type { Measured } from './trial.ts';

const MOST_FILES = 50_000;

/** Root of the repository that `cwd` lies in; `cwd` itself outside one. */
export async function repositoryRoot(cwd: string): Promise<string> {
  const { stdout, exitCode } = await execa('git', ['rev-parse', '--show-cdup'], {
    cwd,
    reject: false,
    timeout: 20_000,
    stdin: 'ignore',
  });
  return exitCode === 0 ? resolve(cwd, stdout.trim()) : cwd;
}

/** Files that git tracks here; none outside a repository. */
export async function trackedFiles(cwd: string): Promise<string[]> {
  const { stdout, exitCode } = await execa('git', ['ls-files', '-z'], {
    cwd,
    reject: false,
    timeout: 20_000,
    stdin: 'ignore',
    maxBuffer: 20_000_000,
  });
  if (exitCode !== 0) return [];
  return stdout.split('\0').filter(Boolean).slice(0, MOST_FILES);
}

export async function localFacts(
  cwd: string,
  command: string,
  measured: Measured | undefined,
): Promise<LocalFacts> {
  const scenarios = (measured?.verdict.profiles ?? []).flatMap(({ scenarios }) =>
    scenarios.map(({ scenario }) => scenario),
  );
  return { files: await trackedFiles(cwd), scenarios: [...new Set(scenarios)], command };
}
