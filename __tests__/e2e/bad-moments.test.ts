import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { runCli, TEST_CACHE } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const demo = `exec '${process.execPath}' '${join(packageRoot(), 'dist/demo-server.js')}' --port {port}`;
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test('a gate whose files are replaced while it runs says what it measured, and what it could not write', async () => {
  const cwd = await temporaryFolder();
  await cp(join(packageRoot(), 'dist'), join(cwd, 'gate/dist'), { recursive: true });
  await cp(join(packageRoot(), 'package.json'), join(cwd, 'gate/package.json'));
  await cp(join(packageRoot(), 'baselines'), join(cwd, 'gate/baselines'), { recursive: true });
  const options = [
    '--profile',
    'server:2025-11-25',
    '--scenario',
    'ping',
    '--name',
    'demo',
    '--baselines',
    'gate/baselines',
  ];
  const server = `rm -r gate/dist/chunks; ${demo}`;
  const { exitCode, stderr } = await execa(
    process.execPath,
    ['gate/dist/cli.js', 'run', ...options, '--server-command', server, '--cache', TEST_CACHE],
    { cwd, reject: false, env: { CI: '', GITHUB_ACTIONS: '' } },
  );
  expect(stderr).toContain('Nothing but the verdict was written');
  expect(stderr).toContain('PASS');
  expect(exitCode).toBe(0);
  const verdict = await readFile(join(cwd, 'conformance-report/verdict.json'), 'utf8');
  expect(verdictSchema.parse(JSON.parse(verdict)).outcome).toBe('pass');
}, 60_000);

test('a scenario that one of the profiles does not have is said before anything is started', async () => {
  const cwd = await temporaryFolder();
  const earlier = await runCli(['run', '--server-command', demo, '--scenario', 'tools-list'], { cwd });
  expect(earlier.code).toBe(0);
  const report = join(cwd, 'conformance-report/verdict.json');
  const before = await readFile(report, 'utf8');
  const server = `touch started; ${demo}`;
  const { code, stderr } = await runCli(['run', '--server-command', server, '--scenario', 'ping'], { cwd });
  expect(stderr).toContain('server:2026-07-28 has no scenario "ping"');
  expect(code).toBe(2);
  expect(await exists(join(cwd, 'started'))).toBe(false);
  expect(await readFile(report, 'utf8')).toBe(before);
}, 60_000);
