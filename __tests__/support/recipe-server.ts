// The server of docs/targets.md's recipes, `node server.js` there: an MCP server of both revisions that starts in every way which
// the page shows. --port N or PORT, --path PATH, --print-address, --write-address FILE, --slow MS, --name NAME, --stdio; with
// TOKEN it asks for that bearer token; with STATELESS it serves 2026-07-28 alone.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    path: { type: 'string', default: '/mcp' },
    'print-address': { type: 'boolean' },
    'write-address': { type: 'string' },
    slow: { type: 'string' },
    name: { type: 'string', default: 'my-server' },
    stdio: { type: 'boolean' },
  },
});
const { TOKEN, STATELESS, PORT } = process.env;

function answer(body: string): string | undefined {
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
  if (id === undefined) return undefined;
  const info = { name: values.name, version: '1' };
  const stateful = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info };
  const meta = { 'io.modelcontextprotocol/serverInfo': info };
  const stateless = {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    resultType: 'complete',
    _meta: meta,
  };
  const results: Record<string, unknown> = { ping: {}, 'server/discover': stateless };
  if (!STATELESS) results.initialize = stateful;
  const result = results[method ?? ''];
  const said = result ? { result } : { error: { code: -32601, message: `no ${method}` } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...said });
}

function serveHttp(): void {
  const server = createServer(async (request, response) => {
    if (request.url === '/health') response.writeHead(200).end('ok');
    else if (request.url !== values.path) response.writeHead(404).end();
    else if (TOKEN !== undefined && request.headers.authorization !== `Bearer ${TOKEN}`)
      response.writeHead(401).end();
    else if (request.method !== 'POST') response.writeHead(405).end();
    else {
      const said = answer(await text(request));
      if (said === undefined) response.writeHead(202).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(said);
    }
  });
  server.listen(Number(values.port ?? PORT ?? 0), '127.0.0.1', () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${values.path}`;
    if (values['print-address']) console.log(`Listening on ${address}.`);
    if (values['write-address'] !== undefined) writeFileSync(values['write-address'], `${address}\n`);
  });
}

function serveStdio(): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(line);
    if (said !== undefined) process.stdout.write(`${said}\n`);
  });
}

if (values.stdio) serveStdio();
else setTimeout(serveHttp, Number(values.slow ?? 0));
