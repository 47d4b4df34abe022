import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createProxyServer } from 'http-proxy-3';
import { isLoopback } from './addresses.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\]):(\d+)$/i;
/** Longer than any pause between two scenarios, so that a client never meets a connection that is just being closed. */
const KEEP_ALIVE_MS = 120_000;

/**
 * Puts a relay on loopback that adds headers to each request, for as long as `use` runs. The referee cannot send headers of
 * its own. Answers stream through as they come. Host and Origin pass as they are, except where they name the relay itself,
 * which the target has never heard of: there they name the target, as they would without a relay.
 * @param url the target's own address
 * @param use gets the address to give to the referee
 */
export async function withHeaderRelay<T>(
  url: string,
  headers: readonly Header[],
  use: (relayed: string) => Promise<T>,
): Promise<T> {
  const target = new URL(url);
  const server = createServer();
  const port = await listen(server);
  const relay = `127.0.0.1:${port}`;
  const proxy = createProxyServer({
    target: target.origin,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    // A redirect to the target's own address must come back through here, or the next request lacks the headers.
    hostRewrite: relay,
    protocolRewrite: 'http',
    // A new connection for each request: one that is used again may be closing. A TLS handshake is dear enough to risk it.
    ...(target.protocol === 'https:' ? { agent: new Agent({ keepAlive: true }) } : {}),
  });
  // Whoever talks to a broken target has to see a broken connection, not an answer that the relay made up.
  proxy.on('error', (_error, _request, response) => {
    if (response instanceof ServerResponse) response.socket?.destroy();
    else response.destroy();
  });
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
    // A stream of events may say nothing for a while; its headers must not wait for the first one.
    process.nextTick(() => {
      if (!response.headersSent && !response.destroyed) response.flushHeaders();
    });
  });
  server.on('request', (request, response) => {
    renameHost(request, target, port);
    proxy.web(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // Streams of events and slow answers take the time that they take.
  server.requestTimeout = 0;
  try {
    return await use(`http://${relay}${target.pathname}${target.search}`);
  } finally {
    server.closeAllConnections();
    server.close();
    proxy.close();
  }
}

/** Where a request names the relay as its host or origin, lets it name the target. Everything else stays as it is. */
function renameHost(request: IncomingMessage, target: URL, port: number): void {
  const named = renamed(request.headers.host, target, port);
  if (named !== undefined) request.headers.host = named;
  const origin = request.headers.origin;
  if (origin === undefined || !origin.startsWith('http://')) return;
  const host = renamed(origin.slice('http://'.length), target, port);
  if (host !== undefined) request.headers.origin = `${target.protocol}//${host}`;
}

function renamed(host: string | undefined, target: URL, port: number): string | undefined {
  const [, name, at] = LOOPBACK_HOST.exec(host ?? '') ?? [];
  if (name === undefined || Number(at) !== port) return undefined;
  // `localhost` and `127.0.0.1` are different names to a server that checks them.
  const other = isLoopback(target.origin) && name.toLowerCase() !== '127.0.0.1';
  return other ? `${name}:${target.port}` : target.host;
}

/** @returns the port */
function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port));
  });
}
