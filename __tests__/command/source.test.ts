import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { sourceOf } from '../../src/command/source.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function aRepository() {
  const folder = await temporaryFolder();
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  await git('init', '-q');
  return { folder, git };
}

test('a repository tells its commit and whether a known file was changed since', async () => {
  const { folder, git } = await aRepository();
  await writeFile(join(folder, 'file'), 'one');
  await git('add', '.');
  await git('commit', '-q', '-m', 'one');
  const { stdout: commit } = await git('rev-parse', 'HEAD');
  await writeFile(join(folder, '# branch.oid 0'), 'untracked');
  expect(await sourceOf(folder, { GITHUB_SHA: 'other' })).toEqual({ commit, dirty: false });
  await writeFile(join(folder, 'file'), 'two');
  expect(await sourceOf(folder, { GITHUB_REF: 'refs/heads/main', GITHUB_REPOSITORY: 'a/b' })).toEqual({
    commit,
    dirty: true,
    ref: 'refs/heads/main',
    repository: 'a/b',
  });
});

test('without a commit or a repository it is what the runner says, if anything', async () => {
  const { folder } = await aRepository();
  expect(await sourceOf(folder, {})).toEqual({ dirty: false });
  expect(await sourceOf(folder, { GITHUB_SHA: 'abc' })).toEqual({ commit: 'abc', dirty: false });
  const none = await temporaryFolder();
  expect(await sourceOf(none, { GITHUB_SHA: 'abc' })).toEqual({ commit: 'abc' });
  expect(await sourceOf(none, {})).toEqual({});
});

test('a monitor of the file system that hangs is not asked', async () => {
  const { folder, git } = await aRepository();
  await git('commit', '-q', '--allow-empty', '-m', 'one');
  await writeFile(join(folder, 'monitor'), '#!/bin/sh\ntouch asked\nsleep 20\n', { mode: 0o755 });
  await git('config', 'core.fsmonitor', join(folder, 'monitor'));
  await writeFile(join(folder, 'file'), 'one');
  const { commit } = await sourceOf(folder, {});
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  await expect(execa('test', ['-e', 'asked'], { cwd: folder })).rejects.toThrow();
});
