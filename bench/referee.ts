// How long until the referee can run: out of the cache, installed cold from its lock, and the way its own action does it, which
// is `npm ci` and a build from source. Cold means an npm cache of its own, empty. The three take turns.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { z } from 'zod';
import type { RefereePlan } from '../src/config/plan.ts';
import { REFEREE_PACKAGE, REFEREE_REPOSITORY } from '../src/referee/known-pins.ts';
import { locateNpm } from '../src/referee/locate-npm.ts';
import { DEFAULT_PIN, parsePin } from '../src/referee/parse-pin.ts';
import { type BenchRow, median } from './row.ts';

const ROUNDS = 3;
const WARM_ROUNDS = 7;
/** A commit of the referee's own repository, 0.2.0-alpha.11. */
const SOURCE_COMMIT = 'c321dd32035556e6769d3724a8ee97d87c3faaac';
const root = fileURLToPath(new URL('..', import.meta.url));

export default async function referee(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-gate-bench-referee-'));
  try {
    const source = await sourceCheckout(folder);
    const build: number[] = [];
    const install: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      build.push(await buildFromSource(source.path, join(folder, `build-${round}`)));
      install.push(await prepare(planWith(join(folder, `cold-${round}`)), join(folder, `npm-${round}`)));
    }
    const kept = planWith(join(folder, 'cold-0'));
    const cached: number[] = [];
    for (let round = 0; round < WARM_ROUNDS; round++) cached.push(await prepare(kept, join(folder, 'npm-0')));
    const [from, cold, ready] = [median(build), median(install), median(cached)];
    return [
      { name: `referee: npm ci + build from source (${source.what})`, value: from, unit: 'ms' },
      { name: `referee: cold ${DEFAULT_PIN}`, value: cold, unit: 'ms' },
      { name: 'referee: cached, verified, ready', value: ready, unit: 'ms', goal: 300 },
      { name: 'referee: cached ÷ from source', value: ready / from, unit: '×', goal: 0.05 },
      { name: 'referee: cold npm pin ÷ from source', value: cold / from, unit: '×', goal: 0.9 },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function planWith(cache: string): RefereePlan {
  return {
    pin: parsePin(DEFAULT_PIN),
    repository: '',
    locks: join(root, 'baselines/referee'),
    cache,
    offline: false,
  };
}

/** In a process of its own, as a run is: nothing is warm but the disk. Returns what the gate itself says that it took. */
async function prepare(plan: RefereePlan, npmCache: string): Promise<number> {
  const script = join(root, '__tests__/support/prepare-referee.ts');
  const { stdout } = await execa(process.execPath, [script, JSON.stringify(plan)], {
    env: { npm_config_cache: npmCache },
  });
  return z.object({ prepareMs: z.number() }).parse(JSON.parse(stdout)).prepareMs;
}

async function buildFromSource(source: string, folder: string): Promise<number> {
  await cp(source, folder, { recursive: true });
  const npm = await npmCommand();
  const options = { cwd: folder, env: { npm_config_cache: `${folder}-npm`, NODE_ENV: '' } };
  const from = performance.now();
  await execa(npm.file, [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await execa(npm.file, [...npm.args, 'run', 'build'], options);
  const took = performance.now() - from;
  if (!existsSync(join(folder, 'dist/index.js')))
    throw new Error('the build from source left no dist/index.js');
  return took;
}

/**
 * The referee's sources: from the repository in REFEREE_SOURCE (a path or URL), else from its own. Where neither can be
 * reached, a stand-in is made of the npm package. Its build only copies, so the ratios are then worse than the real ones.
 */
async function sourceCheckout(folder: string): Promise<{ path: string; what: string }> {
  const path = join(folder, 'source');
  await mkdir(path);
  const git = (...args: string[]) =>
    execa('git', args, { cwd: path, reject: false, timeout: 60_000, env: { GIT_TERMINAL_PROMPT: '0' } });
  await git('init', '--quiet');
  for (const repository of [process.env.REFEREE_SOURCE, REFEREE_REPOSITORY]) {
    if (!repository) continue;
    const fetched = await git('fetch', '--quiet', '--depth=1', '--', repository, SOURCE_COMMIT);
    if (fetched.exitCode !== 0) continue;
    await git('checkout', '--quiet', '--detach', SOURCE_COMMIT);
    return { path, what: `commit ${SOURCE_COMMIT.slice(0, 12)}` };
  }
  await standIn(path);
  return { path, what: 'a stand-in made of the npm package; set REFEREE_SOURCE for the real one' };
}

/** The npm package turned into sources: a stored bundle, a build that copies it, and the lock of what it needs to run. */
async function standIn(path: string): Promise<void> {
  const installed = join(root, 'node_modules', REFEREE_PACKAGE);
  await cp(join(installed, 'requirements'), join(path, 'requirements'), { recursive: true });
  await cp(join(installed, 'dist/index.js'), join(path, 'stored/bundle.js'));
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  delete manifest.devDependencies;
  const build = `node -e "require('fs').cpSync('stored/bundle.js', 'dist/index.js')"`;
  await writeFile(join(path, 'package.json'), JSON.stringify({ ...manifest, scripts: { build } }));
  const npm = await npmCommand();
  await execa(npm.file, [...npm.args, 'install', '--package-lock-only', '--ignore-scripts'], { cwd: path });
}

async function npmCommand() {
  const npm = await locateNpm({ node: process.execPath, env: process.env });
  if (npm === undefined) throw new Error('this bench needs npm');
  return npm;
}
