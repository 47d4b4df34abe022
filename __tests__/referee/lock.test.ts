import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLock, parseLock } from '../../src/referee/lock.ts';
import { DEFAULT_PIN } from '../../src/referee/parse-pin.ts';
import { shippedLocks } from '../../src/referee/shipped-locks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REFEREE = 'node_modules/@modelcontextprotocol/conformance';
const aLock = (packages: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { '': {}, [REFEREE]: { version: '1.0.0', integrity: 'sha512-r' }, ...packages },
    ...rest,
  });
const read = (text: string) => {
  const lock = parseLock(text);
  if ('problem' in lock) throw new Error(lock.problem);
  return lock;
};

test('the lock that ships nails the default down and holds no address', async () => {
  const version = DEFAULT_PIN.replace('npm:', '');
  const lock = await findLock(version, [shippedLocks()]);
  expect(lock?.integrity).toBe(
    'sha512-eXtZFgmtZiU5SsvXty+RGXGnyIqEVm3GLU/HZmg1wMjtKOocPZZgD9HQKd30oJhio5UB0wFJmsc6r8u48Q+EYA==',
  );
  expect(Object.keys(lock?.content.packages ?? {})).toHaveLength(123);
  expect(JSON.stringify(lock?.content).includes('"resolved"')).toBe(false);
});

test('addresses, order and line ends do not change a lock; a version does', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' };
  const b = { version: '2.0.0', integrity: 'sha512-b' };
  const hash = read(aLock({ 'node_modules/a': a, 'node_modules/b': b })).hash;
  const addressed = aLock({
    'node_modules/b': { resolved: 'https://elsewhere/b.tgz', ...b },
    'node_modules/a': a,
  });
  expect(read(addressed).hash).toBe(hash);
  expect(JSON.stringify(read(addressed).content)).not.toContain('elsewhere');
  expect(read(addressed.replaceAll(',', ',\r\n')).hash).toBe(hash);
  expect(read(aLock({ 'node_modules/a': { ...a, version: '1.0.1' }, 'node_modules/b': b })).hash).not.toBe(
    hash,
  );
});

test.each([
  [
    'no integrity',
    { 'node_modules/x': { version: '1.0.0', resolved: 'https://r/x.tgz' } },
    ['node_modules/x'],
  ],
  ['a branch', { 'node_modules/x': { resolved: 'git+https://h/x.git#main' } }, ['node_modules/x']],
  ['a commit', { 'node_modules/x': { resolved: `git+https://h/x.git#${'a'.repeat(40)}` } }, []],
  [
    'a folder of the tree',
    { 'node_modules/x': { resolved: 'packages/x', link: true }, 'packages/x': {} },
    [],
  ],
  ['a folder beside the tree', { 'node_modules/x': { resolved: '../x', link: true } }, ['node_modules/x']],
  ['a folder anywhere', { 'node_modules/x': { resolved: '/etc', link: true } }, ['node_modules/x']],
  ['bundled in its parent', { 'node_modules/p/node_modules/x': { version: '1', inBundle: true } }, []],
])('%s', (_name, packages, loose) => {
  expect(read(aLock(packages)).loose).toEqual(loose);
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is not a package-lock'],
  [aLock({}, { lockfileVersion: 1 }), 'lockfileVersion'],
  ['{"lockfileVersion":3}', 'packages'],
])('%s is no lock', (text, words) => {
  expect(parseLock(text)).toEqual({ problem: expect.stringContaining(words) });
});

test('the user’s own lock comes before the one that ships, and must be for the pin', async () => {
  const own = await temporaryFolder();
  const put = async (version: string, text: string) => {
    await mkdir(join(own, `npm-${version}`), { recursive: true });
    await writeFile(join(own, `npm-${version}`, 'package-lock.json'), text);
  };
  expect(await findLock('1.0.0', [own])).toBeUndefined();
  await put('1.0.0', aLock());
  expect(await findLock('1.0.0', [own, shippedLocks()])).toMatchObject({ integrity: 'sha512-r' });

  await put('2.0.0', aLock());
  await put('3.0.0', 'not JSON');
  await put('4.0.0', aLock({ [REFEREE]: { version: '4.0.0' } }));
  for (const [version, words] of [
    ['2.0.0', 'conformance 1.0.0, and the pin is npm:2.0.0.'],
    ['3.0.0', 'lock is not JSON'],
    ['4.0.0', 'must contain: node_modules/@modelcontextprotocol/conformance.'],
  ] as const) {
    await expect(findLock(version, [own])).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(words),
      hint: `Write it anew: mcp-conformance-gate referee pin npm:${version}`,
      place: { file: join(own, `npm-${version}`, 'package-lock.json') },
    });
  }
});
