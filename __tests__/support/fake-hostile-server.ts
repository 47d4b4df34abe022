// An MCP server that puts hostile text into everything it says: its name, its tools, its errors, its log. Listens on PORT.
import { createServer } from 'node:http';
import { HOSTILE } from './hostile.ts';

/** The short ones together; the long one is asked for on its own. */
const TEXT = Object.entries(HOSTILE)
  .filter(([name]) => name !== 'very long')
  .map(([name, text]) => `aAa ${name}: ${text} zZz`)
  .join('\n');

/** A line of 5 MB, with a command in its middle. */
const LONG = `${'x'.repeat(2_500_000)} ##[error]pwned ${'𠮷'.repeat(625_000)}`;

for (const line of [TEXT, TEXT]) process.stdout.write(`${line}\n`);
process.stderr.write(`${TEXT}\n::set-output name=outcome::pass\n`);

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let message: { id?: unknown; method?: unknown; params?: { protocolVersion?: unknown } } = {};
  try {
    message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    response.writeHead(400).end();
    return;
  }
  if (message.id === undefined) return void response.writeHead(202).end();
  const result = answer(message);
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...result });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

function answer({ method, params }: { method?: unknown; params?: { protocolVersion?: unknown } }): object {
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: params?.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {}, prompts: {}, resources: {}, logging: {}, [TEXT.slice(0, 400)]: {} },
        serverInfo: { name: TEXT, version: TEXT },
        instructions: TEXT,
      },
    };
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list')
    return {
      result: { tools: [{ name: TEXT, description: TEXT, inputSchema: { type: 'object', [TEXT]: TEXT } }] },
    };
  if (method === 'prompts/list') return { error: { code: -32603, message: LONG } };
  return { error: { code: -32602, message: `${String(method)}: ${TEXT}`, data: TEXT } };
}
