import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { verifyReferee } from '../../src/referee/commands/verify.ts';
import { REFEREE_PACKAGE } from '../../src/referee/known-pins.ts';
import { DEFAULT_PIN, parsePin } from '../../src/referee/parse-pin.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import type { Referee } from '../../src/referee/referee.ts';
import { shippedLocks } from '../../src/referee/shipped-locks.ts';
import { aReferee } from '../support/a-referee.ts';
import { aRefereePlan, watched } from '../support/a-referee-plan.ts';
import { aRepository, type Repository } from '../support/a-repository.ts';
import { startDemoServer } from '../support/demo-server.ts';
import { registryAnswers } from '../support/registry-answers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.skipIf(!registryAnswers)(
  'the real package (skipped only when the npm registry does not answer)',
  () => {
    test('npm, git and path pins of the same content give the same results on both revisions', async () => {
      const { repository, commit } = await refereeRepository();
      const cache = await temporaryFolder('referee-cache-');
      const base = await aRefereePlan({ cache, repository: repository.path });
      const npm = await prepareReferee({ ...base, pin: parsePin(DEFAULT_PIN) }, watched());
      const git = await prepareReferee({ ...base, pin: parsePin(`git:${commit}`) }, watched());
      const path = await prepareReferee(
        { ...base, pin: parsePin(`path:${repository.path}@${commit}`), cache: await temporaryFolder() },
        watched(),
      );
      expect([npm, git, path].map(({ facts }) => facts.cache)).toEqual(['miss', 'miss', 'miss']);
      expect(git.facts.version).toBe(npm.facts.version);
      expect(git.abilities).toEqual(npm.abilities);
      expect(path.abilities).toEqual(npm.abilities);

      await using server = await startDemoServer();
      for (const revision of ['2025-11-25', '2026-07-28']) {
        const expected = await results(npm, server.url, revision);
        expect(expected.length).toBeGreaterThan(50);
        expect(await results(git, server.url, revision)).toEqual(expected);
        expect(await results(path, server.url, revision)).toEqual(expected);
      }
      // The same lock gives the same files, byte for byte, whenever it is built.
      const verified = await verifyReferee(
        { ...base, pin: parsePin(DEFAULT_PIN) },
        { again: true },
        watched(),
      );
      expect(verified).toMatchObject({ state: 'whole', again: [] });
      // Running it wrote nothing into the cache, so the next run may use it.
      expect((await prepareReferee({ ...base, pin: parsePin(DEFAULT_PIN) }, watched())).facts.cache).toBe(
        'hit',
      );
      expect((await prepareReferee({ ...base, pin: parsePin(`git:${commit}`) }, watched())).facts.cache).toBe(
        'hit',
      );
    }, 300_000);
  },
);

/** Scenario, check and status of everything that the referee said about a server. */
async function results(referee: Referee, url: string, revision: string): Promise<string[]> {
  const out = await temporaryFolder('results-');
  await execa(referee.node, [referee.entry, 'server', '--url', url, '--requirements', revision, '-o', out], {
    reject: false,
  });
  const checks = z.array(z.object({ id: z.string(), status: z.string() }));
  const said: string[] = [];
  for (const folder of (await readdir(out)).sort()) {
    const scenario = folder.replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    const text = await readFile(join(out, folder, 'checks.json'), 'utf8').catch(() => '[]');
    for (const { id, status } of checks.parse(JSON.parse(text))) said.push(`${scenario} ${id} ${status}`);
  }
  return said;
}

/** The package's content as somebody could develop it: its bundle is a source, and a build script makes dist/ of it. */
async function refereeRepository(): Promise<{ repository: Repository; commit: string }> {
  const { root } = aReferee();
  const repository = await aRepository();
  await cp(join(root, 'requirements'), join(repository.path, 'requirements'), { recursive: true });
  await mkdir(join(repository.path, 'stored'));
  await cp(join(root, 'dist', 'index.js'), join(repository.path, 'stored', 'bundle.js'));
  const { devDependencies: _tools, ...manifest } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const sources = { ...manifest, scripts: { build: 'node build.mjs' } };
  const commit = await repository.commit({
    'package.json': JSON.stringify(sources),
    'package-lock.json': JSON.stringify(await lockFor(sources)),
    'build.mjs': "import { cpSync } from 'node:fs'; cpSync('stored/bundle.js', 'dist/index.js');",
  });
  return { repository, commit };
}

/** The lock that ships, seen from the referee itself instead of from somebody who depends on it. */
async function lockFor(manifest: Record<string, unknown>): Promise<unknown> {
  const file = join(shippedLocks(), 'npm-0.2.0-alpha.12', 'package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8'));
  const { [`node_modules/${REFEREE_PACKAGE}`]: referee, '': _dependent, ...tree } = lock.packages;
  const { integrity: _integrity, ...itself } = referee;
  return {
    ...lock,
    name: manifest.name,
    version: manifest.version,
    packages: { '': { name: manifest.name, ...itself }, ...tree },
  };
}
