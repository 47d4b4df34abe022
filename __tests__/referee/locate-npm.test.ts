import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { locateNpm } from '../../src/referee/locate-npm.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function put(file: string, content = ''): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await chmod(file, 0o755);
  return file;
}

const SCRIPT = ['node_modules', 'npm', 'bin', 'npm-cli.js'];

test('the npm that started us comes first, unless it is another package manager', async () => {
  const root = await temporaryFolder();
  const node = await put(join(root, 'bin', 'node'));
  const beside = await put(join(root, 'lib', ...SCRIPT));
  const parent = await put(join(root, 'elsewhere', 'npm-cli.js'));
  expect(await locateNpm({ node, env: { npm_execpath: parent } })).toEqual({ file: node, args: [parent] });
  const yarn = await put(join(root, 'elsewhere', 'yarn.js'));
  expect(await locateNpm({ node, env: { npm_execpath: yarn } })).toEqual({ file: node, args: [beside] });
  expect(await locateNpm({ node, env: { npm_execpath: join(root, 'npm-cli.js') } })).toEqual({
    file: node,
    args: [beside],
  });
});

test('a runner’s Node has no npm beside it: the one on PATH is run by our Node', async () => {
  const root = await temporaryFolder();
  const node = await put(join(root, 'externals', 'node24', 'bin', 'node'));
  const script = await put(join(root, 'usr', 'lib', ...SCRIPT));
  const bin = join(root, 'usr', 'bin');
  await mkdir(bin);
  await symlink(script, join(bin, 'npm'));
  expect(await locateNpm({ node, env: { PATH: `${join(root, 'none')}:${bin}` } })).toEqual({
    file: node,
    args: [script],
  });
});

test('an npm that is no script is started as it is, and none is none', async () => {
  const root = await temporaryFolder();
  const node = await put(join(root, 'bin', 'node'));
  const shim = await put(join(root, 'shims', 'npm'), '#!/bin/sh\n');
  expect(await locateNpm({ node, env: { PATH: dirname(shim) } })).toEqual({ file: shim, args: [] });
  expect(await locateNpm({ node, env: { PATH: join(root, 'bin') } })).toBeUndefined();
  expect(await locateNpm({ node, env: {} })).toBeUndefined();
});
