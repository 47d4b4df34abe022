import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/shared/package-root.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SERVER = join(packageRoot(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const TARGET = ['--server-command', `exec '${process.execPath}' '${SERVER}' streamableHttp`];
/** The whole proof is LIVE_RUNS=20, which takes minutes; every test run repeats a few. */
const RUNS = Number(process.env.LIVE_RUNS ?? 3);
const SLUGS = ['server-2025-11-25', 'server-2026-07-28'];

test('a real server that was accepted once passes every time, each time at another port', {
  timeout: 600_000,
}, async () => {
  const cwd = await temporaryFolder();
  const run = (command: string) => runCli([command, ...TARGET], { cwd });
  expect((await run('run')).code).toBe(1);
  const accepted = await run('accept');
  expect(accepted.code, accepted.stderr).toBe(0);
  for (const slug of SLUGS) {
    const file = join(cwd, 'baselines', `${slug}.yaml`);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/reviewed:$/m);
    await writeFile(file, text.replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30'));
  }
  const ports = new Set<string>();
  for (let n = 1; n <= RUNS; n++) {
    const { code, stderr } = await run('run');
    expect(code, `run ${n}: ${stderr}`).toBe(0);
    for (const slug of SLUGS) {
      const metadata = await readFile(
        join(cwd, 'conformance-report', 'profiles', slug, 'metadata.json'),
        'utf8',
      );
      ports.add(new URL(JSON.parse(metadata).target.url).port);
    }
  }
  // Free ports are picked at random; some may come twice.
  expect(ports.size).toBeGreaterThan(RUNS);
});
