import { chown, lstat, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import type { RefereePlan } from '../../src/config/plan.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import { aRefereePlan, watched } from '../support/a-referee-plan.ts';
import type { Repository } from '../support/a-repository.ts';
import { aSourceRepository } from '../support/a-source-repository.ts';
import { faultOf } from '../support/fault-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const gitPlan = ({ path }: Repository, commit: string) =>
  aRefereePlan({ pin: parsePin(`git:${commit}`), repository: path });
const pathPlan = ({ path }: { path: string }, commit: string) =>
  aRefereePlan({ pin: parsePin(`path:${path}@${commit}`) });
const prepare = async (plan: RefereePlan) => prepareReferee(plan, watched());

test('a commit is built with the tools of its lock, and kept with only what it takes to run', async () => {
  const { repository, commit } = await aSourceRepository();
  const plan = await gitPlan(repository, commit);
  const referee = await prepare(plan);
  expect(referee.facts).toMatchObject({
    pin: `git:${commit}`,
    commit,
    version: '9.9.9-fake.1',
    lock: expect.stringMatching(/^sha256:/),
    cache: 'miss',
    buildMs: expect.any(Number),
  });
  expect(referee.facts.integrity).toBeUndefined();
  expect(referee.abilities.requirements).toMatchObject([{ revision: '2025-11-25' }]);
  expect(await readdir(referee.root)).not.toContain('.git');
  expect(await readdir(join(referee.root, 'node_modules'))).toEqual(['fake-dependency']);
  // The same commit from a checkout is the same referee.
  const path = { ...plan, pin: parsePin(`path:${repository.path}@${commit}`) };
  expect((await prepare(path)).facts).toMatchObject({ pin: path.pin.text, commit, cache: 'hit' });
});

test('a branch that moved changes nothing: the pinned commit is built, not what took its name', async () => {
  const { repository, commit } = await aSourceRepository();
  await repository.commit({ 'src/index.js': "throw new Error('moved');" });
  await repository.git('branch', 'other', commit);
  await repository.git('checkout', '--quiet', '--orphan', 'fresh');
  await repository.commit({});
  await repository.git('branch', '--force', 'main', 'fresh');
  await repository.git('branch', '-D', 'other');
  const referee = await prepare(await gitPlan(repository, commit));
  expect(await readFile(referee.entry, 'utf8')).not.toContain('moved');
});

test('a checkout is only read: edits, staged edits, untracked files and an old dist stay and do not count', async () => {
  const { repository, commit } = await aSourceRepository();
  await writeFile(join(repository.path, 'src', 'index.js'), "throw new Error('edited');");
  await writeFile(join(repository.path, 'build.mjs'), 'process.exit(1);');
  await repository.git('add', 'build.mjs');
  await writeFile(join(repository.path, 'untracked.txt'), '');
  await execa('mkdir', ['dist', 'node_modules'], { cwd: repository.path });
  await writeFile(join(repository.path, 'dist', 'index.js'), "throw new Error('old build');");
  await writeFile(join(repository.path, '.git', 'info', 'attributes'), '* export-ignore\n');
  await repository.git('config', 'core.fsmonitor', `touch ${join(repository.path, 'ran')}; false`);
  const before = await snapshot(repository.path);

  const referee = await prepare(await pathPlan(repository, commit));
  expect(await readFile(referee.entry, 'utf8')).not.toMatch(/edited|old build/);
  expect(await snapshot(repository.path)).toEqual(before);
});

test('a shallow checkout, as actions/checkout makes it, and a linked work tree will do', async () => {
  const { repository, commit } = await aSourceRepository();
  const head = await repository.commit({ 'README.md': 'newer' });
  const shallow = join(await temporaryFolder(), 'shallow');
  await repository.git('clone', '--quiet', '--depth=1', `file://${repository.path}`, shallow);
  expect((await prepare(await pathPlan({ path: shallow }, head))).facts.commit).toBe(head);
  const linked = join(await temporaryFolder(), 'linked');
  await repository.git('worktree', 'add', '--quiet', '--detach', linked, commit);
  expect((await prepare(await pathPlan({ path: linked }, commit))).facts.commit).toBe(commit);
});

test.runIf(process.getuid?.() === 0)('a checkout of another user, as in a container, will do', async () => {
  const { repository, commit } = await aSourceRepository();
  for (const name of ['', '.git']) await chown(join(repository.path, name), 12345, 12345);
  await expect(execa('git', ['rev-parse', 'HEAD'], { cwd: repository.path })).rejects.toThrow('dubious');
  expect((await prepare(await pathPlan(repository, commit))).facts.commit).toBe(commit);
});

test('pins that do not mean a commit that is there are the user’s mistake', async () => {
  const { repository, commit } = await aSourceRepository();
  const head = await repository.commit({ 'sub/file': '' });
  await repository.git('tag', '--annotate', 'v1', '--message', 'v1');
  const tag = await repository.git('rev-parse', 'v1');
  const missing = 'a'.repeat(40);
  const empty = await temporaryFolder();
  const mistakes: [string, RefereePlan][] = [
    ['no such commit', await gitPlan(repository, missing)],
    ['a tag object', await gitPlan(repository, tag)],
    ['a tree', await gitPlan(repository, await repository.git('rev-parse', 'HEAD^{tree}'))],
    ['another commit', await pathPlan(repository, commit)],
    ['no folder', await pathPlan({ path: join(empty, 'nothing') }, head)],
    ['no work tree', await pathPlan({ path: empty }, head)],
    ['the .git folder', await pathPlan({ path: join(repository.path, '.git') }, head)],
    ['a folder inside', await pathPlan({ path: join(repository.path, 'sub') }, head)],
  ];
  const said: string[] = [];
  for (const [name, plan] of mistakes) {
    const error = await prepare(plan).catch((reason: unknown) => reason);
    expect(error, name).toMatchObject({ name: 'ConfigError' });
    const { message, hint } = error as { message: string; hint?: string };
    const known = { [repository.path]: '<repository>', [empty]: '<empty>', [commit]: '<commit>' };
    said.push(
      Object.entries({ ...known, [head]: '<head>', [tag]: '<tag>', [tag.slice(0, 12)]: '<tag>' }).reduce(
        (text, [real, word]) => text.replaceAll(real, word),
        `${name}: ${message}\n  → ${hint}`,
      ),
    );
    expect(await readdir(plan.cache), name).toEqual([]);
  }
  expect(said.join('\n').replaceAll(/[0-9a-f]{40}|[0-9a-f]{12}/g, '<sha>')).toMatchSnapshot();
});

test('a commit whose tree is not nailed down is refused', async () => {
  const { repository, commit } = await aSourceRepository();
  const lock = JSON.parse(await readFile(join(repository.path, 'package-lock.json'), 'utf8'));
  delete lock.packages['node_modules/fake-dependency'].integrity;
  const loose = await repository.commit({ 'package-lock.json': JSON.stringify(lock) });
  const broken = await repository.commit({ 'package-lock.json': '{' });
  const without = await repository.commit({ 'package-lock.json': undefined });
  for (const [bad, words] of [
    [loose, 'does not say what these packages must contain: node_modules/fake-dependency'],
    [broken, "the commit's package-lock.json is not JSON"],
    [without, 'the commit has no package-lock.json'],
  ] as const) {
    const plan = await gitPlan(repository, bad);
    await expect(prepare(plan)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(words),
    });
    expect(await readdir(plan.cache)).toEqual([]);
  }
  expect((await prepare(await gitPlan(repository, commit))).facts.commit).toBe(commit);
});

test('a build that fails, or leaves no dist, is a failed build with what it said', async () => {
  const { repository } = await aSourceRepository();
  const failing = await repository.commit({
    'build.mjs': "console.error('cannot find the moon'); process.exit(3);",
  });
  const nothing = await repository.commit({ 'build.mjs': '' });
  const carried = await repository.commit({ 'dist/index.js': "console.log('carried along')" });
  const linked = await repository.commit({
    'build.mjs':
      "import { mkdirSync, symlinkSync } from 'node:fs'; mkdirSync('dist'); symlinkSync('../src/index.js', 'dist/index.js');",
  });
  for (const [commit, words] of [
    [failing, 'cannot find the moon'],
    [nothing, 'left no file dist/index.js'],
    [carried, 'left no file dist/index.js'],
    [linked, 'left no file dist/index.js'],
  ] as const) {
    const plan = await gitPlan(repository, commit);
    const { finding } = await faultOf(prepare(plan));
    expect(finding).toMatchObject({ kind: 'referee-build-failed', step: 'npm run build' });
    expect(JSON.stringify(finding)).toContain(words);
    expect(await readdir(plan.cache)).toEqual([]);
  }
});

test('a link that leads out of the tree is not kept: what it leads to could change', async () => {
  const { repository } = await aSourceRepository();
  await symlink('../../../../../etc', join(repository.path, 'out'));
  const plan = await gitPlan(repository, await repository.commit({}));
  const { finding } = await faultOf(prepare(plan));
  expect(finding).toMatchObject({ kind: 'referee-build-failed', step: 'keep what was built' });
  expect(JSON.stringify(finding)).toContain('out is a symbolic link');
});

test('a repository that cannot be reached makes the referee unavailable, and its token is not told', async () => {
  const plan = await aRefereePlan({
    pin: parsePin(`git:${'b'.repeat(40)}`),
    repository: 'http://user:s3cret@127.0.0.1:9/conformance.git',
  });
  const { finding } = await faultOf(prepare(plan));
  expect(finding).toMatchObject({ kind: 'referee-unavailable' });
  expect(JSON.stringify(finding)).toContain('http://127.0.0.1:9/conformance.git cannot be fetched from');
  expect(JSON.stringify(finding)).not.toContain('s3cret');
});

test('a repository whose objects are damaged is an integrity fault', async () => {
  const { repository, commit } = await aSourceRepository();
  const blob = await repository.git('rev-parse', 'HEAD:src/index.js');
  const file = join(repository.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2));
  await rm(file);
  await writeFile(file, 'damaged');
  for (const plan of [await gitPlan(repository, commit), await pathPlan(repository, commit)]) {
    expect((await faultOf(prepare(plan))).finding).toMatchObject({ kind: 'referee-integrity' });
    expect(await readdir(plan.cache)).toEqual([]);
  }
});

test('without git, a commit is unavailable', async () => {
  const plan = await aRefereePlan({ pin: parsePin(`git:${'c'.repeat(40)}`), repository: '/nowhere' });
  vi.stubEnv('PATH', '');
  const { finding } = await faultOf(prepare(plan).finally(() => vi.unstubAllEnvs()));
  expect(finding).toMatchObject({
    kind: 'referee-unavailable',
    message: 'git is not on PATH, and this pin is a commit',
  });
});

test('a build script sees no secret of the run, and nothing that it started lives on', async () => {
  const { repository, commit } = await aSourceRepository({
    'build.mjs': `
      import { spawn } from 'node:child_process';
      import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist');
      copyFileSync('src/index.js', 'dist/index.js');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      child.unref();
      writeFileSync('dist/seen.json', JSON.stringify({ env: process.env, pid: child.pid, node: process.version }));
    `,
  });
  const secrets = {
    INPUT_TOKEN: 's3cret',
    GITHUB_TOKEN: 's3cret',
    ACTIONS_RUNTIME_TOKEN: 's3cret',
    NPM_TOKEN: 's3cret',
    SERVER_PASSWORD: 's3cret',
  };
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  const referee = await prepare(await gitPlan(repository, commit));
  const seen = JSON.parse(await readFile(join(referee.root, 'dist', 'seen.json'), 'utf8'));
  expect(JSON.stringify(seen.env)).not.toContain('s3cret');
  expect(seen.env).not.toHaveProperty('NODE_OPTIONS');
  expect(seen.env.HOME).not.toBe(process.env.HOME);
  expect(seen.node).toBe(process.version);
  await vi.waitFor(() => expect(() => process.kill(seen.pid, 0)).toThrow('ESRCH'), 5_000);
});

test('an interrupted build ends with everything that it started', async () => {
  const marks = await temporaryFolder();
  const { repository, commit } = await aSourceRepository({
    'build.mjs': `
      import { spawn } from 'node:child_process';
      import { renameSync, writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      writeFileSync('pids', JSON.stringify([process.pid, child.pid]));
      renameSync('pids', ${JSON.stringify(join(marks, 'pids'))});
      setInterval(() => {}, 1000);
    `,
  });
  const plan = await gitPlan(repository, commit);
  const io = watched();
  const preparing = faultOf(prepareReferee(plan, io));
  const pids: number[] = await vi.waitFor(
    async () => JSON.parse(await readFile(join(marks, 'pids'), 'utf8')),
    30_000,
  );
  io.abort('SIGINT');
  expect((await preparing).finding).toEqual({ kind: 'interrupted', signal: 'SIGINT' });
  for (const pid of pids) {
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 5_000);
  }
  expect(await readdir(plan.cache)).toEqual([]);
});

/** Everything about a folder that a change would show in: names, kinds, contents, times. */
async function snapshot(folder: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const stats = await lstat(path);
    const content = stats.isSymbolicLink()
      ? await readlink(path)
      : stats.isFile()
        ? (await readFile(path)).toString('base64')
        : '';
    seen[name] = `${stats.mode} ${stats.mtimeMs} ${content}`;
  }
  return seen;
}
