// Trailbook: the small MCP server that `mcp-conformance-gate demo` puts in front of the referee. It serves both revisions on
// one port: 2026-07-28 without sessions, 2025-11-25 with them. Listens on 127.0.0.1 only. `--port N` or PORT; 0 means any free
// one, 3000 is the default.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  type NodeServerResponseLike,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { addRefereeFixtures } from './fixtures.ts';
import { addQuestions, requestState } from './questions.ts';
import { addTrailbook } from './trailbook.ts';

/** Lists change only with a new release, so clients may keep them for a while. */
const LISTS = { ttlMs: 60_000, cacheScope: 'public' } as const;

function trailbook(): McpServer {
  const server = new McpServer(
    { name: 'trailbook', title: 'Trailbook', version: '1.0.0' },
    {
      instructions: 'A guide to four walks. Start with search_trails.',
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        completions: {},
        logging: {},
      },
      requestState: { verify: requestState.verify },
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'resources/read': { ttlMs: 5_000, cacheScope: 'public' },
        'server/discover': LISTS,
      },
    },
  );
  addTrailbook(server);
  addRefereeFixtures(server);
  addQuestions(server);
  // Nothing in the book changes while it runs, so there is nobody to remember: a subscription is accepted and stays quiet.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

const modern = createMcpHandler(trailbook, { legacy: 'reject' });

/** Open sessions of 2025-11-25, by session id. */
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function stateful(request: Request): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  if (id !== null) {
    const open = sessions.get(id);
    return open ? open.handleRequest(request) : refuse(404, -32001, 'Session not found');
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
    onsessionclosed: (session) => void sessions.delete(session),
  });
  await trailbook().connect(transport);
  // Anything but initialize is refused by the transport itself: it has no session yet.
  return transport.handleRequest(request);
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

async function route(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/mcp') return refuse(404, -32000, 'Not found');
  return (await isLegacyRequest(request)) ? stateful(request) : modern.fetch(request);
}

const serve = toNodeHandler({ fetch: route }, { onerror: (error) => console.error(error) });
const validHost = localhostHostValidation();
const validOrigin = localhostOriginValidation();

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const port = Number(values.port ?? process.env.PORT ?? 3000);

const http = createServer((req, res) => {
  if (validHost(req, res) && validOrigin(req, res)) {
    void serve(req as NodeIncomingMessageLike, res as NodeServerResponseLike);
  }
});
http.on('error', (error) => {
  console.error(`Trailbook cannot listen on 127.0.0.1:${port}: ${error.message}`);
  process.exit(1);
});
http.listen(port, '127.0.0.1', () => {
  const address = http.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  console.error(`Trailbook listens on http://127.0.0.1:${listening}/mcp`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    http.close(() => process.exit(0));
    http.closeAllConnections();
  });
}
