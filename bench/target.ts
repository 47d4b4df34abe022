// What stands between the referee and the target costs time on each request: the relay that adds headers, and the bridge before
// a stdio server. Each is measured against the same server without it, in turns, one request after the other.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetSpec } from '../src/config/plan.ts';
import { parseProfile } from '../src/profile.ts';
import { withHeaderRelay } from '../src/target/header-relay.ts';
import { withTarget } from '../src/target/with-target.ts';
import { type BenchRow, median } from './row.ts';

const REQUESTS = 400;
const WARM_UP = 50;
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export default async function target(): Promise<readonly BenchRow[]> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const folder = await mkdtemp(join(tmpdir(), 'mcp-gate-bench-target-'));
  try {
    const relay = await withHeaderRelay(
      direct,
      [{ name: 'authorization', value: 'Bearer bench' }],
      (relayed) => inTurns({ direct: () => ask(direct), through: () => ask(relayed) }),
    );
    const bridge = await bridged(folder, direct);
    return [
      { name: 'target: a request, direct', value: relay.direct, unit: 'ms' },
      { name: 'target: the relay adds, per request', value: relay.through - relay.direct, unit: 'ms' },
      {
        name: 'target: the stdio bridge adds, per request',
        value: bridge.through - bridge.direct,
        unit: 'ms',
      },
    ];
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A stdio server that does nothing but answer, in one session. */
async function bridged(folder: string, direct: string): Promise<{ direct: number; through: number }> {
  const profile = parseProfile('server:2025-11-25');
  if (!profile) throw new TypeError('this is a profile');
  const program = `
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const info = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "b", version: "1" } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? info : {} }));
    });`;
  const spec: TargetSpec = {
    kind: 'stdio',
    command: `exec '${process.execPath}' -e '${program}'`,
    cwd: folder,
    env: {},
    ready: { timeoutMs: 30_000 },
    headers: [],
    boundary: 'observe',
  };
  const context = {
    profile,
    targetLog: join(folder, 'target.log'),
    secrets: [],
    progress: () => undefined,
    signal: new AbortController().signal,
  };
  return withTarget(spec, context, async ({ url }) => {
    const params = {
      protocolVersion: profile.revision,
      capabilities: {},
      clientInfo: { name: 'b', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const opened = await fetch(url, { method: 'POST', headers: HEADERS, body });
    await opened.text();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    return inTurns({ direct: () => ask(direct), through: () => ask(url, session) });
  });
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: PING });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  await response.text();
}

/** Medians in milliseconds; both take turns, so that a busy moment of the machine hits both. */
async function inTurns(ways: {
  direct: () => Promise<void>;
  through: () => Promise<void>;
}): Promise<{ direct: number; through: number }> {
  const taken: { direct: number[]; through: number[] } = { direct: [], through: [] };
  for (let round = 0; round < REQUESTS + WARM_UP; round++) {
    for (const way of ['direct', 'through'] as const) {
      const from = performance.now();
      await ways[way]();
      if (round >= WARM_UP) taken[way].push(performance.now() - from);
    }
  }
  return { direct: median(taken.direct), through: median(taken.through) };
}
