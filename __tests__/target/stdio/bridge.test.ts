import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { TargetSpec } from '../../../src/config/plan.ts';
import type { RunningTarget } from '../../../src/target/target.ts';
import { withTarget } from '../../../src/target/with-target.ts';
import { aProfile } from '../../support/a-referee.ts';

/**
 * A stdio server that writes down each line that it gets, and answers as `tell` says; `send` writes a message, `raw` a line.
 */
function recorder(tell: string): TargetSpec {
  const program = `
    const fs = require("node:fs");
    const log = process.env.FRAMES;
    fs.appendFileSync(log, "start\\n");
    const raw = (line) => process.stdout.write(line + "\\n");
    const send = (message) => raw(JSON.stringify({ jsonrpc: "2.0", ...message }));
    const info = { protocolVersion: "2025-11-25", capabilities: { tools: {}, logging: {} }, serverInfo: { name: "recorder", version: "1" } };
    const discovered = { supportedVersions: ["2026-07-28"], capabilities: {}, resultType: "complete", ttlMs: 0, cacheScope: "private" };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      fs.appendFileSync(log, line + "\\n");
      const { id, method, params, result } = JSON.parse(line);
      if (method === "initialize") return send({ id, result: info });
      if (method === "server/discover") return send({ id, result: discovered });
      ${tell}
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

async function bridged<T>(
  spec: TargetSpec,
  use: (target: RunningTarget, frames: () => Promise<string[]>) => Promise<T>,
  profile = 'server:2025-11-25',
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gate-bridge-'));
  const file = join(folder, 'frames');
  if (spec.kind !== 'stdio') throw new Error('a stdio server is wanted');
  const context = {
    profile: aProfile(profile),
    targetLog: join(folder, 'target.log'),
    secrets: [],
    progress: () => undefined,
    signal: new AbortController().signal,
  };
  return withTarget({ ...spec, env: { FRAMES: file } }, context, (target) =>
    use(target, async () => (await readFile(file, 'utf8')).trim().split('\n')),
  );
}

async function connect(url: string, client: Client): Promise<void> {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
}

test('frames pass unchanged, spaces and unknown members too', async () => {
  const spec = recorder(
    'if (id === "x") raw(`{"jsonrpc":"2.0","id":"x","result":{"n":1.5,"own":[null,{}]},"more":true}`);',
  );
  await bridged(spec, async ({ url }, frames) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const opened = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }),
    });
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    const body =
      '{"jsonrpc":"2.0",  "id":"x",\n "method":"custom/thing", "params":{"deep":{"a":[1, 2.50]},"_meta":{"own":1}}}';
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': session },
      body,
    });
    const [, data] = /^data: (\{.*\})$/m.exec(await answer.text()) ?? [];
    expect(data).toBe('{"jsonrpc":"2.0","id":"x","result":{"n":1.5,"own":[null,{}]},"more":true}');
    // The newline is the only thing that stdio does not allow.
    expect((await frames()).at(-1)).toBe(body.replace('\n', ' '));
  });
});

test('notifications and requests of the server reach the client, and its answer the server', async () => {
  const spec = recorder(`
    if (method === "tools/call") {
      send({ method: "notifications/message", params: { level: "info", data: "working" } });
      send({ method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress: 1 } });
      send({ id: "ask-1", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
      globalThis.call = id;
    }
    if (id === "ask-1") send({ id: globalThis.call, result: { content: [{ type: "text", text: result.content.text }] } });
  `);
  await bridged(spec, async ({ url }) => {
    const client = new Client({ name: 't', version: '1' }, { capabilities: { sampling: {} } });
    const heard: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      heard.push(params.data);
    });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'asked and answered' },
    }));
    await connect(url, client);
    const result = await client.callTool({ name: 'any' }, undefined, {
      onprogress: ({ progress }) => heard.push(progress),
    });
    expect(result.content).toEqual([{ type: 'text', text: 'asked and answered' }]);
    expect(heard).toEqual(['working', 1]);
    await client.close();
  });
});

test('a child for each session, ended with it', async () => {
  const spec = recorder('if (method === "ping") send({ id, result: {} });');
  await bridged(spec, async ({ url }, frames) => {
    const before = (await frames()).filter((line) => line === 'start').length;
    const clients = [1, 2].map(() => new Client({ name: 't', version: '1' }));
    const transports = clients.map(() => new StreamableHTTPClientTransport(new URL(url)));
    await Promise.all(clients.map((client, n) => client.connect(transports[n] as never)));
    expect((await frames()).filter((line) => line === 'start').length).toBe(before + 2);
    await transports[0]?.terminateSession();
    await clients[1]?.ping();
    await expect(clients[0]?.ping()).rejects.toThrow();
    await Promise.all(clients.map((client) => client.close()));
  });
});

test('one child for everything on the stateless wire, and two requests with one id are kept apart', async () => {
  const spec = recorder(
    'setTimeout(() => send({ id, result: { said: params.say, resultType: "complete" } }), params.wait);',
  );
  await bridged(
    spec,
    async ({ url }, frames) => {
      const ask = async (say: string, wait: number): Promise<unknown> => {
        const meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        const params = { say, wait, _meta: meta };
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'custom/thing',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'custom/thing', params }),
        });
        return response.json();
      };
      const [slow, quick] = await Promise.all([ask('slow', 500), ask('quick', 10)]);
      expect(slow).toMatchObject({ id: 1, result: { said: 'slow' } });
      expect(quick).toMatchObject({ id: 1, result: { said: 'quick' } });
      expect((await frames()).filter((line) => line === 'start')).toHaveLength(1);
    },
    'server:2026-07-28',
  );
});

test('an answer that nobody asked for is dropped and noted, and does no harm', async () => {
  const spec = recorder('send({ id: 4711, result: {} }); if (method === "ping") send({ id, result: {} });');
  await bridged(spec, async ({ url }) => {
    const client = new Client({ name: 't', version: '1' });
    await connect(url, client);
    await client.ping();
    await client.close();
  });
});
