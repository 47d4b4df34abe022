import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import type { Watch } from '../../src/config/plan.ts';
import { createGitHub } from '../../src/drift/github-client.ts';
import { emptyMemory } from '../../src/drift/memory.ts';
import { observe } from '../../src/drift/observe.ts';
import { type FakeGitHub, startFakeGitHub, TOKENS } from '../support/fake-github.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { adoptNow, look, NOW, observeOptions } from '../support/observing.ts';

const BRANCH: Watch = { kind: 'branch', repository: 'person/sdk', branch: 'main' };
const SOURCES: readonly Watch[] = [
  { kind: 'spec' },
  BRANCH,
  { kind: 'github-release', repository: 'person/sdk' },
];

async function upstream(): Promise<FakeGitHub> {
  const github = await startFakeGitHub(['person/sdk', 'modelcontextprotocol/modelcontextprotocol']);
  await github.api('person', 'POST', '/repos/person/sdk/releases', { tag_name: 'v1.0.0' });
  return github;
}

const reset = String(Math.floor(Date.parse(NOW) / 1000) + 3000);
const faults: Record<string, { fault: Omit<Fault, 'path'>; reason: string; retryAt?: unknown }> = {
  'no permission': {
    fault: { answer: { status: 403, body: { message: 'Resource not accessible by integration' } } },
    reason: 'forbidden',
  },
  'bad token': {
    fault: { answer: { status: 401, body: { message: 'Bad credentials' } } },
    reason: 'unauthorised',
  },
  'not found': { fault: { answer: { status: 404, body: { message: 'Not Found' } } }, reason: 'not-found' },
  'too many requests': {
    fault: { answer: { status: 429, headers: { 'retry-after': '600' }, body: { message: 'slow down' } } },
    reason: 'rate-limited',
    retryAt: '2026-11-30T03:27:00.000Z',
  },
  'hour used up': {
    fault: {
      answer: {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
        body: { message: 'API rate limit exceeded for 10.0.0.1.' },
      },
    },
    reason: 'rate-limited',
    retryAt: '2026-11-30T04:07:00.000Z',
  },
  'secondary limit, longer than we wait': {
    fault: {
      answer: {
        status: 403,
        headers: { 'retry-after': '3600' },
        body: { message: 'You have exceeded a secondary rate limit.' },
      },
    },
    reason: 'rate-limited',
    retryAt: '2026-11-30T04:17:00.000Z',
  },
  'server errors': { fault: { answer: { status: 502, body: { message: 'oops' } } }, reason: 'server-error' },
  'broken connection': { fault: { drop: true }, reason: 'unreachable' },
  'no answer': { fault: { hang: true }, reason: 'timeout' },
  'not what was asked for': {
    fault: { answer: { status: 200, body: { surprise: true } } },
    reason: 'malformed',
  },
};

for (const [name, { fault, reason, retryAt }] of Object.entries(faults)) {
  test(`each source on GitHub is unknown: ${name}`, async () => {
    await using github = await upstream();
    const options = observeOptions(github, { github: github.client('gate', { timeoutMs: 300 }) });
    const pinned = await adoptNow(SOURCES, options);
    github.proxy.fault({ path: /./, ...fault });
    const reports = await observe(SOURCES, pinned, options);
    expect(reports.map((report) => report.status === 'unknown' && report.reason)).toEqual(
      SOURCES.map(() => reason),
    );
    for (const report of reports) {
      expect(report).toMatchObject({ since: NOW });
      if (retryAt !== undefined) expect(report).toMatchObject({ retryAt });
      expect(JSON.stringify(report)).not.toContain(TOKENS.gate);
    }
  });
}

test('a short secondary limit is waited for, as long as Retry-After says', async () => {
  await using github = await upstream();
  const waits: string[] = [];
  const options = observeOptions(github, {
    github: github.client('gate', { secondMs: 20, notice: (text) => waits.push(text) }),
  });
  const pinned = await adoptNow([BRANCH], options);
  github.proxy.forget();
  github.proxy.fault({
    path: /./,
    times: 1,
    answer: {
      status: 403,
      headers: { 'retry-after': '30' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
  });
  const before = performance.now();
  expect(await look(BRANCH, pinned, options)).toMatchObject({ status: 'same' });
  expect(performance.now() - before).toBeGreaterThanOrEqual(30 * 20 - 5);
  expect(github.proxy.calls.map((call) => call.status)).toEqual([403, 200]);
  expect(waits).toHaveLength(1);
});

test('server errors that pass are tried again', async () => {
  await using github = await upstream();
  const options = observeOptions(github);
  const pinned = await adoptNow([BRANCH], options);
  github.proxy.fault({ path: /./, times: 2, answer: { status: 503 } });
  expect(await look(BRANCH, pinned, options)).toMatchObject({ status: 'same' });
});

test('a limit that outlasts the time for one source ends in unknown, in that time', async () => {
  await using github = await upstream();
  const options = observeOptions(github, {
    github: github.client('gate', { secondMs: 1000 }),
    sourceTimeoutMs: 300,
  });
  github.proxy.fault({
    path: /./,
    answer: {
      status: 403,
      headers: { 'retry-after': '5' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
  });
  const before = performance.now();
  expect(await look(BRANCH, undefined, options)).toMatchObject({ status: 'unknown', reason: 'timeout' });
  expect(performance.now() - before).toBeLessThan(4000);
});

test('one silent source does not stop another', async () => {
  await using github = await upstream();
  const options = observeOptions(github);
  const pinned = await adoptNow(SOURCES, options);
  github.proxy.fault({ path: /modelcontextprotocol/, answer: { status: 404 } });
  const reports = await observe(SOURCES, pinned, options);
  expect(reports.map((report) => report.status)).toEqual(['unknown', 'same', 'same']);
});

test('nobody listens', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  await using github = await upstream();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const options = observeOptions(github, { github: createGitHub({ baseUrl, secondMs: 5 }) });
  expect(await look(BRANCH, undefined, options)).toMatchObject({ status: 'unknown', reason: 'unreachable' });
});

test('silence is dated from the first run that met it, and ends with an answer', async () => {
  await using github = await upstream();
  const memory = emptyMemory();
  const at = (now: string) => observeOptions(github, { memory, now: () => new Date(now) });
  const pinned = await adoptNow([BRANCH], at('2026-11-27T03:00:00.000Z'));
  await look(BRANCH, pinned, at('2026-11-27T03:00:00.000Z'));
  github.proxy.fault({ path: /./, answer: { status: 404 } });
  await look(BRANCH, pinned, at('2026-11-28T03:00:00.000Z'));
  expect(await look(BRANCH, pinned, at('2026-11-29T03:00:00.000Z'))).toMatchObject({
    status: 'unknown',
    since: '2026-11-28T03:00:00.000Z',
    lastSeen: { at: '2026-11-27T03:00:00.000Z', label: expect.stringMatching(/^main /) },
  });
  github.proxy.clearFaults();
  await look(BRANCH, pinned, at('2026-11-30T03:00:00.000Z'));
  expect(memory.sources['branch:person/sdk@main']?.unknownSince).toBeUndefined();
});

test('offline nobody is asked, and nothing is known', async () => {
  await using github = await upstream();
  const options = observeOptions(github);
  const pinned = await adoptNow(SOURCES, options);
  github.proxy.forget();
  const reports = await observe(SOURCES, pinned, { ...options, offline: true });
  expect(reports.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(reports).toMatchObject([{ reason: 'offline' }, { reason: 'offline' }, { reason: 'offline' }]);
  expect(github.proxy.calls).toEqual([]);
});
