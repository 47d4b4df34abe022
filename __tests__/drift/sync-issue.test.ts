import { expect, test } from 'vitest';
import { type SyncOptions, syncIssue } from '../../src/drift/issue/sync-issue.ts';
import type { DriftReport } from '../../src/drift/report.ts';
import {
  aDriftReport,
  aMovedReferee,
  aMovedSpec,
  anUnknown,
  aSameReferee,
  aSameSpec,
  aTrial,
} from '../support/drift-report.ts';
import { type Account, type FakeGitHub, startFakeGitHub, TOKENS } from '../support/fake-github.ts';

const ISSUES = '/repos/gate/server/issues';

interface Issue {
  number: number;
  title: string;
  body: string;
  state: string;
  state_reason: string | null;
  user: { login: string };
  labels: { name: string }[];
  assignees: { login: string }[];
}

/** A run of one night: later nights start later. */
function night(day: number): { startedAt: string; id: string } {
  return { startedAt: `2026-11-${String(day).padStart(2, '0')}T03:17:00.000Z`, id: String(1000 + day) };
}

function sync(
  github: FakeGitHub,
  report: DriftReport,
  options: Partial<SyncOptions> = {},
  account: Account = 'gate',
) {
  return syncIssue(report, github.client(account), {
    repository: { owner: 'gate', repo: 'server' },
    labels: ['mcp-drift'],
    assignees: [],
    now: () => new Date('2026-11-30T03:20:00.000Z'),
    ...options,
  });
}

async function issue(github: FakeGitHub, number: number): Promise<Issue> {
  return (await github.api('gate', 'GET', `${ISSUES}/${number}`)) as Issue;
}

async function issues(github: FakeGitHub, state = 'open'): Promise<Issue[]> {
  return (await github.api('gate', 'GET', `${ISSUES}?state=${state}&per_page=100`)) as Issue[];
}

async function comments(github: FakeGitHub, number: number): Promise<string[]> {
  const all = (await github.api('gate', 'GET', `${ISSUES}/${number}/comments`)) as { body: string }[];
  return all.map((comment) => comment.body);
}

const DRIFT = (day = 1) =>
  aDriftReport({ run: night(day), sources: [aMovedReferee(), aSameSpec()], trial: aTrial() });
const MORE = (day = 2) =>
  aDriftReport({ run: night(day), sources: [aMovedReferee(), aMovedSpec()], trial: aTrial() });
const CLEAR = (day = 3) =>
  aDriftReport({ run: night(day), sources: [aSameReferee('0.2.0-alpha.12'), aSameSpec()] });

test('no drift and no issue: nothing is written', async () => {
  await using github = await startFakeGitHub();
  expect(await sync(github, CLEAR())).toMatchObject({ kind: 'none', notices: [] });
  expect(github.proxy.writes()).toEqual([]);
});

test('drift opens one issue, with a label that was missing', async () => {
  await using github = await startFakeGitHub();
  expect(await sync(github, DRIFT(), { assignees: ['person'] })).toMatchObject({ kind: 'opened', number: 1 });
  const made = await issue(github, 1);
  expect(made.title).toBe('MCP upstream drift: referee 0.2.0-alpha.12 changes nothing here');
  expect(made.body).toContain('tools-list-deterministic-order');
  expect(made.labels.map((label) => label.name)).toEqual(['mcp-drift']);
  expect(made.assignees.map((one) => one.login)).toEqual(['person']);
  expect(github.proxy.writes().map((call) => `${call.method} ${call.path}`)).toEqual([
    'POST /repos/gate/server/labels',
    `POST ${ISSUES}`,
  ]);
});

test('the same drift again writes nothing', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  github.proxy.forget();
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'unchanged', number: 1 });
  expect(await sync(github, DRIFT(3))).toMatchObject({ kind: 'unchanged', number: 1 });
  expect(github.proxy.writes()).toEqual([]);
});

test('more drift updates the issue and comments once', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  github.proxy.forget();
  expect(await sync(github, MORE(2))).toMatchObject({ kind: 'updated', number: 1 });
  expect(github.proxy.writes().map((call) => `${call.method} ${call.path}`)).toEqual([
    `POST ${ISSUES}/1/comments`,
    `PATCH ${ISSUES}/1`,
  ]);
  expect((await issue(github, 1)).body).toContain('authorization.mdx');
  const [comment] = await comments(github, 1);
  expect(comment).toContain('MCP specification');
  expect(comment).not.toContain('referee');
  github.proxy.forget();
  await sync(github, MORE(3));
  expect(github.proxy.writes()).toEqual([]);
});

test('one of two that is resolved updates without a comment', async () => {
  await using github = await startFakeGitHub();
  await sync(github, MORE(1));
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'updated' });
  expect(await comments(github, 1)).toEqual([]);
  expect((await issue(github, 1)).body).not.toContain('authorization.mdx');
});

test('what people write around our part, and their title, survive', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const made = await issue(github, 1);
  await github.api('gate', 'PATCH', `${ISSUES}/1`, {
    title: 'Bump the referee',
    body: `Plan: after the release.\r\n\r\n${made.body.replaceAll('\n', '\r\n')}\r\n\r\n- [x] asked upstream`,
  });
  await sync(github, MORE(2));
  const updated = await issue(github, 1);
  expect(updated.title).toBe('Bump the referee');
  expect(updated.body.startsWith('Plan: after the release.\r\n\r\n<!--')).toBe(true);
  expect(updated.body.endsWith('-->\r\n\r\n- [x] asked upstream')).toBe(true);
  expect(updated.body).toContain('authorization.mdx');
  await sync(github, CLEAR(3));
  const closed = await issue(github, 1);
  expect(closed.body).toContain('Plan: after the release.');
  expect(closed.body).toContain('- [x] asked upstream');
});

test('resolved: closed with what resolved it, once', async () => {
  await using github = await startFakeGitHub();
  await sync(github, MORE(1));
  expect(await sync(github, CLEAR(2))).toMatchObject({ kind: 'closed', number: 1 });
  const closed = await issue(github, 1);
  expect(closed).toMatchObject({ state: 'closed', state_reason: 'completed' });
  const [reason] = await comments(github, 1);
  expect(reason).toContain('Conformance referee: the pin is `0.2.0-alpha.12` now; it was `0.2.0-alpha.11`.');
  expect(reason).toContain('MCP specification');
  github.proxy.forget();
  expect(await sync(github, CLEAR(3))).toMatchObject({ kind: 'none' });
  expect(github.proxy.writes()).toEqual([]);
});

test('drift after a resolved issue opens a new one', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  await sync(github, CLEAR(2));
  expect(await sync(github, MORE(3))).toMatchObject({ kind: 'opened', number: 2 });
});

test('reopened by a person stays open, also after later drift', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  await sync(github, CLEAR(2));
  await github.api('gate', 'PATCH', `${ISSUES}/1`, { state: 'open' });
  github.proxy.forget();
  expect(await sync(github, CLEAR(3))).toMatchObject({ kind: 'kept-open', number: 1 });
  expect(github.proxy.writes()).toEqual([]);

  expect(await sync(github, MORE(4))).toMatchObject({ kind: 'updated', number: 1 });
  expect((await issue(github, 1)).body).toContain('authorization.mdx');
  expect(await sync(github, CLEAR(5))).toMatchObject({ kind: 'kept-open', number: 1 });
  expect(await issue(github, 1)).toMatchObject({ state: 'open', body: expect.stringContaining('Resolved') });
  github.proxy.forget();
  expect(await sync(github, CLEAR(6))).toMatchObject({ kind: 'kept-open', number: 1 });
  expect(github.proxy.writes()).toEqual([]);
});

test('closed by a person: the same drift is left alone, other drift is told', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  await github.api('gate', 'PATCH', `${ISSUES}/1`, { state: 'closed', state_reason: 'not_planned' });
  github.proxy.forget();
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'dismissed', number: 1 });
  expect(github.proxy.writes()).toEqual([]);
  expect(await sync(github, MORE(3))).toMatchObject({ kind: 'opened', number: 2 });
});

test('two issues with the marker: the oldest stays, the other is closed with a link', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const { title, body } = await issue(github, 1);
  await github.api('gate', 'POST', ISSUES, { title, body });
  const result = await sync(github, DRIFT(2));
  expect(result).toMatchObject({ kind: 'unchanged', number: 1, notices: ['Closed #2 in favour of #1.'] });
  expect(await issues(github)).toHaveLength(1);
  expect(await comments(github, 2)).toEqual([expect.stringContaining('#1')]);
  expect(await issue(github, 2)).toMatchObject({ state: 'closed', state_reason: 'not_planned' });
});

test('an issue by another author with the marker is ignored', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const { title, body } = await issue(github, 1);
  await using other = await startFakeGitHub();
  await other.api('mallory', 'POST', ISSUES, { title, body });
  other.proxy.forget();
  expect(await sync(other, DRIFT(2))).toMatchObject({ kind: 'opened', number: 2 });
  expect(await sync(other, CLEAR(3))).toMatchObject({ kind: 'closed', number: 2 });
  expect(await issue(other, 1)).toMatchObject({ state: 'open', body });
});

test('a pull request with the marker is ignored', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  // GitHub lists pull requests among the issues; the emulator does not, so the list is made to.
  github.proxy.fault({
    method: 'GET',
    path: /\/issues\?/,
    change: (json) => (json as Issue[]).map((one) => ({ ...one, pull_request: { url: 'x' } })),
  });
  github.proxy.forget();
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'opened', number: 2 });
});

test('another gate of the same repository has an issue of its own', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const named = { ...DRIFT(1), name: 'my gate -->' };
  expect(await sync(github, named)).toMatchObject({ kind: 'opened', number: 2 });
  expect(await sync(github, { ...named, run: night(2) })).toMatchObject({ kind: 'unchanged', number: 2 });
  expect(await sync(github, { ...CLEAR(3), name: 'my gate -->' })).toMatchObject({
    kind: 'closed',
    number: 2,
  });
  expect(await issues(github)).toMatchObject([{ number: 1 }]);
});

test('the issue is found among 250 open ones, on any page', async () => {
  await using github = await startFakeGitHub();
  for (let n = 0; n < 120; n += 1)
    await github.api('gate', 'POST', ISSUES, { title: `issue ${n}`, body: 'x' });
  await sync(github, DRIFT(1));
  for (let n = 0; n < 130; n += 1)
    await github.api('gate', 'POST', ISSUES, { title: `issue ${n}`, body: 'x' });
  github.proxy.forget();
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'unchanged', number: 121 });
  expect(github.proxy.writes()).toEqual([]);
  const pages = github.proxy.calls.filter((call) => call.path.includes('state=open'));
  expect(pages).toHaveLength(3);
});

test('unknown sources neither open, close nor rewrite', async () => {
  await using github = await startFakeGitHub();
  const allUnknown = (day: number) =>
    aDriftReport({ run: night(day), sources: [anUnknown(aMovedReferee()), anUnknown(aMovedSpec())] });
  expect(await sync(github, allUnknown(1))).toMatchObject({ kind: 'none' });
  await sync(github, MORE(2));
  const before = await issue(github, 1);
  github.proxy.forget();
  expect(await sync(github, allUnknown(3))).toMatchObject({ kind: 'unchanged', number: 1 });
  expect(github.proxy.writes()).toEqual([]);
  expect((await issue(github, 1)).body).toBe(before.body);
});

test('when one source is unknown and another moves on, the section of the first stays as it was', async () => {
  await using github = await startFakeGitHub();
  await sync(github, MORE(1));
  const further = aDriftReport({
    run: night(2),
    sources: [
      anUnknown(aMovedReferee()),
      aMovedSpec({ to: { label: 'cccccccccccc' }, changes: [{ kind: 'revision', revision: '2027-01-15' }] }),
    ],
  });
  expect(await sync(github, further)).toMatchObject({ kind: 'updated' });
  const { body } = await issue(github, 1);
  expect(body).toContain('2027-01-15');
  expect(body).toContain('What adopting `npm:0.2.0-alpha.12` in place of `npm:0.2.0-alpha.11` changes here');
  expect(body).toContain('tools-list-deterministic-order');
  expect(body).toContain('rate limited since 2026-11-28 03:17 UTC');
  github.proxy.forget();
  expect(await sync(github, { ...further, run: night(3) })).toMatchObject({ kind: 'unchanged' });
  // The spec is adopted, the referee is still unknown: what it said of the referee keeps the issue open.
  expect(
    await sync(github, aDriftReport({ run: night(4), sources: [anUnknown(aMovedReferee()), aSameSpec()] })),
  ).toMatchObject({
    kind: 'updated',
  });
  expect(await issue(github, 1)).toMatchObject({
    state: 'open',
    body: expect.stringContaining('tools-list-deterministic-order'),
  });
  expect(await sync(github, CLEAR(5))).toMatchObject({ kind: 'closed' });
});

test('a section that is taken over ends where it ended', async () => {
  await using github = await startFakeGitHub();
  await sync(github, MORE(1));
  const further = aMovedReferee({ to: { label: '0.2.0-alpha.13' }, candidate: 'npm:0.2.0-alpha.13' });
  await sync(github, aDriftReport({ run: night(2), sources: [further, anUnknown(aMovedSpec())] }));
  const { body } = await issue(github, 1);
  expect(body).toContain('authorization.mdx');
  expect(body.match(/## How to adopt it/g)).toHaveLength(1);
  expect(body.match(/Looked at 2026/g)).toHaveLength(1);
});

test('a trial that could not be repeated does not take away the one that was made', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const failed = aDriftReport({
    run: night(2),
    sources: [aMovedReferee(), aSameSpec()],
    trial: {
      kind: 'not-measured',
      candidate: 'npm:0.2.0-alpha.12',
      current: 'npm:0.2.0-alpha.11',
      which: 'candidate',
      findings: [],
    },
  });
  github.proxy.forget();
  expect(await sync(github, failed)).toMatchObject({ kind: 'unchanged' });
  expect(github.proxy.writes()).toEqual([]);
});

test('an older run that finishes later writes nothing', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  await sync(github, MORE(3));
  github.proxy.forget();
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'older-run', number: 1 });
  expect(await sync(github, CLEAR(2))).toMatchObject({ kind: 'older-run', number: 1 });
  await sync(github, CLEAR(5));
  github.proxy.forget();
  expect(await sync(github, MORE(4))).toMatchObject({ kind: 'older-run', number: 1 });
  expect(github.proxy.writes()).toEqual([]);
});

test('a later run that gets in between reading and writing wins', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  github.proxy.fault({
    method: 'GET',
    path: /\/issues\/1$/,
    times: 1,
    before: async () => {
      await sync(github, MORE(3));
      github.proxy.forget();
    },
  });
  const mine = aDriftReport({
    run: night(2),
    sources: [aMovedReferee({ to: { label: '0.2.0-alpha.99' } }), aSameSpec()],
  });
  expect(await sync(github, mine)).toMatchObject({ kind: 'older-run' });
  expect(github.proxy.writes()).toEqual([]);
  expect((await issue(github, 1)).body).toContain('authorization.mdx');
});

test('two runs at the same time end with one issue', async () => {
  await using github = await startFakeGitHub();
  // Both have seen that there is none before either creates one.
  let waiting = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  github.proxy.fault({
    method: 'POST',
    path: /\/issues$/,
    times: 2,
    before: async () => {
      waiting += 1;
      if (waiting === 2) resolve();
      await promise;
    },
  });
  const results = await Promise.all([
    sync(github, DRIFT(1)),
    sync(github, { ...DRIFT(1), run: { ...night(1), id: '2' } }),
  ]);
  expect(results.map((result) => result.kind).sort()).toEqual(['opened', 'unchanged']);
  expect(await issues(github)).toMatchObject([{ number: 1 }]);
  expect(await issue(github, 2)).toMatchObject({ state: 'closed' });
  expect(await comments(github, 2)).toEqual([expect.stringContaining('#1')]);
});

test('labels that may not be made, and assignees that are not accepted: the issue goes without', async () => {
  await using github = await startFakeGitHub();
  github.proxy.fault({ method: 'POST', path: /\/labels$/, answer: { status: 403, body: { message: 'no' } } });
  const result = await sync(github, DRIFT(), { assignees: ['nobody-of-that-name'] });
  expect(result).toMatchObject({ kind: 'opened', number: 1 });
  expect(result.notices).toEqual([
    expect.stringContaining('mcp-drift'),
    expect.stringContaining('nobody-of-that-name'),
  ]);
  expect(await issue(github, 1)).toMatchObject({ labels: [], assignees: [] });
});

test('issues disabled, as GitHub says it and as the emulator does', async () => {
  await using github = await startFakeGitHub();
  await github.api('gate', 'PATCH', '/repos/gate/server', { has_issues: false });
  expect(await sync(github, DRIFT())).toMatchObject({ kind: 'not-written', why: 'not-found' });
  github.proxy.fault({ path: /\/issues/, answer: { status: 410, body: { message: 'Issues are disabled' } } });
  expect(await sync(github, DRIFT())).toMatchObject({ kind: 'not-written', why: 'issues-disabled' });
  expect(github.proxy.writes()).toEqual([]);
});

test.each([
  ['a read-only token', 403, {}, 'Resource not accessible by integration', 'forbidden'],
  [
    'a limit too long to wait for',
    403,
    { 'retry-after': '900' },
    'You have exceeded a secondary rate limit',
    'rate-limited',
  ],
  ['a bad token', 401, {}, 'Bad credentials', 'unauthorised'],
  ['server errors', 502, {}, 'Bad gateway', 'server-error'],
] as const)('%s: not written, and nothing thrown', async (_, status, headers, message, why) => {
  await using github = await startFakeGitHub();
  github.proxy.fault({ method: 'POST', path: /\/issues$/, answer: { status, headers, body: { message } } });
  const result = await sync(github, DRIFT());
  expect(result).toMatchObject({ kind: 'not-written', why });
  expect(JSON.stringify(result)).not.toContain(TOKENS.gate);
  expect(await issues(github)).toEqual([]);
});

test('a short secondary limit on a write is waited for, and the write happens once', async () => {
  await using github = await startFakeGitHub();
  github.proxy.fault({
    method: 'POST',
    path: /\/issues$/,
    times: 1,
    answer: {
      status: 403,
      headers: { 'retry-after': '2' },
      body: { message: 'You have exceeded a secondary rate limit' },
    },
  });
  expect(await sync(github, DRIFT())).toMatchObject({ kind: 'opened', number: 1 });
  expect(await issues(github)).toHaveLength(1);
});

test('a create that happened and was answered with an error is not repeated', async () => {
  await using github = await startFakeGitHub();
  github.proxy.fault({ method: 'POST', path: /\/issues$/, times: 1, answerAfter: { status: 502 } });
  expect(await sync(github, DRIFT())).toMatchObject({ kind: 'opened', number: 1 });
  expect(await issues(github, 'all')).toHaveLength(1);
});

test('a run that died after its comment does not comment again', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  github.proxy.fault({ method: 'PATCH', path: /\/issues\/1$/, answer: { status: 500 } });
  expect(await sync(github, MORE(2))).toMatchObject({ kind: 'not-written', why: 'server-error' });
  github.proxy.clearFaults();
  await github.api('gate', 'POST', `${ISSUES}/1/comments`, { body: 'I will look at it.' });
  expect(await sync(github, MORE(3))).toMatchObject({ kind: 'updated' });
  expect(await comments(github, 1)).toHaveLength(2);
});

test('the list cannot be read: nothing is created', async () => {
  await using github = await startFakeGitHub();
  github.proxy.fault({ method: 'GET', path: /\/issues\?/, answer: { status: 500 } });
  expect(await sync(github, DRIFT())).toMatchObject({ kind: 'not-written', why: 'server-error' });
  expect(github.proxy.writes()).toEqual([]);
});

test("a workflow's token, which may not ask who it is, finds its issue all the same", async () => {
  await using github = await startFakeGitHub();
  github.proxy.fault({
    path: /^\/user$/,
    answer: { status: 403, body: { message: 'Resource not accessible by integration' } },
  });
  const graphql = {
    path: /^\/graphql$/,
    answer: { status: 200, body: { data: { viewer: { login: 'gate' } } } },
  };
  github.proxy.fault(graphql);
  // Authors that are apps end in [bot] in the REST API.
  github.proxy.fault({
    path: /\/issues/,
    change: (json) => JSON.parse(JSON.stringify(json).replaceAll('"login":"gate"', '"login":"gate[bot]"')),
  });
  expect(await sync(github, DRIFT(1))).toMatchObject({ kind: 'opened', number: 1 });
  expect(await sync(github, DRIFT(2))).toMatchObject({ kind: 'unchanged', number: 1 });
  expect(await issues(github)).toHaveLength(1);
});

test('a marker that a person damaged is mended by the next drift and never closed on unknown', async () => {
  await using github = await startFakeGitHub();
  await sync(github, DRIFT(1));
  const { body } = await issue(github, 1);
  await github.api('gate', 'PATCH', `${ISSUES}/1`, { body: body.replace('"v":1', '"v":"one"') });
  github.proxy.forget();
  expect(
    await sync(github, aDriftReport({ run: night(2), sources: [anUnknown(aMovedReferee())] })),
  ).toMatchObject({ kind: 'unchanged' });
  expect(github.proxy.writes()).toEqual([]);
  expect(await sync(github, DRIFT(3))).toMatchObject({ kind: 'updated', number: 1 });
  expect(await sync(github, DRIFT(4))).toMatchObject({ kind: 'unchanged', number: 1 });
});
