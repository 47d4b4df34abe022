import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences, hashTree, parseTreeText, strayLinks, treeText } from '../../src/referee/hash-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

test('hashes files of every size, in a fixed order, and does not follow links', async () => {
  const root = await temporaryFolder();
  const mebibyte = 1024 * 1024;
  const sizes = {
    empty: 0,
    small: 10,
    under: mebibyte - 1,
    exact: mebibyte,
    over: mebibyte + 1,
    large: 3 * mebibyte,
  };
  await mkdir(join(root, 'b', 'c'), { recursive: true });
  const expected: [string, string][] = [];
  for (const [name, size] of Object.entries(sizes)) {
    const content = Buffer.alloc(size, name);
    await writeFile(join(root, 'b', 'c', name), content);
    expected.push([`b/c/${name}`, sha256(content)]);
  }
  await writeFile(join(root, 'a'), 'a');
  await symlink('b', join(root, 'z'));
  const { tree, bytes } = hashTree(root);
  expect([...tree]).toEqual([['a', sha256('a')], ...expected.sort(), ['z', 'link:b']]);
  expect(bytes).toBe(1 + Object.values(sizes).reduce((sum, size) => sum + size, 0));
});

test('the list of hashes is what sha256sum reads', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'folder'));
  await writeFile(join(root, 'folder', 'with space.js'), 'x');
  const { tree } = hashTree(root);
  expect(treeText(tree)).toBe(`${sha256('x')}  folder/with space.js\n`);
  expect(parseTreeText(treeText(tree))).toEqual(tree);
  execFileSync('sha256sum', ['--check', '--strict'], { cwd: root, input: treeText(tree) });
});

test('a name with a line end in it cannot pass for two files', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, `a\n${sha256('')}  b`), '');
  const one = treeText(hashTree(root).tree);
  await rm(join(root, `a\n${sha256('')}  b`));
  await writeFile(join(root, 'a'), '');
  await writeFile(join(root, 'b'), '');
  expect(one).not.toBe(treeText(hashTree(root).tree));
  expect(one.split('\n')).toHaveLength(2);
});

test('tells how trees differ', () => {
  const before = new Map(Object.entries({ same: 'a', changed: 'b', missing: 'c', linked: 'd', gone: 'e' }));
  const now = new Map(
    Object.entries({ same: 'a', changed: 'x', linked: 'link:d', gone: 'special', constructor: 'f' }),
  );
  expect(differences(before, now)).toEqual([
    'changed was changed',
    'missing is missing',
    'linked is a symbolic link now',
    'gone is no file any more',
    'constructor was added',
  ]);
  expect(differences(before, before)).toEqual([]);
});

test('links that lead out, also by a detour, or nowhere are stray', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'x', 'y'), { recursive: true });
  await writeFile(join(root, 'x', 'file'), '');
  await symlink('../file', join(root, 'x', 'y', 'inside'));
  await symlink('../..', join(root, 'x', 'y', 'up'));
  await symlink('x/y/up/../outside', join(root, 'detour'));
  await symlink('/etc', join(root, 'absolute'));
  await symlink('nowhere', join(root, 'dangling'));
  expect(strayLinks(root, hashTree(root).tree).sort()).toEqual(['absolute', 'dangling', 'detour', 'x/y/up']);
});

test('a link or file in place of the folder is no tree', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'real'));
  await symlink('real', join(root, 'link'));
  expect(() => hashTree(join(root, 'link'))).toThrow('is not a folder');
});
