import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGitHub } from '../../../src/drift/github-client.ts';
import { trendPoint } from '../../../src/publish/history/trend-point.ts';
import { withHistory } from '../../../src/publish/history/with-history.ts';
import type { Publication } from '../../../src/publish/publication.ts';
import { artifactName } from '../../../src/publish/upload/artifact-name.ts';
import { aCheck, aPublication } from '../../support/a-publication.ts';
import { type FakeActionsApi, type FakeRun, startFakeActionsApi } from '../../support/fake-actions-api.ts';

const parts = { name: 'demo', profiles: ['server-2025-11-25'], job: 'conformance', attempt: '1' };
const PROFILE = 'server:2025-11-25';

let api: FakeActionsApi;
beforeEach(async () => {
  api = await startFakeActionsApi();
});
afterEach(() => api[Symbol.asyncDispose]());

const env = {
  GITHUB_REPOSITORY: 'o/r',
  GITHUB_WORKFLOW_REF: 'o/r/.github/workflows/nightly.yml@refs/heads/main',
  GITHUB_RUN_ID: '900',
  GITHUB_RUN_NUMBER: '90',
  GITHUB_REF: 'refs/heads/main',
};

const passing = aPublication({ checks: { [PROFILE]: [aCheck(), aCheck({ check: 'gone' })] } });
const now = aPublication({
  checks: { [PROFILE]: [aCheck({ status: 'FAILURE' }), aCheck({ check: 'new' })] },
  more: {
    timing: { startedAt: '2026-12-01T00:00:00.000Z', finishedAt: '2026-12-01T00:01:00.000Z', tookMs: 60_000 },
  },
});

const content = (p: Publication): Record<string, string> => ({
  'verdict.json': JSON.stringify(p.verdict),
  'profiles/server-2025-11-25/checks.json': JSON.stringify(p.checks[PROFILE]),
  'profiles/server-2025-11-25/raw/x/checks.json': 'not looked at',
  'trend.json': JSON.stringify([trendPoint(p.verdict)]),
});

const aRun = (over: Partial<FakeRun> & { name?: string; of?: Publication } = {}): FakeRun => {
  const { name = artifactName(parts), of = passing, ...rest } = over;
  const id = rest.id ?? 800;
  return { id, conclusion: 'success', artifacts: [{ id: id * 10, name, content: content(of) }], ...rest };
};

const compare = (more: { env?: Record<string, string | undefined>; deadlineMs?: number } = {}) =>
  withHistory(now, {
    github: createGitHub({ baseUrl: api.url, token: 't', secondMs: 1 }),
    env: { ...env, ...more.env },
    name: { ...parts, attempt: undefined },
    ...(more.deadlineMs ? { deadlineMs: more.deadlineMs } : {}),
  });

describe('withHistory', () => {
  test('shows what changed since the last successful run on the branch', async () => {
    api.runs = [aRun({ id: 700 }), aRun({ id: 800 }), aRun({ id: 900 })];
    const { comparison, trend, verdict } = await compare();
    expect(comparison).toMatchObject({
      found: true,
      with: 'the last successful run on main',
      url: 'https://github.com/o/r/actions/runs/800',
      outcome: 'pass',
      moved: [],
    });
    expect(comparison?.found && comparison.changes.map(({ check, kind }) => `${check} ${kind}`)).toEqual([
      'tools-list broke',
      'gone vanished',
      'new appeared',
    ]);
    expect(trend?.map(({ outcome }) => outcome)).toEqual(['pass', 'fail']);
    expect(trend?.at(-1)).toMatchObject({ run: 90, url: 'https://github.com/o/r/actions/runs/900' });
    expect(verdict).toBe(now.verdict);
  });

  test('goes on with the trend of the latest run, also of one that failed', async () => {
    const failed = aPublication({
      checks: { [PROFILE]: [aCheck({ status: 'FAILURE' })] },
      more: {
        timing: { startedAt: '2026-11-30T20:00:00.000Z', finishedAt: '2026-11-30T20:01:00.000Z', tookMs: 1 },
      },
    });
    const kept = {
      ...content(failed),
      'trend.json': JSON.stringify([trendPoint(passing.verdict), trendPoint(failed.verdict)]),
    };
    api.runs = [
      aRun({ id: 700 }),
      { id: 850, conclusion: 'failure', artifacts: [{ id: 8500, name: artifactName(parts), content: kept }] },
    ];
    const { comparison, trend } = await compare();
    expect(comparison).toMatchObject({ found: true, url: 'https://github.com/o/r/actions/runs/700' });
    expect(trend?.map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'fail']);
  });

  test('on a pull request the base branch speaks', async () => {
    api.runs = [aRun({ id: 700, branch: 'release' }), aRun({ id: 800, branch: 'main' })];
    const { comparison } = await compare({
      env: { GITHUB_REF: 'refs/pull/7/merge', GITHUB_BASE_REF: 'release' },
    });
    expect(comparison).toMatchObject({ found: true, with: 'the last successful run on release' });
  });

  test.each<[string, Partial<FakeRun> & { name?: string }]>([
    ['a fork with a branch of the same name', { from: 'mallory/r' }],
    ['a pull request', { event: 'pull_request' }],
    ['another leg of the matrix', { name: artifactName({ ...parts, matrix: '{"os":"x"}' }) }],
    [
      'an artifact that is gone',
      { artifacts: [{ id: 1, name: artifactName(parts), expired: true, content: {} }] },
    ],
  ])('passes over %s', async (_, over) => {
    api.runs = [aRun({ id: 700 }), aRun({ id: 800, ...over })];
    expect((await compare()).comparison).toMatchObject({ url: 'https://github.com/o/r/actions/runs/700' });
  });

  test('takes the artifact of the last attempt', async () => {
    const run = aRun({ id: 800 });
    const older = aPublication({ checks: { [PROFILE]: [aCheck({ status: 'FAILURE' })] } });
    api.runs = [
      {
        ...run,
        artifacts: [{ id: 1, name: artifactName(parts), content: content(older) }, ...(run.artifacts ?? [])],
      },
    ];
    expect((await compare()).comparison).toMatchObject({ outcome: 'pass' });
  });

  test.each<[string, { fault?: number | 'hang'; content?: Record<string, string> | Uint8Array }, RegExp]>([
    ['no earlier run', {}, /no successful run on main/],
    ['403', { fault: 403 }, /actions: read/],
    ['404', { fault: 404 }, /actions: read/],
    ['500', { fault: 500 }, /a fault of the test/],
    ['no answer', { fault: 'hang' }, /no answer within/],
    ['no zip', { content: Buffer.from('<html>') }, /Not compared/],
    ['another format', { content: { 'verdict.json': '{"schemaVersion":9}' } }, /format/],
    ['hostile JSON', { content: { 'verdict.json': '::error::boo' } }, /Not compared/],
  ])('%s is a note, never a failure', async (_, { fault, content: kept }, words) => {
    api.fault = fault;
    if (kept) api.runs = [aRun({ artifacts: [{ id: 1, name: artifactName(parts), content: kept }] })];
    const p = await compare({ deadlineMs: 2000 });
    expect(p.comparison).toMatchObject({ found: false, note: expect.stringMatching(words) });
    expect(p.verdict).toBe(now.verdict);
    expect(p.trend?.at(-1)).toMatchObject({ outcome: 'fail', run: 90 });
  });

  test.each([
    ['outside of a workflow', { GITHUB_WORKFLOW_REF: undefined }],
    ['on a tag', { GITHUB_REF: 'refs/tags/v1', GITHUB_BASE_REF: '' }],
  ])('%s nothing is asked', async (_, over) => {
    const p = await compare({ env: over });
    expect(p.comparison).toMatchObject({ found: false });
    expect(api.asked).toEqual([]);
  });
});
