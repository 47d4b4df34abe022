import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  PerRequestHTTPServerTransport,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { parseJson } from '../rpc-answer.ts';
import { answerError, type Bridge, type BridgeOptions, oneLine } from './bridge.ts';
import { type Frame, type Id, idOf, isRequest, isResponse, metaOf, paramsOf } from './frames.ts';
import { InFlight } from './in-flight.ts';
import type { StdioChild } from './stdio-child.ts';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

interface Exchange {
  readonly transport: Transport;
  /** The id that the client used; the child got another one when that was taken. */
  readonly id: Id;
}

/**
 * One child for everything: the stateless wire has no sessions, so any request may meet any process. The SDK's handler
 * speaks HTTP and checks its headers; messages go to the child as they were written, unless two clients use the same id at
 * the same time: then the second one is renamed on its way and back.
 */
export function statelessBridge(options: BridgeOptions): Bridge {
  const inFlight = new InFlight();
  const exchanges = new Map<Id, Exchange>();
  const written = new AsyncLocalStorage<string>();
  let renamed = 0;
  let child: StdioChild | undefined;

  const fromChild = (frame: Frame): void => {
    const listener = metaOf(frame)[SUBSCRIPTION_ID] as Id | undefined;
    const childId = isResponse(frame)
      ? idOf(frame)
      : listener !== undefined && exchanges.has(listener)
        ? listener
        : inFlight.relatedTo(frame);
    const exchange = childId === undefined ? undefined : exchanges.get(childId);
    if (childId === undefined || exchange === undefined) {
      options.log.note(
        `dropped a message that belongs to no open request: ${JSON.stringify(frame).slice(0, 200)}`,
      );
      return;
    }
    if (isResponse(frame)) {
      inFlight.forget(childId);
      exchanges.delete(childId);
    }
    const message = restored(frame, childId, exchange.id) as unknown as JSONRPCMessage;
    void exchange.transport.send(message, { relatedRequestId: exchange.id }).catch((error: unknown) => {
      options.log.note(`could not pass a message on: ${String(error)}`);
    });
  };

  const toChild = (message: Frame, transport: Transport): void => {
    child ??= options.start(fromChild);
    const text = written.getStore() ?? JSON.stringify(message);
    const id = idOf(message);
    if (id === undefined || !isRequest(message)) {
      child.send(text);
      return;
    }
    const childId = inFlight.has(id) ? `gate-${++renamed}` : id;
    const frame = childId === id ? message : { ...(parseJson(text) as Frame), id: childId };
    inFlight.sent(frame);
    exchanges.set(childId, { transport, id });
    child.send(childId === id ? text : JSON.stringify(frame));
  };

  /** The client hung up: on this wire that cancels the request, and over stdio a notification says so. */
  const hungUp = (transport: Transport): void => {
    for (const [childId, exchange] of exchanges) {
      if (exchange.transport !== transport) continue;
      exchanges.delete(childId);
      inFlight.forget(childId);
      const params = { requestId: childId, reason: 'The client closed the connection.' };
      child?.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    }
  };

  /** Stands where the handler expects a server, and passes everything on instead of serving it. */
  class Forwarder extends Server {
    #transport: Transport | undefined;

    constructor() {
      super({ name: 'stdio-bridge', version: '1' }, { capabilities: {} });
    }

    override async connect(transport: Transport): Promise<void> {
      this.#transport = transport;
      transport.onmessage = (message) => toChild(message as unknown as Frame, transport);
      transport.onclose = () => {
        hungUp(transport);
        this.onclose?.();
      };
      await transport.start();
    }

    override async close(): Promise<void> {
      await this.#transport?.close();
    }
  }

  const handler = createMcpHandler(() => new Forwarder(), { legacy: 'stateless' });
  const answer = toNodeHandler({
    async fetch(request, extra) {
      const body = extra?.parsedBody;
      if (!isListen(body)) return withStatusOf(await handler.fetch(request, extra));
      // The handler would serve subscriptions itself; they are the child's.
      const outcome = classifyInboundRequest({
        httpMethod: request.method,
        body,
        ...headersOf(request),
      });
      if (outcome.kind !== 'modern' || outcome.messageKind !== 'request')
        return handler.fetch(request, extra);
      const transport = new PerRequestHTTPServerTransport({
        classification: outcome.classification,
        responseMode: 'sse',
      });
      await new Forwarder().connect(transport);
      return transport.handleMessage(outcome.message, { request });
    },
  });

  return {
    async handle(request, response, body) {
      const parsed = request.method === 'POST' ? parseJson(body) : undefined;
      if (request.method === 'POST' && parsed === undefined) {
        answerError(response, 400, -32700, 'Parse error: the request body is no JSON');
        return;
      }
      const pass = async (): Promise<void> => {
        await answer(request as Named, response, parsed);
      };
      await (parsed === undefined || Array.isArray(parsed) ? pass() : written.run(oneLine(body), pass));
    },
    async close(graceMs) {
      await handler.close().catch(() => undefined);
      await child?.stop(graceMs);
    },
  };
}

/**
 * An unknown method is HTTP 404 on this wire (SEP-2575). The SDK sets that for methods that its own server lacks; here it is
 * the child that lacks them.
 */
async function withStatusOf(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status !== 200 || !type.includes('application/json')) return response;
  const text = await response.text();
  const body = parseJson(text) as { error?: { code?: unknown } } | undefined;
  const status = body?.error?.code === METHOD_NOT_FOUND ? 404 : 200;
  return new Response(text, { status, headers: response.headers });
}

/** Requests that a server received always have these; the type leaves it open for responses. */
type Named = IncomingMessage & { method: string; url: string };

function isListen(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
  );
}

function headersOf(request: Request): {
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
} {
  const named = {
    protocolVersionHeader: request.headers.get('mcp-protocol-version'),
    mcpMethodHeader: request.headers.get('mcp-method'),
    mcpNameHeader: request.headers.get('mcp-name'),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
}

/** Gives a message of the child the id back that the client knows. */
function restored(frame: Frame, childId: Id, clientId: Id): Frame {
  if (childId === clientId) return frame;
  if (isResponse(frame)) return { ...frame, id: clientId };
  const meta = metaOf(frame);
  if (meta[SUBSCRIPTION_ID] !== childId) return frame;
  return { ...frame, params: { ...paramsOf(frame), _meta: { ...meta, [SUBSCRIPTION_ID]: clientId } } };
}
