import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { locateNpm } from '../../src/referee/locate-npm.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import { aPinnedFake, aRefereePlan, useRegistry, watched } from '../support/a-referee-plan.ts';
import { fakeDependency, fakeRefereePackage } from '../support/fake-referee-package.ts';
import { faultOf } from '../support/fault-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('installs the pinned tree and nothing that a run cannot load, and reuses it', async () => {
  const { plan, registry } = await aPinnedFake();
  const first = await prepareReferee(plan, watched());
  expect(first.facts).toMatchObject({
    pin: plan.pin.text,
    version: '9.9.9-fake.1',
    integrity: expect.stringMatching(/^sha512-/),
    lock: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    node: process.version,
    cache: 'miss',
  });
  const modules = join(first.root, '..', '..');
  expect(await readdir(modules)).toEqual(['@modelcontextprotocol', 'fake-dependency']);
  expect(await readdir(join(modules, 'fake-dependency'))).toEqual(['index.js', 'package.json']);
  expect(first.abilities).toMatchObject({
    requirementsOption: { server: true, client: true },
    serverTimeout: true,
    force: false,
    specVersion: true,
    revisions: ['2025-11-25', '2026-07-28'],
  });
  expect(first.abilities.requirements).toMatchObject([
    { revision: '2025-11-25', server: ['ping'], client: ['initialize'], notScored: [{ scenario: 'later' }] },
  ]);

  const asked = registry.calls.length;
  const again = await prepareReferee(plan, watched());
  expect(again).toEqual({ ...first, facts: { ...first.facts, cache: 'hit', prepareMs: expect.any(Number) } });
  expect(registry.calls.length).toBe(asked);
});

test('writes a lock of integrities without addresses', async () => {
  const { plan } = await aPinnedFake();
  const text = await readFile(join(plan.locks, 'npm-9.9.9-fake.1', 'package-lock.json'), 'utf8');
  expect(text).not.toContain('http');
  expect(text.match(/"integrity": "sha512-/g)).toHaveLength(2);
});

test('runs no lifecycle script of the tree', async () => {
  const marks = await temporaryFolder();
  const leaveMark = (name: string) => ({
    scripts: Object.fromEntries(
      ['preinstall', 'install', 'postinstall', 'prepare'].map((script) => [
        script,
        `node -e "require('fs').writeFileSync(process.argv[1], '')" ${join(marks, `${name}-${script}`)}`,
      ]),
    ),
  });
  const { plan, registry } = await aPinnedFake([
    fakeRefereePackage({}, leaveMark('referee')),
    fakeDependency(leaveMark('dependency')),
  ]);
  vi.stubEnv('npm_config_ignore_scripts', 'false');
  vi.stubEnv('npm_config_dangerously_allow_all_scripts', 'true');
  const referee = await prepareReferee(plan, watched());
  expect(existsSync(referee.entry)).toBe(true);
  expect(registry.calls).toContain('/tarballs/fake-dependency/1.0.0.tgz');
  expect(await readdir(marks)).toEqual([]);

  // The marks are real: npm that is allowed to run scripts leaves them.
  const npm = await locateNpm({ node: process.execPath, env: process.env });
  const allowed = ['ci', '--ignore-scripts=false', '--dangerously-allow-all-scripts'];
  await execa(npm?.file ?? '', [...(npm?.args ?? []), ...allowed], {
    cwd: join(plan.locks, 'npm-9.9.9-fake.1'),
  });
  expect(await readdir(marks)).toContain('dependency-postinstall');
});

test('a tarball that is not what the lock says is an integrity fault and leaves nothing behind', async () => {
  const { plan, registry } = await aPinnedFake();
  registry.corrupt('fake-dependency');
  const fault = await faultOf(prepareReferee(plan, watched()));
  expect(fault.finding).toMatchObject({ kind: 'referee-integrity', pin: plan.pin.text });
  expect(JSON.stringify(fault.finding)).toMatch(/integrity checksum failed/i);
  expect(await readdir(plan.cache)).toEqual([]);
});

test('a version without a lock is refused with the command that makes one', async () => {
  const { plan } = await aPinnedFake();
  const bare = await aRefereePlan({ pin: plan.pin });
  await expect(prepareReferee(bare, watched())).rejects.toMatchObject({
    name: 'ConfigError',
    hint: `Resolve them once and commit what it writes: mcp-conformance-gate referee pin ${plan.pin.text}`,
  });
  const unknown = await aRefereePlan({ pin: parsePin('npm:9.9.8') });
  await expect(prepareReferee(unknown, watched())).rejects.toMatchObject({
    message: 'There is no @modelcontextprotocol/conformance 9.9.8.',
    hint: 'These exist: 9.9.9-fake.1.',
  });
});

test('a referee that does not start is a failed build', async () => {
  const { plan } = await aPinnedFake([
    fakeRefereePackage({ 'dist/index.js': "throw new Error('no such API in this Node');" }),
    fakeDependency(),
  ]);
  const fault = await faultOf(prepareReferee(plan, watched()));
  expect(fault.finding).toMatchObject({ kind: 'referee-build-failed', pin: plan.pin.text });
  expect(JSON.stringify(fault.finding)).toContain('no such API in this Node');
  expect(await readdir(plan.cache)).toEqual([]);
});

test('a requirement set that cannot be understood is not taken for one that requires nothing', async () => {
  const { plan } = await aPinnedFake([
    fakeRefereePackage({ 'requirements/2025-11-25.yaml': 'sever:\n  - ping\n' }),
    fakeDependency(),
  ]);
  const fault = await faultOf(prepareReferee(plan, watched()));
  expect(fault.finding).toMatchObject({ kind: 'referee-build-failed', step: 'read its requirement sets' });
  expect(JSON.stringify(fault.finding)).toContain('sever');
  expect(await readdir(plan.cache)).toEqual([]);
});

test('an unreachable registry makes the referee unavailable', async () => {
  const { plan } = await aPinnedFake();
  useRegistry({ npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: await temporaryFolder() });
  vi.stubEnv('npm_config_fetch_retries', '0');
  const fault = await faultOf(prepareReferee(plan, watched()));
  expect(fault.finding).toMatchObject({ kind: 'referee-unavailable', pin: plan.pin.text });
  expect(await readdir(plan.cache)).toEqual([]);
});

test('an interrupted installation says so and leaves nothing behind', async () => {
  const { plan, registry } = await aPinnedFake();
  useRegistry({ npm_config_cache: await temporaryFolder() });
  registry.hang();
  const io = watched();
  const preparing = faultOf(prepareReferee(plan, io));
  await vi.waitFor(() => expect(registry.calls.at(-1)).toMatch(/fake-dependency|conformance/), 10_000);
  io.abort('SIGTERM');
  expect((await preparing).finding).toEqual({ kind: 'interrupted', signal: 'SIGTERM' });
  expect(await readdir(plan.cache)).toEqual([]);
});
