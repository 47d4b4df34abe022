import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Verdict, verdictSchema } from '../../src/gate/verdict.ts';
import { DEFAULT_PIN, parsePin } from '../../src/referee/parse-pin.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import { runMetadataSchema } from '../../src/run/metadata.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { watched } from '../support/a-referee-plan.ts';
import { processesWith } from '../support/processes-with.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const demo = `exec '${process.execPath}' '${join(packageRoot(), 'dist/demo-server.js')}' --port {port}`;

/** A cache whose referee somebody changed: a line more in the file that is run. */
async function aChangedReferee(): Promise<string> {
  const cache = await temporaryFolder();
  const locks = join(packageRoot(), 'baselines', 'referee');
  const plan = { pin: parsePin(DEFAULT_PIN), repository: '', locks, cache, offline: false };
  const { entry } = await prepareReferee(plan, watched());
  await appendFile(entry, '\nprocess.stdout.write("the changed referee ran\\n");\n');
  return cache;
}

async function run(
  cache: string,
  ...more: string[]
): Promise<{ code: number | null; stderr: string; verdict: Verdict; report: string; left: string[] }> {
  const cwd = await temporaryFolder();
  const args = ['run', '--name', 'demo', '--baselines', join(packageRoot(), 'baselines')];
  const { code, stderr } = await runCli([...args, '--server-command', demo, '--cache', cache, ...more], {
    cwd,
    env: { RUN_MARK: cwd },
  });
  const report = join(cwd, 'conformance-report');
  const verdict = verdictSchema.parse(JSON.parse(await readFile(join(report, 'verdict.json'), 'utf8')));
  return { code, stderr, verdict, report, left: await processesWith(cwd) };
}

test('a cached referee that was changed is never run: built anew where it can be, nothing measured where not', async () => {
  const cache = await aChangedReferee();
  const offline = await run(cache, '--offline');
  expect(offline.code).toBe(3);
  expect(offline.verdict.findings).toMatchObject([
    { kind: 'referee-unavailable', message: expect.stringContaining('is damaged') },
  ]);
  expect(offline.verdict.profiles).toEqual([]);
  expect(offline.left).toEqual([]);

  const online = await run(cache);
  expect(online.stderr).toContain('is not what was built');
  expect(online.code).toBe(0);
  for (const { profile, slug, referee } of online.verdict.profiles) {
    expect([profile, referee?.cache]).toEqual([profile, 'rebuilt']);
    const folder = join(online.report, 'profiles', slug);
    expect(await readFile(join(folder, 'referee.log'), 'utf8')).not.toContain('the changed referee ran');
    const metadata = JSON.parse(await readFile(join(folder, 'metadata.json'), 'utf8'));
    expect(runMetadataSchema.parse(metadata).referee.cache).toBe('rebuilt');
  }
  expect(online.verdict.profiles).toHaveLength(2);
}, 180_000);
