import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareReportFolder } from '../src/report-folder.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

test('a missing folder is created and marked as ours', async () => {
  const folder = join(await temporaryFolder(), 'deep', 'report');
  await prepareReportFolder(folder);
  expect((await readdir(folder)).sort()).toEqual(['.gitignore', '.mcp-conformance-report', 'profiles']);
});

test('a folder of ours is emptied, so that no verdict of an earlier run stays', async () => {
  const folder = await temporaryFolder();
  await prepareReportFolder(folder);
  await writeFile(join(folder, 'verdict.json'), '{"outcome":"pass"}');
  await writeFile(join(folder, 'profiles', 'old'), '');
  await prepareReportFolder(folder);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    '.gitignore',
    '.mcp-conformance-report',
    'profiles',
  ]);
});

test("someone else's folder is refused and nothing in it is touched", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'thesis.tex'), 'years of work');
  await expect(prepareReportFolder(folder)).rejects.toThrow('not empty and not one of ours');
  expect(await readdir(folder)).toEqual(['thesis.tex']);
});

test('a marker that is not ours does not make a folder ours', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.mcp-conformance-report'), 'a note of mine');
  await expect(prepareReportFolder(folder)).rejects.toThrow('not one of ours');
});

test('a link inside our folder is removed, not followed', async () => {
  const outside = await temporaryFolder();
  await writeFile(join(outside, 'precious'), 'kept');
  const folder = await temporaryFolder();
  await prepareReportFolder(folder);
  await symlink(outside, join(folder, 'link'));
  await prepareReportFolder(folder);
  expect(await readFile(join(outside, 'precious'), 'utf8')).toBe('kept');
  expect(await readdir(folder)).not.toContain('link');
});

test('a file in the way is told', async () => {
  const folder = join(await temporaryFolder(), 'report');
  await writeFile(folder, '');
  await expect(prepareReportFolder(folder)).rejects.toThrow('cannot be used');
});
