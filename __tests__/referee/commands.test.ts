import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { hashOfText } from '../../src/referee/cache-entry.ts';
import { installReferee } from '../../src/referee/commands/install.ts';
import { listReferees } from '../../src/referee/commands/list.ts';
import { pinReferee } from '../../src/referee/commands/pin.ts';
import { verifyReferee } from '../../src/referee/commands/verify.ts';
import { hashTree, treeText } from '../../src/referee/hash-tree.ts';
import { sealManifest } from '../../src/referee/manifest.ts';
import { PinMistake, parsePin } from '../../src/referee/parse-pin.ts';
import { explainPinMistake } from '../../src/referee/versions.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { aPinnedFake, aRefereePlan, useRegistry, watched } from '../support/a-referee-plan.ts';
import { aSourceRepository } from '../support/a-source-repository.ts';
import { fakeDependency, fakeRefereePackage } from '../support/fake-referee-package.ts';
import { faultOf } from '../support/fault-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const signal = new AbortController().signal;
const PIN = 'npm:9.9.9-fake.1';

test('pin resolves once, and says what a second resolving changed', async () => {
  const { plan, registry } = await aPinnedFake([
    fakeRefereePackage({}, { dependencies: { 'fake-dependency': '^1.0.0' } }),
    fakeDependency(),
  ]);
  const again = await pinReferee(plan, watched());
  expect(again).toEqual({
    pin: PIN,
    integrity: expect.stringMatching(/^sha512-/),
    lock: expect.stringMatching(/^sha256:/),
    file: join(plan.locks, 'npm-9.9.9-fake.1', 'package-lock.json'),
    packages: 2,
    changed: [],
  });
  await registry.publish(fakeDependency({ version: '1.2.0' }));
  const moved = await pinReferee(plan, watched());
  expect(moved.changed).toEqual(['fake-dependency 1.0.0 → 1.2.0']);
  expect(moved.lock).not.toBe(again.lock);
  expect(
    JSON.parse(await readFile(join(plan.locks, 'npm-9.9.9-fake.1', 'package.json'), 'utf8')),
  ).toMatchObject({
    private: true,
    dependencies: { '@modelcontextprotocol/conformance': '9.9.9-fake.1' },
  });
});

test('pin refuses what does not exist, and says when nobody answers', async () => {
  const { plan } = await aPinnedFake();
  await expect(pinReferee({ ...plan, pin: parsePin('npm:9.9.8') }, watched())).rejects.toMatchObject({
    message: 'There is no @modelcontextprotocol/conformance 9.9.8.',
    hint: 'These exist: 9.9.9-fake.1.',
  });
  const lacking = await aPinnedFake([fakeRefereePackage(), fakeDependency()]);
  await lacking.registry.publish(
    fakeRefereePackage({}, { version: '9.9.9', dependencies: { 'never-published': '1.0.0' } }),
  );
  const missing = await faultOf(pinReferee({ ...lacking.plan, pin: parsePin('npm:9.9.9') }, watched()));
  expect(missing.finding).toMatchObject({
    kind: 'referee-unavailable',
    message: expect.stringContaining('E404'),
  });

  useRegistry({ npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: await temporaryFolder() });
  vi.stubEnv('npm_config_fetch_retries', '0');
  expect((await faultOf(pinReferee(plan, watched()))).finding).toMatchObject({ kind: 'referee-unavailable' });
});

test('pin of a commit builds it, which shows that it can be', async () => {
  const { repository, commit } = await aSourceRepository();
  const plan = await aRefereePlan({ pin: parsePin(`git:${commit}`), repository: repository.path });
  expect(await pinReferee(plan, watched())).toEqual({
    pin: `git:${commit}`,
    commit,
    lock: expect.stringMatching(/^sha256:/),
    changed: [],
  });
});

test('list, install and verify tell of the same referee', async () => {
  const { plan } = await aPinnedFake();
  expect(await listReferees({ ...plan, offline: true }, { signal })).toEqual({
    default: 'npm:0.2.0-alpha.12',
    wanted: PIN,
    locked: [
      expect.objectContaining({ pin: PIN, ships: false }),
      expect.objectContaining({ pin: 'npm:0.2.0-alpha.12', ships: true }),
    ],
    cache: plan.cache,
    cached: [],
    published: undefined,
  });
  expect(await verifyReferee(plan, { again: false }, watched())).toMatchObject({ state: 'absent' });

  const installed = await installReferee(plan, watched());
  expect(installed).toMatchObject({
    facts: { pin: PIN, cache: 'miss' },
    requirements: [{ revision: '2025-11-25' }],
    revisions: ['2025-11-25', '2026-07-28'],
    serverTimeout: true,
  });
  expect((await listReferees(plan, { signal })).cached).toEqual([
    expect.objectContaining({ pin: PIN, node: process.version, bytes: expect.any(Number) }),
  ]);
  expect((await listReferees(plan, { signal })).published).toEqual(['9.9.9-fake.1']);
  expect(await verifyReferee(plan, { again: true }, watched())).toMatchObject({
    pin: PIN,
    state: 'whole',
    damage: [],
    files: 7,
    again: [],
  });
});

test('verify with a second build finds what was changed along with its manifest', async () => {
  const { plan } = await aPinnedFake();
  await installReferee(plan, watched());
  // Whoever can write the file can write the manifest: nothing in the cache contradicts itself.
  const { folder } = await verifyReferee(plan, { again: false }, watched());
  const tree = join(folder, 'tree');
  await writeFile(join(tree, 'node_modules', 'fake-dependency', 'index.js'), 'module.exports = 2;\n');
  const { manifest } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const files = treeText(hashTree(tree).tree);
  await writeFile(join(folder, 'files.sha256'), files);
  await writeFile(join(folder, 'manifest.json'), sealManifest({ ...manifest, tree: hashOfText(files) }));
  expect(await verifyReferee(plan, { again: true }, watched())).toMatchObject({
    state: 'whole',
    again: ['node_modules/fake-dependency/index.js was changed'],
  });
});

test('a mistaken npm pin is explained with the versions that exist, also when its place was added', async () => {
  const { registry } = await aPinnedFake();
  const mistake = (() => {
    try {
      return parsePin('npm:latest');
    } catch (error) {
      return error;
    }
  })();
  if (!(mistake instanceof PinMistake)) throw new Error('it was taken');
  const place = { file: 'mcp-conformance.yaml', line: 1 };
  const placed = new ConfigError(mistake.message, { place, hint: 'old', cause: mistake });
  expect(await explainPinMistake(placed, signal)).toMatchObject({
    message: mistake.message,
    place,
    hint: 'Write an exact version. These exist: 9.9.9-fake.1.',
  });
  const other = new ConfigError('something else');
  expect(await explainPinMistake(other, signal)).toBe(other);
  await registry[Symbol.asyncDispose]();
  expect(await explainPinMistake(placed, signal)).toBe(placed);
});
