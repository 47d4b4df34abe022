import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adopt, adoptedState } from '../../src/drift/adopt.ts';
import { formatUpstream, loadUpstream, type Upstream } from '../../src/drift/state.ts';
import { aMovedReferee, aMovedSpec, anUnknown, aSameSpec } from '../support/drift-report.ts';
import { startFakeGitHub } from '../support/fake-github.ts';
import { PIN } from '../support/observing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the same state gives the same bytes, whatever the order', () => {
  const spec = {
    kind: 'spec' as const,
    adopted: '2026-01-01',
    commit: 'a'.repeat(40),
    revisions: [],
    paths: { b: '1', a: '2' },
  };
  const npm = { kind: 'npm' as const, adopted: '2026-01-01', version: '1.0.0' };
  const one = formatUpstream({ schema: 1, sources: { spec, 'npm:x': npm } });
  const two = formatUpstream({
    schema: 1,
    sources: { 'npm:x': npm, spec: { ...spec, paths: { a: '2', b: '1' } } },
  });
  expect(one).toBe(two);
  expect(one.endsWith('}\n')).toBe(true);
});

test.each([
  ['not JSON', '{', 'is not JSON'],
  ['another schema', '{"schema":2,"sources":{}}', 'schema'],
  [
    'an unknown kind',
    '{"schema":1,"sources":{"x":{"kind":"moon","adopted":"2026-01-01"}}}',
    'sources.x.kind',
  ],
  [
    'a short commit',
    '{"schema":1,"sources":{"x":{"kind":"branch","adopted":"2026-01-01","branch":"main","commit":"abc"}}}',
    'commit',
  ],
  ['an unknown key', '{"schema":1,"sources":{},"more":1}', 'more'],
])('%s is a mistake of the one who keeps it, with what to do', async (_, text, what) => {
  const file = join(await temporaryFolder(), 'upstream.json');
  await writeFile(file, text);
  await expect(loadUpstream(file)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(what),
    place: { file },
    hint: expect.stringContaining('--adopt'),
  });
});

test('no file is nothing adopted', async () => {
  expect(await loadUpstream(join(await temporaryFolder(), 'upstream.json'))).toBeUndefined();
});

test('adopting keeps dates of what did not change and states of what could not be told, and drops what is not watched', () => {
  const before: Upstream = {
    schema: 1,
    sources: {
      spec: { ...(aSameSpec().value as Upstream['sources'][string]), adopted: '2026-01-01' },
      'npm:silent': { kind: 'npm', adopted: '2026-01-01', version: '1.0.0' },
      'npm:dropped': { kind: 'npm', adopted: '2026-01-01', version: '1.0.0' },
    },
  };
  const silent = anUnknown({ id: 'npm:silent', watch: { kind: 'npm', package: 'silent' } });
  const next = adoptedState(before, [aSameSpec(), silent, aMovedReferee()]);
  expect(Object.keys(next.sources).sort()).toEqual(['npm:silent', 'referee', 'spec']);
  expect(next.sources.spec).toBe(before.sources.spec);
  expect(next.sources['npm:silent']).toBe(before.sources['npm:silent']);
  expect(adoptedState(before, [aMovedSpec()]).sources.spec).toMatchObject({
    adopted: '2026-11-30',
    commit: 'b'.repeat(40),
  });
});

test('adopt writes what it saw, twice the same, and never where CI is set', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  const baselines = join(await temporaryFolder(), 'baselines');
  const plan = {
    name: undefined,
    referee: { pin: PIN, repository: '', locks: '', cache: '', offline: false },
    baselines,
    output: '',
    only: undefined,
    confirm: 1,
    strictInfrastructure: false,
    jobs: 1,
    deadlines: { scenarioMs: 1, profileMs: 1, runMs: 1 },
    watch: [{ kind: 'branch' as const, repository: 'person/sdk' }],
    ownership: [],
    origins: {},
    revisions: [],
  };
  const io = {
    upstream: { baseUrl: github.url, secondMs: 5 },
    progress: () => {},
    environment: { ...process.env, CI: undefined },
    signal: new AbortController().signal,
    now: () => new Date('2026-11-30T03:17:00.000Z'),
  };
  await expect(adopt(plan, { ...io, environment: { CI: 'true' } })).rejects.toMatchObject({
    name: 'ConfigError',
  });
  expect(await adopt(plan, io)).toMatchObject({ adopted: ['branch:person/sdk'], left: [] });
  const file = join(baselines, 'upstream.json');
  const first = await readFile(file, 'utf8');
  expect(JSON.parse(first)).toMatchObject({
    schema: 1,
    sources: { 'branch:person/sdk': { branch: 'main', adopted: '2026-11-30' } },
  });

  const later = { ...io, now: () => new Date('2026-12-24T03:17:00.000Z') };
  expect(await adopt(plan, later)).toMatchObject({ adopted: [] });
  expect(await readFile(file, 'utf8')).toBe(first);

  github.proxy.fault({ path: /./, answer: { status: 404 } });
  expect(await adopt(plan, later)).toMatchObject({ adopted: [], left: ['branch:person/sdk'] });
  expect(await readFile(file, 'utf8')).toBe(first);
});
