// The demo server behind a bearer token, and one that talks too much: it says the token it got, in many spellings, on its
// stdout and in its answer to ping. `node guarded-server.ts`, PORT, and TOKEN for the token that it asks for; without
// TOKEN it lets everybody in.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createProxyServer } from 'http-proxy-3';

const { TOKEN, PORT } = process.env;

/** Ways in which software writes a value down. */
export function spellings(token: string): string[] {
  return [
    token,
    `Bearer ${token}`,
    encodeURIComponent(token),
    JSON.stringify({ token }),
    Buffer.from(token).toString('base64'),
    Buffer.from(`user:${token}`).toString('base64'),
    Buffer.from(JSON.stringify({ token })).toString('base64url'),
    Buffer.from(token).toString('hex'),
  ];
}

async function startDemo(): Promise<string> {
  const script = join(import.meta.dirname, '..', '..', 'demo', 'server.ts');
  const demo = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(demo.stderr)) {
    const url = /http:\/\/[^/\s]+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('the demo server ended');
}

async function main(): Promise<void> {
  const target = await startDemo();
  const proxy = createProxyServer({ target });
  proxy.on('error', () => undefined);
  const server = createServer(async (request, response) => {
    const given = request.headers.authorization;
    for (const each of spellings((given ?? 'nothing-was-given').replace('Bearer ', ''))) console.log(each);
    if (TOKEN !== undefined && given !== `Bearer ${TOKEN}`) {
      response.writeHead(401, { 'www-authenticate': `Bearer error_description="not ${given}"` }).end();
      return;
    }
    const body = await read(request);
    if (body.includes('"method":"ping"')) {
      const { id } = JSON.parse(body) as { id: unknown };
      const said = spellings((given ?? 'nothing-was-given').replace('Bearer ', ''));
      response.writeHead(200, { 'content-type': 'application/json' });
      // No answer to ping: what is said here becomes evidence.
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: said.join(' ') } }));
      return;
    }
    proxy.web(request, response, { buffer: Readable.from([body]) });
  });
  server.listen(Number(PORT), '127.0.0.1');
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

if (import.meta.main) await main();
