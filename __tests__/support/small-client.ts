// A small MCP client on the official SDK, as the referee starts it: `node small-client.ts <server URL>`. It connects, lists
// the tools, calls each of them with arguments made from its schema, and accepts what it is asked. It knows nothing of
// OAuth, so scenarios that ask for a token end it with an error. With CLIENT_LOG it notes when it starts and ends.
import { appendFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

function note(sign: '+' | '-'): void {
  if (process.env.CLIENT_LOG) appendFileSync(process.env.CLIENT_LOG, `${sign} ${process.pid}\n`);
}

function exampleOf(schema: unknown): unknown {
  switch ((schema as { type?: string }).type) {
    case 'number':
    case 'integer':
      return 2;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}

note('+');
process.on('exit', () => note('-'));
const url = process.argv.at(-1) ?? '';
const client = new Client(
  { name: 'small-client', version: '1.0.0' },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
for (const { name, inputSchema } of tools) {
  const properties = Object.entries(inputSchema.properties ?? {});
  const args = Object.fromEntries(properties.map(([key, schema]) => [key, exampleOf(schema)]));
  await client.callTool({ name, arguments: args });
}
await client.close();
console.log(`called ${tools.length} tools`);
