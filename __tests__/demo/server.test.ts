import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('../../demo/server.ts', import.meta.url));

/** Starts the demo server on a free port. */
async function startDemo(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [entry, '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr as NonNullable<typeof child.stderr> })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('The demo server ended before it listened.');
}

function connect(url: string, era: 'legacy' | 'modern'): Promise<Client> {
  const client = new Client(
    { name: 'reader', version: '1.0.0' },
    {
      capabilities: { elicitation: {}, sampling: {} },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  return client.connect(new StreamableHTTPClientTransport(new URL(url))).then(() => client);
}

/** Status of one POST with the given headers; node:http, because fetch forbids setting Host. */
async function statusWith(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const req = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  req.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const [response] = await once(req, 'response');
  response.resume();
  return response.statusCode;
}

describe('the demo server', () => {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(async () => {
    const ended = once(demo.child, 'exit');
    demo.child.kill('SIGTERM');
    const [code] = await ended;
    expect(code).toBe(0);
  });

  it.each([
    { era: 'legacy', version: '2025-11-25' },
    { era: 'modern', version: '2026-07-28' },
  ] as const)('serves its trails and asks its questions on $version', async ({ era, version }) => {
    const client = await connect(demo.url, era);
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getServerVersion()?.name).toBe('trailbook');
      const time = await client.callTool({ name: 'walking_time', arguments: { trail: 'lake-loop' } });
      expect(time.structuredContent).toEqual({ trail: 'lake-loop', minutes: 110 });
      const greeting = await client.callTool({ name: 'test_input_required_result_elicitation' });
      expect(greeting.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
      const { contents } = await client.readResource({ uri: 'trailbook://trails/old-pass' });
      expect(contents[0]).toMatchObject({ text: expect.stringContaining('last bus') });
    } finally {
      await client.close();
    }
  });

  it.each([
    { header: 'host', value: 'evil.example' },
    { header: 'origin', value: 'http://evil.example' },
  ])('refuses a foreign $header', async ({ header, value }) => {
    expect(await statusWith(demo.url, { [header]: value })).toBe(403);
  });

  it('answers 404 for a session that it does not know', async () => {
    expect(await statusWith(demo.url, { accept: '*/*', 'mcp-session-id': 'none' })).toBe(404);
  });

  it('says why it cannot listen, and ends', async () => {
    const second = spawn(process.execPath, [entry, '--port', new URL(demo.url).port], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    second.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(second, 'exit');
    expect(code).toBe(1);
    expect(said).toContain('EADDRINUSE');
  });
});
