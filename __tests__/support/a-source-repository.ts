import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { locateNpm } from '../../src/referee/locate-npm.ts';
import { useRegistry } from './a-referee-plan.ts';
import { aRepository, type Repository } from './a-repository.ts';
import { startFakePackageRegistry } from './fake-package-registry.ts';
import { fakeDependency, fakeRefereePackage } from './fake-referee-package.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Copies src/ to dist/ with the tool that only a development installation has. */
const BUILD = `
import { mkdirSync } from 'node:fs';
import copy from 'fake-build-tool';
mkdirSync('dist');
copy('src/index.js', 'dist/index.js');
`;

const BUILD_TOOL = {
  'package.json': JSON.stringify({ name: 'fake-build-tool', version: '1.0.0', main: 'index.js' }),
  'index.js': "module.exports = require('node:fs').copyFileSync;\n",
};

/** The sources of the fake referee, before a lock is made for them. */
export function fakeSources(
  overrides: Readonly<Record<string, string>> = {},
  manifest: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const { 'dist/index.js': index = '', ...rest } = fakeRefereePackage(
    {},
    { devDependencies: { 'fake-build-tool': '1.0.0' }, scripts: { build: 'node build.mjs' }, ...manifest },
  );
  return {
    ...rest,
    'src/index.js': index,
    'build.mjs': BUILD,
    '.gitignore': 'dist\nnode_modules\n',
    ...overrides,
  };
}

/**
 * A repository with the sources of the fake referee, its lock made by npm from a registry on loopback, all committed.
 * @returns the repository and its commit
 */
export async function aSourceRepository(
  overrides: Readonly<Record<string, string>> = {},
  manifest: Readonly<Record<string, unknown>> = {},
): Promise<{ repository: Repository; commit: string }> {
  const registry = await startFakePackageRegistry();
  onTestFinished(() => registry[Symbol.asyncDispose]());
  await registry.publish(fakeDependency());
  await registry.publish(BUILD_TOOL);
  useRegistry(registry.env);
  const sources = fakeSources(overrides, manifest);
  const repository = await aRepository();
  const lock = await makeLock(sources['package.json'] ?? '{}');
  return { repository, commit: await repository.commit({ 'package-lock.json': lock, ...sources }) };
}

/** The lock that npm makes for a package.json, as somebody who develops the package would commit it. */
export async function makeLock(packageJson: string): Promise<string> {
  const folder = await temporaryFolder('lock-');
  await writeFile(join(folder, 'package.json'), packageJson);
  const npm = await locateNpm({ node: process.execPath, env: process.env });
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  await execa(npm?.file ?? 'npm', [...(npm?.args ?? []), ...args], { cwd: folder });
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  await rm(folder, { recursive: true });
  return lock;
}
