import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { type ProbeOptions, probeTarget } from '../../src/target/probe.ts';
import { listening } from '../support/listening.ts';

const OPTIONS: ProbeOptions = { revision: '2025-11-25', headers: [], timeoutMs: 5_000 };

async function probe(handler: RequestListener, options: Partial<ProbeOptions> = {}) {
  await using server = await listening(handler);
  return (await probeTarget(`${server.url}/mcp`, { ...OPTIONS, ...options })).probe;
}

const says =
  (status: number, type: string, body: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };
const json = 'application/json';
const result =
  '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}';

test.each([
  [
    'JSON',
    says(200, json, result),
    { capabilities: { tools: {} }, serverInfo: { name: 's' }, protocolVersion: '2025-11-25' },
  ],
  [
    'an event stream',
    says(200, 'text/event-stream', `: hi\n\nid: 1\ndata: \n\nevent: message\ndata: ${result}\n\n`),
    { serverInfo: { name: 's' } },
  ],
  [
    'an event over several lines',
    says(200, 'text/event-stream', `data: ${result.replace(',', ',\ndata: ')}\r\n\r\n`),
    { serverInfo: { name: 's' } },
  ],
  [
    'a notification before it',
    says(200, 'text/event-stream', `data: {"jsonrpc":"2.0","method":"n"}\n\ndata: ${result}\n\n`),
    { serverInfo: { name: 's' } },
  ],
  [
    'an error',
    says(400, json, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}'),
    { httpStatus: 400, capabilities: null, error: { code: -32000, message: 'no' } },
  ],
  ['a batch', says(200, json, `[${result}]`), { serverInfo: { name: 's' } }],
])('%s is an answer', async (_, handler, learnt) => {
  expect(await probe(handler)).toMatchObject({ answered: true, ...learnt });
});

test.each([
  [
    'HTML',
    says(200, 'text/html', '<p>hi'),
    { reason: 'not-mcp', message: 'HTTP 200 (text/html): no JSON-RPC answer' },
  ],
  ['other JSON', says(200, json, '{"ok":true}'), { reason: 'not-mcp' }],
  ['nothing', says(204, json, ''), { reason: 'not-mcp', httpStatus: 204 }],
  ['a refusal', says(401, json, result), { reason: 'unauthorised', httpStatus: 401 }],
  ['a prohibition', says(403, json, result), { reason: 'unauthorised', httpStatus: 403 }],
  ['an empty stream', says(200, 'text/event-stream', ''), { reason: 'not-mcp' }],
  [
    'a broken connection',
    (_request: unknown, response: { destroy(): void }) => response.destroy(),
    { reason: 'closed' },
  ],
] as const)('%s is none', async (_, handler, why) => {
  expect(await probe(handler as RequestListener)).toMatchObject({ answered: false, ...why });
});

test('silence ends at the limit, also in the middle of an answer', async () => {
  expect(await probe(() => undefined, { timeoutMs: 200 })).toMatchObject({ reason: 'timeout' });
  const half: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': json }).write('{"jsonrpc"');
  };
  expect(await probe(half, { timeoutMs: 200 })).toMatchObject({ reason: 'timeout' });
});

test('the revision decides what is asked, and a session that was opened is closed', async () => {
  const asked: string[] = [];
  const handler: RequestListener = (request, response) => {
    asked.push(
      `${request.method} ${request.headers['mcp-session-id'] ?? request.headers['mcp-method'] ?? ''}`.trim(),
    );
    response.writeHead(200, { 'content-type': json, 'mcp-session-id': 'abc' }).end(result);
  };
  expect(await probe(handler)).toMatchObject({ method: 'initialize' });
  expect(asked).toEqual(['POST', 'DELETE abc']);
  expect(await probe(handler, { revision: '2026-07-28' })).toMatchObject({ method: 'server/discover' });
  expect(asked[2]).toBe('POST server/discover');
});

test('the name of a stateless server is in the result’s metadata', async () => {
  const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '2' } };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { supportedVersions: [], capabilities: {}, _meta: meta },
  });
  expect(await probe(says(200, json, body), { revision: '2026-07-28' })).toMatchObject({
    serverInfo: { name: 'modern' },
  });
});

test.each([json, 'text/event-stream'])('an answer in %s without measure is none', async (type) => {
  const answer = (capabilities: string) => {
    const text = result.replace('{"tools":{}}', capabilities);
    return says(200, type, type === json ? text : `data: ${text}\n\n`);
  };
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  expect(await probe(answer(nested(50)))).toMatchObject({ answered: true });
  for (const depth of [100, 3_000, 100_000]) {
    expect(await probe(answer(nested(depth)))).toMatchObject({
      reason: 'not-mcp',
      message: 'HTTP 200: an answer that nests deeper than 64 levels',
    });
  }
  expect(await probe(answer(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`))).toMatchObject({
    reason: 'not-mcp',
    message: 'HTTP 200: an answer larger than 1048576 bytes',
  });
});

test('a redirect is followed within the origin, with the request as it was', async () => {
  await using server = await listening((request, response) => {
    const told = `${request.method} ${request.url} ${request.headers['x-key']}`;
    if (request.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end();
    else if (request.url === '/loop') response.writeHead(308, { location: '/loop' }).end();
    else response.writeHead(200, { 'content-type': json }).end(result.replace('"s"', JSON.stringify(told)));
  });
  const options = { ...OPTIONS, headers: [{ name: 'X-Key', value: 'k' }] };
  expect(await probeTarget(`${server.url}/mcp`, options)).toMatchObject({
    probe: { answered: true, serverInfo: { name: 'POST /mcp/ k' } },
    redirectedTo: `${server.url}/mcp/`,
  });
  expect((await probeTarget(`${server.url}/loop`, options)).probe).toMatchObject({
    reason: 'not-mcp',
    message: 'HTTP 308: redirects more than 5 times',
  });
});

test('a redirect to another origin is not followed, so that the headers stay here', async () => {
  let asked = 0;
  await using other = await listening((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': json }).end(result);
  });
  const away: RequestListener = (_request, response) => {
    response.writeHead(307, { location: `${other.url}/mcp?secret` }).end();
  };
  expect(await probe(away, { headers: [{ name: 'X-Key', value: 'k' }] })).toMatchObject({
    answered: false,
    reason: 'not-mcp',
    httpStatus: 307,
    message: `HTTP 307: redirects to another origin, ${other.url}, which is not followed`,
  });
  expect(asked).toBe(0);
});

test('a port that fetch refuses by itself is as good as closed', async () => {
  const { probe: refused } = await probeTarget('http://127.0.0.1:6000/mcp', {
    revision: '2025-11-25',
    headers: [],
    timeoutMs: 5_000,
  });
  expect(refused).toMatchObject({ answered: false, reason: 'refused', message: 'bad port' });
});
