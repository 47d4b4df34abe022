import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { TargetSpec } from '../../src/config/plan.ts';
import type { Finding, FindingKind } from '../../src/gate/finding.ts';
import type { Outcome } from '../../src/gate/verdict.ts';
import { processesWithEnvironment } from '../../src/shared/process-table.ts';
import type { ProgressEvent } from '../../src/shared/progress.ts';
import { pickPort } from '../../src/target/ports.ts';
import { aPlan, aServerCommand, type Ran, type RunOptions, run } from '../support/a-run.ts';
import { judgeRun } from '../support/judge-run.ts';
import { isRunning, until } from '../support/process-table.ts';
import { SCRIPTED, scripted } from '../support/scripted.ts';
import type { Script } from '../support/scripted-server.ts';

/** One way in which a target can fail. */
interface Row {
  readonly name: string;
  readonly target: TargetSpec;
  readonly outcome: Outcome;
  /** The first finding's; a target that is well has none. */
  readonly kind?: FindingKind;
  readonly options?: RunOptions;
  /** Milliseconds within which it is over, on a machine that has other things to do. */
  readonly within: number;
  /** More to be seen in what is left. */
  readonly also?: (left: Left) => void | Promise<void>;
}

interface Left extends Ran {
  readonly findings: readonly Finding[];
  readonly targetLog: string;
}

/** Three that this server answers are enough to see whether it was measured. */
const FEW = { only: ['server-initialize', 'ping', 'tools-list'] };
const brief = { ready: { timeoutMs: 2_000 } };

const script = (what: Script, overrides: Parameters<typeof scripted>[1] = {}): TargetSpec =>
  scripted(what, overrides);

const ROWS: readonly Row[] = [
  {
    name: 'exits at once',
    target: script({ exit: 7 }),
    outcome: 'inconclusive',
    kind: 'target-start-failed',
    within: 10_000,
    also({ findings, targetLog }) {
      expect(findings[0]).toMatchObject({ exitCode: 7, logTail: ['this is how it ends'] });
      expect(targetLog).toContain('this is how it ends');
    },
  },
  {
    name: 'cannot be started at all',
    target: aServerCommand('/no/such/program'),
    outcome: 'inconclusive',
    kind: 'target-start-failed',
    within: 10_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ exitCode: 127 }),
  },
  {
    name: 'exits after 20 requests',
    target: script({ exitAfter: 20 }),
    options: { only: undefined as unknown as readonly string[] },
    outcome: 'inconclusive',
    kind: 'target-died',
    within: 30_000,
    async also({ findings, folder, metadata }) {
      expect(findings[0]).toMatchObject({ exitCode: 9, signal: null });
      // What ran is kept, what did not is named.
      const kept = (await readdir(join(folder, 'raw'), { recursive: true })).filter((file) =>
        file.endsWith('checks.json'),
      ).length;
      expect(kept).toBeGreaterThan(0);
      expect(kept + (metadata.faults[0]?.notRun?.length ?? 0)).toBe(33);
    },
  },
  {
    name: 'exits between probe and run',
    target: script({ exitAfter: 1, exitPauseMs: 800 }),
    outcome: 'inconclusive',
    kind: 'target-died',
    within: 15_000,
    also: ({ metadata }) => expect(metadata.probes.before).toMatchObject({ answered: true }),
  },
  {
    name: 'never listens',
    target: script({ listen: 'never' }, brief),
    outcome: 'inconclusive',
    kind: 'target-not-ready',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ timeoutMs: 2_000, last: /refused/ }),
  },
  {
    name: 'listens late (20 s)',
    target: script({ listen: 'late', lateMs: 20_000 }, { ready: { timeoutMs: 60_000 } }),
    outcome: 'pass',
    within: 60_000,
    also: ({ metadata }) => expect(metadata.durations.ready).toBeGreaterThanOrEqual(20_000),
  },
  {
    name: 'accepts and never answers',
    target: script({ listen: 'silent' }, brief),
    outcome: 'inconclusive',
    kind: 'target-not-ready',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ last: /timeout/ }),
  },
  {
    name: 'answers HTML',
    target: script({ answer: 'html' }, brief),
    outcome: 'inconclusive',
    kind: 'target-not-ready',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ last: /HTTP 200 \(text\/html\)/ }),
  },
  {
    name: '401 everywhere',
    target: script({ answer: 'refuse' }),
    outcome: 'inconclusive',
    kind: 'probe-failed',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ reason: 'unauthorised', when: 'before' }),
  },
  {
    name: '500 everywhere',
    target: script({ answer: 'fail' }, brief),
    outcome: 'inconclusive',
    kind: 'target-not-ready',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ last: /HTTP 500/ }),
  },
  {
    name: 'half an SSE stream, everywhere',
    target: script({ answer: 'half-stream' }, brief),
    outcome: 'inconclusive',
    kind: 'target-not-ready',
    within: 12_000,
  },
  {
    name: 'half an SSE stream, once it runs',
    target: script({ answer: 'half-stream', only: 'tools/list' }),
    outcome: 'inconclusive',
    kind: 'scenario-timeout',
    options: { only: ['tools-list'] },
    within: 30_000,
  },
  {
    name: 'endless SSE stream',
    target: script({ answer: 'endless-stream', only: 'tools/list' }),
    outcome: 'inconclusive',
    kind: 'scenario-timeout',
    options: { only: ['ping', 'tools-list'] },
    within: 30_000,
    // The others stand: one hanging scenario takes nothing with it.
    also: async ({ folder }) => expect((await readdir(join(folder, 'raw'))).length).toBe(2),
  },
  {
    name: '50 MB answer',
    target: script({ answer: 'huge', only: 'tools/list' }),
    outcome: 'pass',
    options: { only: ['tools-list'] },
    within: 60_000,
  },
  { name: 'invalid UTF-8', target: script({ answer: 'invalid-utf8' }), outcome: 'pass', within: 30_000 },
  { name: 'JSON-RPC batch', target: script({ answer: 'batch' }), outcome: 'pass', within: 60_000 },
  {
    name: 'wrong id',
    target: script({ answer: 'wrong-id' }),
    outcome: 'inconclusive',
    kind: 'target-unreachable',
    within: 60_000,
  },
  { name: 'ignores SIGTERM', target: script({ ignoresTerm: true }), outcome: 'pass', within: 30_000 },
  {
    name: 'forks a grandchild that keeps the port',
    target: script({ grandchild: true }),
    outcome: 'pass',
    within: 30_000,
  },
  {
    name: 'shell wrapper around the real server',
    target: aServerCommand(`echo wrapper; '${process.execPath}' '${SCRIPTED}' '{}' & wait`),
    outcome: 'pass',
    within: 30_000,
    also: ({ targetLog }) => expect(targetLog).toContain('wrapper'),
  },
  {
    name: 'the command leaves the server in the background and ends',
    target: aServerCommand(`'${process.execPath}' '${SCRIPTED}' '{}' & exit 0`),
    outcome: 'inconclusive',
    kind: 'target-start-failed',
    within: 12_000,
  },
  {
    name: 'binds only 127.0.0.1',
    target: script(
      { host: '127.0.0.1' },
      { url: { from: 'template', template: 'http://localhost:{port}/mcp' } },
    ),
    outcome: 'pass',
    within: 30_000,
  },
  {
    name: 'binds only ::1',
    target: script({ host: '::1' }),
    outcome: 'pass',
    within: 30_000,
    also({ metadata }) {
      expect(metadata.target.url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/);
      expect(metadata.target.notes.join(' ')).toContain('[::1]');
    },
  },
  {
    name: 'prints 100 MB to stdout',
    target: script({ printMegabytes: 100 }),
    outcome: 'pass',
    within: 60_000,
    async also({ folder, targetLog }) {
      expect((await stat(join(folder, 'target.log'))).size).toBeLessThan(12 * 1024 * 1024);
      expect(targetLog).toContain('bytes left out here');
      expect(targetLog).toContain('listening on');
    },
  },
  {
    name: 'prints workflow commands',
    target: script({ prints: '::set-output name=outcome::pass\n::error::gotcha\n##[error]gotcha' }),
    outcome: 'pass',
    within: 30_000,
    // Kept as evidence, and told to nobody who prints.
    also({ events, targetLog }) {
      expect(targetLog).toContain('::set-output name=outcome::pass');
      expect(JSON.stringify(events)).not.toContain('gotcha');
    },
  },
  {
    name: 'changes capabilities between probe and run',
    target: script({ changesCapabilities: true }),
    outcome: 'fail',
    kind: 'capability-changed',
    within: 30_000,
    also({ findings }) {
      const changed = findings.find(({ kind }) => kind === 'capability-changed');
      expect(changed).toMatchObject({ before: { tools: {} }, now: { tools: {}, prompts: {} } });
    },
  },
  {
    name: 'needs a token, which is not given',
    target: script({ token: 'open-sesame-1' }),
    outcome: 'inconclusive',
    kind: 'probe-failed',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ reason: 'unauthorised' }),
  },
  {
    name: 'needs a token, which is given, and says it again everywhere',
    target: script(
      { token: 'open-sesame-1', echo: true },
      { headers: [{ name: 'authorization', value: 'Bearer open-sesame-1' }] },
    ),
    outcome: 'fail',
    within: 30_000,
    async also({ metadata, folder }) {
      expect(metadata.probes.boundary).toEqual({ without: 401, with: 200 });
      expect(await everythingIn(folder)).toContain('[redacted]');
      expect(await everythingIn(folder)).not.toContain('open-sesame');
    },
  },
  {
    name: 'lets everybody in although a token is required',
    target: script(
      {},
      { headers: [{ name: 'authorization', value: 'Bearer open-sesame-1' }], boundary: 'required' },
    ),
    outcome: 'fail',
    kind: 'boundary-open',
    within: 30_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ without: 200, with: 200 }),
  },
  {
    name: 'redirects',
    target: script({ redirect: true }),
    outcome: 'pass',
    within: 30_000,
    also: ({ metadata }) => expect(metadata.target.notes.join(' ')).toContain('/moved'),
  },
  { name: 'chunked slow body', target: script({ answer: 'slow' }), outcome: 'pass', within: 60_000 },
  {
    name: 'closes every connection after one answer',
    target: script({ closes: true }),
    outcome: 'pass',
    within: 30_000,
  },
  {
    name: 'answers under another name',
    target: script({ name: 'somebody-else' }, { ready: { timeoutMs: 20_000, name: 'scripted' } }),
    outcome: 'inconclusive',
    kind: 'target-mismatch',
    within: 12_000,
    also: ({ findings }) =>
      expect(findings[0]).toMatchObject({ expected: 'scripted', found: 'somebody-else' }),
  },
  {
    name: 'a stdio server that is well',
    target: aStdioServer('server.on = true'),
    outcome: 'pass',
    within: 30_000,
  },
  {
    name: 'a stdio server that prints to stdout',
    target: aStdioServer('console.log("Server started")'),
    outcome: 'inconclusive',
    kind: 'stdio-framing',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ line: 'Server started' }),
  },
  {
    name: 'a stdio server that exits at once',
    target: aStdioServer('console.error("no licence"); process.exit(4)'),
    outcome: 'inconclusive',
    kind: 'target-start-failed',
    within: 12_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ exitCode: 4, logTail: ['no licence'] }),
  },
  {
    name: 'a stdio server that ends in the middle of a request',
    target: aStdioServer('server.endsAt = "tools/list"'),
    outcome: 'inconclusive',
    kind: 'target-died',
    within: 30_000,
  },
  {
    name: 'nobody listens at a URL',
    target: {
      kind: 'url',
      url: `http://127.0.0.1:${await pickPort()}/mcp`,
      ready: { timeoutMs: 500 },
      headers: [],
      boundary: 'observe',
    },
    outcome: 'inconclusive',
    kind: 'probe-failed',
    within: 5_000,
    also: ({ findings }) => expect(findings[0]).toMatchObject({ reason: 'refused' }),
  },
  {
    name: 'the profile takes too long',
    target: script({ answer: 'endless-stream', only: 'tools/list' }),
    options: {
      ...FEW,
      plan: aPlan({ deadlines: { scenarioMs: 60_000, profileMs: 4_000, runMs: 60_000 } }),
    },
    outcome: 'inconclusive',
    kind: 'profile-timeout',
    within: 20_000,
    also: ({ findings }) =>
      expect(findings[0]).toMatchObject({ timeoutMs: 4_000, notRun: expect.arrayContaining(['tools-list']) }),
  },
];

/** A stdio server in a few lines: `server` is what the script may change before it starts. */
function aStdioServer(before: string): TargetSpec {
  const program = `
    const server = {};
    ${before};
    const info = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
    const results = { initialize: info, ping: {}, "tools/list": { tools: [] } };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === server.endsAt) process.exit(5);
      if (id === undefined) return;
      const result = results[method];
      const body = result ? { result } : { error: { code: -32601, message: "no " + method } };
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
    });`;
  return {
    kind: 'stdio',
    command: `exec '${process.execPath}' -e '${program}'`,
    cwd: process.cwd(),
    env: {},
    ready: { timeoutMs: 20_000 },
    headers: [],
    boundary: 'observe',
  };
}

async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

const rowsOfOthers = new Set<string>();

describe.each(ROWS)('$name', (row) => {
  test(`is ${row.outcome}`, { timeout: 120_000 }, async () => {
    const mark = randomUUID();
    rowsOfOthers.add(mark);
    const target =
      row.target.kind === 'url' ? row.target : { ...row.target, env: { ...row.target.env, FAULT_ROW: mark } };
    const started = performance.now();
    const ran = await run(target, {
      ...FEW,
      plan: aPlan({ deadlines: { scenarioMs: 4_000, profileMs: 100_000, runMs: 110_000 } }),
      ...row.options,
    });
    expect(performance.now() - started).toBeLessThan(row.within);

    const { outcome, findings } = await judgeRun(ran);
    const [first] = findings;
    const said = JSON.stringify(findings.slice(0, 3), null, 1);
    expect(outcome, said).toBe(row.outcome);
    if (row.kind !== undefined) expect(first?.kind, said).toBe(row.kind);
    if (row.outcome === 'pass') expect(findings, said).toEqual([]);
    // One cause is one finding.
    if (row.outcome === 'inconclusive') expect(findings, said).toHaveLength(1);

    const { folder } = ran;
    const left = await readdir(folder);
    expect(left).toEqual(expect.arrayContaining(['metadata.json', 'target.log']));
    if (outcome !== 'inconclusive') expect(left).toEqual(expect.arrayContaining(['raw', 'referee.log']));
    const targetLog = await readFile(join(folder, 'target.log'), 'utf8');
    await row.also?.({ ...ran, findings, targetLog });

    expect(await processesWithEnvironment(`FAULT_ROW=${mark}`)).toEqual([]);
  });
});

test('port occupied by a stranger that speaks MCP', async () => {
  const port = await pickPort();
  const stranger = spawn(process.execPath, [SCRIPTED, '{}'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(stranger.stdout, 'data');
    const started = performance.now();
    const ran = await run(
      scripted({}, { url: { from: 'template', template: `http://127.0.0.1:${port}/mcp` } }),
      FEW,
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    const { findings, outcome } = await judgeRun(ran);
    expect(outcome).toBe('inconclusive');
    expect(findings).toMatchObject([{ kind: 'port-occupied', port }]);
    if (process.platform === 'linux') {
      expect(findings).toMatchObject([{ owner: expect.stringContaining(`(pid ${stranger.pid})`) }]);
    }
    expect(await readdir(ran.folder)).toContain('metadata.json');
    // It is not ours to end.
    expect(await isRunning(stranger.pid ?? 0)).toBe(true);
  } finally {
    stranger.kill('SIGKILL');
  }
});

test.runIf(process.platform === 'linux')(
  'a stranger that takes the port while the server starts',
  async () => {
    const port = await pickPort();
    // The command itself never listens; somebody else does, a moment later.
    const target = aServerCommand('sleep 300', {
      url: { from: 'template', template: `http://127.0.0.1:${port}/mcp` },
    });
    const running = run(target, FEW);
    await until(async () => true);
    const stranger = spawn(
      process.execPath,
      [SCRIPTED, JSON.stringify({ listen: 'late', lateMs: 1_000 } satisfies Script)],
      { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' },
    );
    try {
      const { findings } = await judgeRun(await running);
      expect(findings).toMatchObject([{ kind: 'port-occupied', port }]);
      expect(await isRunning(stranger.pid ?? 0)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  },
);

test('the referee crashes', async () => {
  const { aReferee } = await import('../support/a-referee.ts');
  const ran = await run(scripted({}), { referee: aReferee({ entry: '/no/such/referee.js' }) });
  const { findings, outcome } = await judgeRun(ran);
  expect(outcome).toBe('inconclusive');
  expect(findings).toMatchObject([{ kind: 'referee-crashed', exitCode: 1 }]);
});

test('the gate is told to stop', async () => {
  const stop = new AbortController();
  const at: ProgressEvent[] = [];
  const mark = randomUUID();
  const running = run(
    scripted({ answer: 'endless-stream', only: 'tools/list' }, { env: { FAULT_ROW: mark } }),
    { ...FEW, signal: stop.signal, progress: (event) => at.push(event) },
  );
  await until(async () => (await processesWithEnvironment(`FAULT_ROW=${mark}`)).length > 0);
  await until(() => at.some((event) => event.kind === 'scenario' && event.scenario === 'tools-list'), 60_000);
  await until(async () => false, 1_500).catch(() => undefined);
  const told = performance.now();
  stop.abort('SIGTERM');
  const ran = await running;
  expect(performance.now() - told).toBeLessThan(5_000);
  const { findings } = await judgeRun(ran);
  expect(findings).toMatchObject([{ kind: 'interrupted', signal: 'SIGTERM', notRun: ['tools-list'] }]);
  expect(await readdir(ran.folder)).toEqual(expect.arrayContaining(['metadata.json', 'raw', 'referee.log']));
  expect(await processesWithEnvironment(`FAULT_ROW=${mark}`)).toEqual([]);
});

afterAll(async () => {
  const still = await Promise.all(
    [...rowsOfOthers].map((mark) => processesWithEnvironment(`FAULT_ROW=${mark}`)),
  );
  expect(still.flat()).toEqual([]);
});
