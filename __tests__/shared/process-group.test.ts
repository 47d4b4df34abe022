import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ProcessGroup, startGroup } from '../../src/shared/process-group.ts';
import { isRunning, until } from '../support/process-table.ts';

const env = { PATH: process.env.PATH ?? '' };

async function start(shell: string): Promise<{ group: ProcessGroup; cwd: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'gate-group-'));
  return { group: startGroup({ run: { shell }, cwd, env }), cwd };
}

/** The number that a process wrote into a file. */
async function pidIn(file: string): Promise<number> {
  const read = async (): Promise<number> => Number(await readFile(file, 'utf8').catch(() => ''));
  await until(async () => (await read()) > 0);
  return read();
}

test('tells how a process ended', async () => {
  const { group } = await start('exit 7');
  expect(await group.ended).toMatchObject({ exitCode: 7, signal: null });
  await group.stop(0);
});

test('tells why a process could not be started', async () => {
  const group = startGroup({ run: { file: '/no/such/file', args: [] }, cwd: '/', env });
  const { message, exitCode } = await group.ended;
  expect(message).toContain('ENOENT');
  expect(exitCode).toBeNull();
  await group.stop(0);
});

test('ends children that the leader started', async () => {
  const { group, cwd } = await start('sleep 300 & echo $! > child; wait');
  const child = await pidIn(join(cwd, 'child'));
  await group.stop(2_000);
  expect(await isRunning(group.pid)).toBe(false);
  expect(await isRunning(child)).toBe(false);
});

test('ends what ignores TERM, after the grace', async () => {
  const { group, cwd } = await start(`trap '' TERM; echo $$ > ready; while :; do sleep 0.05; done`);
  await pidIn(join(cwd, 'ready'));
  const started = performance.now();
  await group.stop(300);
  expect(performance.now() - started).toBeGreaterThanOrEqual(300);
  expect(await group.ended).toMatchObject({ signal: 'SIGKILL' });
});

test('ends children that outlived their leader', async () => {
  const { group, cwd } = await start('sleep 300 & echo $! > child');
  const child = await pidIn(join(cwd, 'child'));
  await group.ended;
  expect(await isRunning(child)).toBe(true);
  await group.stop(2_000);
  expect(await isRunning(child)).toBe(false);
});

test.runIf(process.platform === 'linux')('ends what left the group', async () => {
  const { group, cwd } = await start(
    'setsid sleep 300 & setsid sh -c "echo \\$\\$ > stray; exec sleep 300" & wait',
  );
  const stray = await pidIn(join(cwd, 'stray'));
  await group.stop(2_000);
  expect(await isRunning(stray)).toBe(false);
});
