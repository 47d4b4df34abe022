import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RefereePlan } from '../../src/config/plan.ts';
import { fromCache } from '../../src/referee/cache.ts';
import { evict } from '../../src/referee/evict.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import type { Referee } from '../../src/referee/referee.ts';
import { aPinnedFake, aRefereePlan, useRegistry, watched } from '../support/a-referee-plan.ts';
import { faultOf } from '../support/fault-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dependency = (referee: Referee) => join(referee.root, '..', '..', 'fake-dependency');
const entryFolder = async (plan: RefereePlan) => {
  const names = await readdir(plan.cache);
  if (names.length !== 1) throw new Error(`one entry expected, found ${names.join(', ')}`);
  return join(plan.cache, names[0] ?? '');
};

const TAMPERINGS: [name: string, tamper: (referee: Referee, plan: RefereePlan) => Promise<unknown>][] = [
  [
    'one byte changed, size and time kept',
    async (referee) => {
      const file = join(dependency(referee), 'index.js');
      const before = await readFile(file);
      const { mtime, atime } = await stat(file);
      before[0] = (before[0] ?? 0) ^ 1;
      await writeFile(file, before);
      await utimes(file, atime, mtime);
    },
  ],
  ['a file added', (referee) => writeFile(join(referee.root, 'dist', 'extra.js'), '')],
  ['a file removed', (referee) => rm(join(dependency(referee), 'package.json'))],
  [
    'a symbolic link to the same content in place of a file',
    async (referee) => {
      const file = join(dependency(referee), 'index.js');
      const away = join(await temporaryFolder(), 'index.js');
      await writeFile(away, await readFile(file));
      await rm(file);
      await symlink(away, file);
    },
  ],
  [
    'a symbolic link added',
    async (referee) => symlink(await temporaryFolder(), join(referee.root, '..', 'linked')),
  ],
  [
    'a folder in place of a file',
    async (referee) => {
      await rm(join(dependency(referee), 'index.js'));
      await mkdir(join(dependency(referee), 'index.js'));
    },
  ],
  [
    'the tree replaced by a link to one',
    async (_referee, plan) => {
      const entry = await entryFolder(plan);
      const away = join(await temporaryFolder(), 'tree');
      await rename(join(entry, 'tree'), away);
      await symlink(away, join(entry, 'tree'));
    },
  ],
  [
    'packages planted beside the tree, where Node would find them',
    async (_referee, plan) =>
      mkdir(join(await entryFolder(plan), 'node_modules', 'sneaky'), { recursive: true }),
  ],
  [
    'a hash changed in the list along with the file',
    async (referee, plan) => {
      await appendFile(join(dependency(referee), 'index.js'), '\n');
      const list = join(await entryFolder(plan), 'files.sha256');
      const text = await readFile(list, 'utf8');
      const changed = text.replace(
        /^[0-9a-f]{64}( {2}\S*fake-dependency\/index\.js)$/m,
        `${'0'.repeat(64)}$1`,
      );
      expect(changed).not.toBe(text);
      await writeFile(list, changed);
    },
  ],
  [
    'an ability changed in the manifest',
    async (_referee, plan) => {
      const manifest = join(await entryFolder(plan), 'manifest.json');
      const text = await readFile(manifest, 'utf8');
      await writeFile(manifest, text.replace('"serverTimeout":true', '"serverTimeout":false'));
    },
  ],
  [
    'a manifest cut short',
    async (_referee, plan) => truncate(join(await entryFolder(plan), 'manifest.json'), 100),
  ],
  ['no manifest', async (_referee, plan) => rm(join(await entryFolder(plan), 'manifest.json'))],
  [
    'half an entry, as a crash while removing would leave it',
    async (_referee, plan) => rm(join(await entryFolder(plan), 'tree', 'node_modules'), { recursive: true }),
  ],
];

test.each(TAMPERINGS)('%s: noticed, said, rebuilt', async (_name, tamper) => {
  const { plan } = await aPinnedFake();
  const first = await prepareReferee(plan, watched());
  await tamper(first, plan);

  const offline = await faultOf(prepareReferee({ ...plan, offline: true }, watched()));
  expect(offline.finding).toMatchObject({ kind: 'referee-unavailable' });
  expect(JSON.stringify(offline.finding)).toContain('is damaged');

  const io = watched();
  const again = await prepareReferee(plan, io);
  expect(again.facts.cache).toBe('rebuilt');
  expect(io.said).toContainEqual({ kind: 'warning', text: expect.stringContaining('is not what was built') });
  expect((await prepareReferee(plan, watched())).facts.cache).toBe('hit');
});

test('a cached pin runs offline, with no registry and no npm', async () => {
  const { plan, registry } = await aPinnedFake();
  await prepareReferee(plan, watched());
  const asked = registry.calls.length;
  vi.stubEnv('PATH', '');
  vi.stubEnv('npm_execpath', '');
  const referee = await prepareReferee({ ...plan, offline: true }, watched());
  expect(referee.facts.cache).toBe('hit');
  expect(registry.calls.length).toBe(asked);
});

test('an uncached pin fails offline at once, and says what to do', async () => {
  const { plan, registry } = await aPinnedFake();
  registry.hang();
  const asked = registry.calls.length;
  const from = performance.now();
  const fault = await faultOf(prepareReferee({ ...plan, offline: true }, watched()));
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(fault.finding).toEqual({
    kind: 'referee-unavailable',
    pin: plan.pin.text,
    message: `it is not in the cache ${plan.cache}, and --offline forbids fetching it`,
    remedy: `Run this once with a network: mcp-conformance-gate referee install ${plan.pin.text}`,
  });
  expect(registry.calls.length).toBe(asked);
});

test('another lock, integrity or Node major is another entry', async () => {
  const { plan } = await aPinnedFake();
  await prepareReferee(plan, watched());
  const file = join(plan.locks, 'npm-9.9.9-fake.1', 'package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8'));
  lock.packages['node_modules/fake-dependency'].license = 'ISC';
  await writeFile(file, JSON.stringify(lock));
  expect((await prepareReferee(plan, watched())).facts.cache).toBe('miss');
  expect(await readdir(plan.cache)).toHaveLength(2);
});

test('a cache folder that cannot be made is said, with the option that moves it', async () => {
  const { plan } = await aPinnedFake();
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const fault = await faultOf(prepareReferee({ ...plan, cache: join(file, 'cache') }, watched()));
  expect(fault.finding).toMatchObject({
    kind: 'referee-unavailable',
    message: expect.stringContaining('ENOTDIR'),
    remedy: expect.stringContaining('--cache DIR'),
  });
});

test('when somebody else built the same entry meanwhile, theirs is checked and used', async () => {
  const { plan } = await aPinnedFake();
  await prepareReferee(plan, watched());
  const entry = await entryFolder(plan);
  const name = 'npm-1.0.0-0123456789abcdef';
  const request = { cache: plan.cache, name, pin: 'npm:1.0.0', offline: false, ...watched() };
  const taking = (spoil: (folder: string) => Promise<unknown>) =>
    fromCache({
      ...request,
      build: async () => {
        const folder = join(plan.cache, name);
        await cp(entry, folder, { recursive: true });
        await spoil(folder);
        return JSON.parse(await readFile(join(entry, 'manifest.json'), 'utf8')).manifest;
      },
    });
  await expect(taking((folder) => rm(join(folder, 'manifest.json')))).rejects.toThrow('ENOTEMPTY');
  await rm(join(plan.cache, name), { recursive: true });
  const answer = await taking(async () => undefined);
  expect(answer.manifest.version).toBe('9.9.9-fake.1');
  expect((await readdir(plan.cache)).sort()).toEqual([name, basename(entry)].sort());
});

const SCRIPT = join(import.meta.dirname, '..', 'support', 'prepare-referee.ts');

/** A run in a process of its own, as ten jobs on one self-hosted runner would be. */
function prepareElsewhere(plan: RefereePlan) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return { child, answer: once(child, 'close').then(([code]) => ({ code, said })) };
}

test('ten runs at once on an empty cache: one builds, all succeed', async () => {
  const { plan, registry } = await aPinnedFake();
  useRegistry({ npm_config_cache: await temporaryFolder() });
  const asked = registry.calls.length;
  const answers = await Promise.all(Array.from({ length: 10 }, () => prepareElsewhere(plan).answer));
  expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(0));
  const how = answers.map(({ said }) => JSON.parse(said).cache).sort();
  expect(how).toEqual([...Array(9).fill('hit'), 'miss']);
  const tarballs = registry.calls.slice(asked).filter((call) => call.startsWith('/tarballs/'));
  expect(tarballs).toHaveLength(2);
  expect(await readdir(plan.cache)).toHaveLength(1);
});

test('a run that was killed while it built leaves nothing that a later one would use', async () => {
  const { plan, registry } = await aPinnedFake();
  useRegistry({ npm_config_cache: await temporaryFolder() });
  registry.hang();
  const asked = registry.calls.length;
  const killed = prepareElsewhere(plan);
  await vi.waitFor(() => expect(registry.calls.length).toBeGreaterThan(asked), 10_000);
  killed.child.kill('SIGKILL');
  await killed.answer;
  const left = await readdir(plan.cache);
  expect(left.map((name) => name.replace(/-.*/, '')).sort()).toEqual(['.building', '.lock']);
  // Its lock is believed for twenty seconds; they are over.
  const lock = join(plan.cache, left.find((name) => name.startsWith('.lock')) ?? '');
  const past = new Date(Date.now() - 60_000);
  await utimes(lock, past, past);
  registry.go();
  expect((await prepareReferee(plan, watched())).facts.cache).toBe('miss');
});

test('the cache stays within its size: what was not used for longest goes, what may be in use stays', async () => {
  const { plan } = await aPinnedFake();
  await prepareReferee(plan, watched());
  const first = await entryFolder(plan);
  const copy = async (name: string, hoursAgo: number) => {
    const folder = join(plan.cache, name);
    await cp(first, folder, { recursive: true });
    const used = new Date(Date.now() - hoursAgo * 3_600_000);
    await utimes(join(folder, 'used'), used, used);
  };
  await copy('npm-1.0.0-aaaaaaaaaaaaaaaa', 30);
  await copy('npm-2.0.0-bbbbbbbbbbbbbbbb', 20);
  await copy('npm-3.0.0-cccccccccccccccc', 1);
  await mkdir(join(plan.cache, 'somebody-elses'));
  await mkdir(join(plan.cache, '.building-old'));
  const past = new Date(Date.now() - 7 * 3_600_000);
  await utimes(join(plan.cache, '.building-old'), past, past);
  const size = JSON.parse(await readFile(join(first, 'manifest.json'), 'utf8')).manifest.bytes;

  const now = new Date();
  expect(await evict(plan.cache, { limit: 3 * size, keep: '', now })).toEqual(['npm-1.0.0-aaaaaaaaaaaaaaaa']);
  expect(await evict(plan.cache, { limit: 0, keep: '', now })).toEqual(['npm-2.0.0-bbbbbbbbbbbbbbbb']);
  expect(existsSync(join(plan.cache, 'somebody-elses'))).toBe(true);
  expect(existsSync(join(plan.cache, '.building-old'))).toBe(false);
  expect(await readdir(plan.cache)).toHaveLength(3);
});

test('a plan needs no cache folder beforehand', async () => {
  const { plan } = await aPinnedFake();
  const deep = await aRefereePlan({ ...plan, cache: join(plan.cache, 'not', 'there', 'yet') });
  expect((await prepareReferee(deep, watched())).facts.cache).toBe('miss');
});
