import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { Watch } from '../../src/config/plan.ts';
import { newestFor } from '../../src/drift/sources/observe-referee.ts';
import { startFakeGitHub } from '../support/fake-github.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { adoptNow, look, observeOptions } from '../support/observing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SDK: Watch = { kind: 'npm', package: '@modelcontextprotocol/sdk' };
const REFEREE = '@modelcontextprotocol/conformance';

test('a package moves when its tag points elsewhere', async () => {
  await using github = await startFakeGitHub();
  await using registry = await startFakeRegistry();
  const next: Watch = { kind: 'npm', package: '@modelcontextprotocol/sdk', tag: 'next' };
  registry.publish('@modelcontextprotocol/sdk', ['1.0.0', '2.0.0-rc.1'], {
    latest: '1.0.0',
    next: '2.0.0-rc.1',
  });
  const options = observeOptions(github, { env: registry.env });
  const pinned = await adoptNow([SDK, next], options);
  registry.publish('@modelcontextprotocol/sdk', ['1.0.0', '1.0.1', '2.0.0-rc.1'], {
    latest: '1.0.1',
    next: '2.0.0-rc.1',
  });
  expect(await look(SDK, pinned, options)).toMatchObject({
    status: 'moved',
    from: { label: '1.0.0' },
    to: { label: '1.0.1' },
  });
  expect(await look(next, pinned, options)).toMatchObject({ status: 'same' });
});

test('the referee moves to the newest of its line, which is then the candidate to try', async () => {
  await using github = await startFakeGitHub();
  await using registry = await startFakeRegistry();
  registry.publish(REFEREE, ['0.1.16', '0.2.0-alpha.11'], { latest: '0.1.16' });
  const options = observeOptions(github, { env: registry.env });
  expect(await look({ kind: 'referee' }, undefined, options)).toMatchObject({
    status: 'same',
    at: { label: '0.2.0-alpha.11' },
  });
  registry.publish(REFEREE, ['0.1.16', '0.2.0-alpha.11', '0.2.0-alpha.12'], { latest: '0.1.16' });
  const moved = await look({ kind: 'referee' }, undefined, options);
  expect(moved).toMatchObject({
    status: 'moved',
    candidate: 'npm:0.2.0-alpha.12',
    from: { label: '0.2.0-alpha.11' },
  });

  // Adopted without changing the pin: passed over, until there is a newer one.
  if (moved.status !== 'moved') throw new Error('unreachable');
  const pinned = { schema: 1 as const, sources: { referee: moved.value } };
  expect(await look({ kind: 'referee' }, pinned, options)).toMatchObject({
    status: 'same',
    notes: [expect.stringContaining('passed over')],
  });
  registry.publish(REFEREE, ['0.2.0-alpha.11', '0.2.0-alpha.12', '0.2.0-alpha.13'], {
    latest: '0.2.0-alpha.11',
  });
  expect(await look({ kind: 'referee' }, pinned, options)).toMatchObject({ candidate: 'npm:0.2.0-alpha.13' });
});

test.each([
  [
    '0.2.0-alpha.11',
    ['0.1.16', '0.2.0-alpha.9', '0.2.0-alpha.11', '0.2.0-alpha.12'],
    '0.2.0-alpha.12',
    undefined,
  ],
  ['0.2.0-alpha.9', ['0.2.0-alpha.10', '0.2.0-alpha.9'], '0.2.0-alpha.10', undefined],
  ['0.2.0-alpha.12', ['0.2.0', '0.2.0-alpha.12', '0.2.0-beta.1'], '0.2.0', undefined],
  ['0.1.16', ['0.1.16', '0.2.0-alpha.12'], undefined, undefined],
  ['0.1.16', ['0.1.16', '0.1.17', '0.2.0', '0.3.0-alpha.1'], '0.1.17', '0.2.0'],
  ['0.2.0-alpha.12', ['0.3.0-alpha.1', '0.2.0-alpha.12'], '0.3.0-alpha.1', undefined],
  ['1.2.0', ['1.3.0', '2.0.0', 'not a version'], '1.3.0', '2.0.0'],
  ['1.2.0', ['1.1.9', '1.2.0'], undefined, undefined],
])('pin %s among %j: candidate %s, beyond %s', (pin, versions, candidate, beyond) => {
  expect(newestFor(pin, versions)).toEqual({ candidate, beyond });
});

test.each([
  [404, 'not-found'],
  [403, 'forbidden'],
  [401, 'unauthorised'],
  [429, 'rate-limited'],
  [503, 'server-error'],
  ['hang', 'timeout'],
] as const)('a registry that answers %s makes the package unknown: %s', async (status, reason) => {
  await using github = await startFakeGitHub();
  await using registry = await startFakeRegistry();
  registry.fail(status);
  const options = observeOptions(github, { env: registry.env, timeoutMs: status === 'hang' ? 1500 : 20_000 });
  const report = await look(SDK, undefined, options);
  expect(report).toMatchObject({ status: 'unknown', reason });
  // npm's sentence names the registry, which may be a private one.
  expect(JSON.stringify(report)).not.toContain('127.0.0.1');
  expect(registry.calls.length).toBeGreaterThan(0);
});

test('without npm the package is unknown, and says what is missing', async () => {
  await using github = await startFakeGitHub();
  const options = observeOptions(github, { env: { PATH: '/nowhere' }, node: '/nowhere/bin/node' });
  expect(await look(SDK, undefined, options)).toMatchObject({ status: 'unknown', reason: 'tool-missing' });
});

test('a git pin moves with the head of its repository, wherever that lies', async () => {
  await using github = await startFakeGitHub();
  const folder = await temporaryFolder();
  const git = async (...args: string[]) =>
    (await execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })).stdout;
  await git('init', '-q', '-b', 'main');
  await git('commit', '-q', '--allow-empty', '-m', 'one');
  const commit = await git('rev-parse', 'HEAD');
  const options = observeOptions(github, {
    pin: { kind: 'git', commit, text: `git:${commit}` },
    repository: folder,
  });
  expect(await look({ kind: 'referee' }, undefined, options)).toMatchObject({ status: 'same' });
  await git('commit', '-q', '--allow-empty', '-m', 'two');
  const head = await git('rev-parse', 'HEAD');
  expect(await look({ kind: 'referee' }, undefined, options)).toMatchObject({
    status: 'moved',
    from: { label: commit.slice(0, 12) },
    candidate: `git:${head}`,
  });
  expect(
    await look({ kind: 'referee' }, undefined, { ...options, repository: `${folder}/none` }),
  ).toMatchObject({ status: 'unknown', reason: 'unreachable' });
});
