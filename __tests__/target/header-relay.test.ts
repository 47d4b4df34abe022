import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withHeaderRelay } from '../../src/target/header-relay.ts';
import { listening } from '../support/listening.ts';

const TOKEN = [{ name: 'Authorization', value: 'Bearer abc' }];

const sayHeaders = (incoming: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers }));
};

interface Said {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

test('adds the header, replaces one of the same name, and leaves everything else', async () => {
  await using target = await listening(sayHeaders);
  const said = await withHeaderRelay(`${target.url}/mcp?a=1`, TOKEN, async (url) => {
    const headers = { authorization: 'Basic no', 'mcp-method': 'tools/list', 'x-other': ' spaced ' };
    const response = await fetch(url, { method: 'POST', body: '{}', headers });
    return (await response.json()) as Said;
  });
  expect(said.method).toBe('POST');
  expect(said.url).toBe('/mcp?a=1');
  expect(said.headers).toMatchObject({
    authorization: 'Bearer abc',
    'mcp-method': 'tools/list',
    'x-other': 'spaced',
  });
});

test('Host and Origin pass untouched, except where they name the relay: there they name the target', async () => {
  await using target = await listening(sayHeaders);
  await withHeaderRelay(`${target.url}/mcp`, TOKEN, async (url) => {
    const relay = new URL(url);
    const ask = async (host: string, origin?: string): Promise<Said['headers']> => {
      const headers = { host, ...(origin === undefined ? {} : { origin }) };
      // fetch would not let us choose the Host.
      const sent = request(url, { method: 'POST', headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return ((await json(answer)) as Said).headers;
    };
    expect(await ask('evil.example.com', 'http://evil.example.com')).toMatchObject({
      host: 'evil.example.com',
      origin: 'http://evil.example.com',
    });
    expect(await ask('127.0.0.1:1', 'null')).toMatchObject({ host: '127.0.0.1:1', origin: 'null' });
    expect(await ask(relay.host, `http://${relay.host}`)).toMatchObject({
      host: `127.0.0.1:${target.port}`,
      origin: target.url,
    });
    expect(await ask(`localhost:${relay.port}`)).toMatchObject({ host: `localhost:${target.port}` });
  });
});

test('streams events as they come, and headers before the first one', async () => {
  let push: ((event: string) => void) | undefined;
  await using target = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    push = (event) => response.write(event);
  });
  await withHeaderRelay(`${target.url}/mcp`, TOKEN, async (url) => {
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      push?.(event);
      // Would hang if anything between collected events.
      const { value } = (await reader?.read()) ?? {};
      expect(new TextDecoder().decode(value)).toBe(event);
    }
    await reader?.cancel();
  });
});

test('a client that goes away is seen by the target', async () => {
  let closed: Promise<unknown> | undefined;
  await using target = await listening((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  await withHeaderRelay(`${target.url}/mcp`, TOKEN, async (url) => {
    const stop = new AbortController();
    await fetch(url, { signal: stop.signal });
    stop.abort();
    await closed;
  });
});

test('a broken connection stays one: no answer of the relay stands in for the target', async () => {
  await using target = await listening((incoming, response) => {
    if (incoming.url === '/half') response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  });
  await withHeaderRelay(`${target.url}/none`, TOKEN, async (url) => {
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    const half = await fetch(new URL('/half', url));
    await expect(half.text()).rejects.toThrow('terminated');
  });
});

test('nobody at the target looks like nobody', async () => {
  const gone = await listening(sayHeaders);
  await gone[Symbol.asyncDispose]();
  await withHeaderRelay(`${gone.url}/mcp`, TOKEN, async (url) => {
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

test('a redirect to the target comes back through the relay', async () => {
  await using target = await listening((incoming, response) => {
    if (incoming.url === '/mcp') {
      response.writeHead(307, { location: `${target.url}/moved` }).end();
      return;
    }
    sayHeaders(incoming, response);
  });
  const said = await withHeaderRelay(`${target.url}/mcp`, TOKEN, async (url) => {
    return (await (await fetch(url, { method: 'POST', body: '{}' })).json()) as Said;
  });
  expect(said).toMatchObject({ url: '/moved', headers: { authorization: 'Bearer abc' } });
});

test('is closed when its use ends, whatever is still open', async () => {
  await using target = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  let relayed = '';
  const open = withHeaderRelay(`${target.url}/mcp`, TOKEN, async (url) => {
    relayed = url;
    await fetch(url);
    throw new Error('over');
  });
  await expect(open).rejects.toThrow('over');
  const socket = connect(Number(new URL(relayed).port), '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
