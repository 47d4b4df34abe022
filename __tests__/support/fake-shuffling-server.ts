// A server under test whose `tools/list` comes in another order every time: the demo server with a relay in front.
// `node fake-shuffling-server.ts --port N`. What it does wrong is what only referee 0.2.0-alpha.12 and later look at.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { packageRoot } from '../../src/shared/package-root.ts';

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const inner = await getPort({ host: '127.0.0.1' });
const child = spawn(process.execPath, [join(packageRoot(), 'demo/server.ts'), '--port', String(inner)], {
  stdio: 'inherit',
});
child.on('exit', (code) => process.exit(code ?? 1));

let lists = 0;

createServer(async (incoming, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  relay(incoming, response, Buffer.concat(chunks));
}).listen(Number(values.port), '127.0.0.1');

function relay(incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const onward = request(
    {
      host: '127.0.0.1',
      port: inner,
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, host: rewritten(incoming.headers.host) },
    },
    (answer) => {
      if (!isList(body)) {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return;
      }
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => {
        const { 'content-length': _length, 'transfer-encoding': _chunked, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, headers);
        response.end(turned(text));
      });
    },
  );
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  onward.end(body);
}

/** The demo server's own guard wants its own port; a foreign Host stays foreign. */
function rewritten(host: string | undefined): string | undefined {
  return host?.replace(`:${values.port}`, `:${inner}`);
}

function isList(body: Buffer): boolean {
  try {
    return (JSON.parse(body.toString()) as { method?: string }).method === 'tools/list';
  } catch {
    return false;
  }
}

/** Every second list backwards; bare JSON or the data lines of an event stream. */
function turned(text: string): string {
  lists += 1;
  if (lists % 2 === 1) return text;
  return text.replace(/\{.*"tools":\[.*\}/g, (json) => {
    const message = JSON.parse(json) as { result?: { tools?: unknown[] } };
    message.result?.tools?.reverse();
    return JSON.stringify(message);
  });
}
