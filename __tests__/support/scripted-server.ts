// A small MCP server that misbehaves as it is told: `node scripted-server.ts '{"answer":"html"}'`, port in PORT. Where nothing is
// told it answers initialize, server/discover, ping and tools/list, without sessions.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** How an answer is given; `ok` where nothing else is told. */
export type Answer =
  | 'ok'
  | 'never'
  | 'html'
  | 'refuse'
  | 'fail'
  | 'half-stream'
  | 'endless-stream'
  | 'huge'
  | 'invalid-utf8'
  | 'batch'
  | 'wrong-id'
  | 'slow';

export interface Script {
  readonly name?: string;
  /** Ends at once with this code. */
  readonly exit?: number;
  /** Ends after so many requests, at once or after a pause. */
  readonly exitAfter?: number;
  readonly exitPauseMs?: number;
  readonly host?: string;
  readonly listen?: 'late' | 'never' | 'silent';
  readonly lateMs?: number;
  readonly answer?: Answer;
  /** `answer` is for this method only. */
  readonly only?: string;
  readonly token?: string;
  /** The token is said again in every answer and on stdout. */
  readonly echo?: boolean;
  readonly redirect?: boolean;
  readonly closes?: boolean;
  readonly ignoresTerm?: boolean;
  /** A process of its own, in a group of its own, holds the port. */
  readonly grandchild?: boolean;
  /** Prints so many megabytes to stdout. */
  readonly printMegabytes?: number;
  readonly prints?: string;
  /** Capabilities are others from the second initialize on. */
  readonly changesCapabilities?: boolean;
}

interface Rpc {
  readonly id?: string | number;
  readonly method?: string;
}

const HUGE = 50 * 1024 * 1024;

function serve(script: Script, port: number): void {
  let requests = 0;
  let initialized = 0;
  const capabilities = () => {
    initialized += 1;
    return script.changesCapabilities && initialized > 1 ? { tools: {}, prompts: {} } : { tools: {} };
  };
  const serverInfo = { name: script.name ?? 'scripted', version: '1' };
  const results: Record<string, () => unknown> = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: capabilities(), serverInfo }),
    'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: capabilities() }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: {} } }],
    }),
  };
  const respond = (rpc: Rpc): object => {
    const make = results[rpc.method ?? ''];
    const said = script.echo ? { echoed: script.token } : {};
    return make
      ? { jsonrpc: '2.0', id: rpc.id, result: { ...(make() as object), ...said } }
      : {
          jsonrpc: '2.0',
          id: rpc.id,
          error: { code: -32601, message: `no ${rpc.method} ${script.echo ? script.token : ''}` },
        };
  };

  const http = createServer(async (request, response) => {
    requests += 1;
    const last = requests === script.exitAfter;
    if (last) setTimeout(() => process.exit(9), script.exitPauseMs ?? 0);
    const body = await read(request);
    if (script.redirect && request.url === '/mcp') {
      response.writeHead(307, { location: '/moved' }).end();
      return;
    }
    if (script.token !== undefined && request.headers.authorization !== `Bearer ${script.token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"error":"invalid_token"}');
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    if (script.closes) response.setHeader('connection', 'close');
    const rpc = JSON.parse(body || '{}') as Rpc;
    const how = script.only === undefined || script.only === rpc.method ? (script.answer ?? 'ok') : 'ok';
    if (how === 'ok' && rpc.id === undefined) response.writeHead(202).end();
    else await give(how, response, respond(rpc));
  });
  http.on('error', (error) => {
    console.error(`cannot listen: ${error.message}`);
    process.exit(1);
  });
  http.listen(port, script.host ?? '127.0.0.1', () => console.log(`listening on ${port}`));
}

async function give(how: Answer, response: ServerResponse, message: object): Promise<void> {
  const text = JSON.stringify(message);
  const json = { 'content-type': 'application/json' };
  const stream = { 'content-type': 'text/event-stream' };
  switch (how) {
    case 'ok':
      response.writeHead(200, json).end(text);
      return;
    case 'never':
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>It works!</h1>');
      return;
    case 'refuse':
      response.writeHead(401).end();
      return;
    case 'fail':
      response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error');
      return;
    case 'half-stream':
      response.writeHead(200, stream).write(`event: message\ndata: ${text.slice(0, text.length / 2)}`);
      await sleep(20);
      response.destroy();
      return;
    case 'endless-stream': {
      response.writeHead(200, stream);
      const timer = setInterval(() => response.write(': still here\n\n'), 20);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'huge':
      response.writeHead(200, json).end(text.replace('Adds.', 'x'.repeat(HUGE)));
      return;
    case 'invalid-utf8':
      response.writeHead(200, json).end(Buffer.from(text.replace('Adds.', '\u00ff\u00fe'), 'latin1'));
      return;
    case 'batch':
      response.writeHead(200, json).end(`[${text}]`);
      return;
    case 'wrong-id':
      response.writeHead(200, json).end(JSON.stringify({ ...message, id: 987_654 }));
      return;
    case 'slow':
      response.writeHead(200, json);
      for (const piece of text.match(/.{1,20}/gs) ?? []) {
        response.write(piece);
        await sleep(10);
      }
      response.end();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function printMegabytes(count: number): Promise<void> {
  const megabyte = `${'y'.repeat(1023)}\n`.repeat(1024);
  for (let i = 0; i < count; i++) {
    if (!process.stdout.write(megabyte))
      await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

async function main(script: Script): Promise<void> {
  const port = Number(process.env.PORT);
  if (script.ignoresTerm) process.on('SIGTERM', () => undefined);
  if (script.prints !== undefined) console.log(script.prints);
  if (script.echo) console.log(`my token is ${script.token}`);
  if (script.exit !== undefined) {
    console.error('this is how it ends');
    process.exit(script.exit);
  }
  if (script.printMegabytes !== undefined) await printMegabytes(script.printMegabytes);
  if (script.grandchild) {
    const rest: Script = { ...script, grandchild: false };
    const self = fileURLToPath(import.meta.url);
    spawn(process.execPath, [self, JSON.stringify(rest)], { detached: true, stdio: 'inherit' }).unref();
    setInterval(() => undefined, 1_000);
    return;
  }
  if (script.listen === 'never') setInterval(() => undefined, 1_000);
  else if (script.listen === 'silent') createTcpServer(() => undefined).listen(port, '127.0.0.1');
  else if (script.listen === 'late') setTimeout(() => serve(script, port), script.lateMs ?? 20_000);
  else serve(script, port);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(JSON.parse(process.argv[2] ?? '{}') as Script);
