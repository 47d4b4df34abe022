import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { parseJson } from '../rpc-answer.ts';
import { answerError, type Bridge, type BridgeOptions, oneLine } from './bridge.ts';
import { eventMemory } from './event-memory.ts';
import { type Frame, idOf, isResponse } from './frames.ts';
import { InFlight } from './in-flight.ts';
import type { StdioChild } from './stdio-child.ts';

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly child: StdioChild;
  /** Open HTTP exchanges. */
  exchanges: number;
  lastUsed: number;
}

/** Clients of the referee go away without closing their session; idle children beyond this many are stopped, oldest first. */
const MOST_SESSIONS = 8;

/**
 * One child per session: `initialize` without a session starts one, DELETE ends it. The SDK's transport speaks HTTP; what
 * passes between it and the child is not looked into but for the stream on which it belongs.
 */
export function statefulBridge(options: BridgeOptions): Bridge {
  const sessions = new Map<string, Session>();
  const stopping = new Set<Promise<void>>();
  /** The text of the message that is being handled, so that the child gets it as it was written. */
  const written = new AsyncLocalStorage<string>();

  const stop = (session: Session, graceMs: number): void => {
    const done = session.child.stop(graceMs).finally(() => stopping.delete(done));
    stopping.add(done);
  };

  const open = async (): Promise<Session> => {
    const inFlight = new InFlight();
    let order: Promise<unknown> = Promise.resolve();
    const child = options.start((frame) => {
      const relatedRequestId = inFlight.relatedTo(frame);
      const id = idOf(frame);
      if (isResponse(frame)) {
        if (id === undefined || !inFlight.has(id)) {
          options.log.note(`dropped an answer to a request that nobody made: id ${JSON.stringify(frame.id)}`);
          return;
        }
        inFlight.forget(id);
      }
      const related = relatedRequestId === undefined ? {} : { relatedRequestId };
      // In the order in which the child said it.
      order = order
        .then(async () => {
          await transport.send(frame as unknown as JSONRPCMessage, related);
          // The transport ends the stream itself, except after an answer that it does not take for one.
          if (isResponse(frame) && id !== undefined) transport.closeSSEStream(id);
        })
        .catch((error: unknown) => options.log.note(`could not pass a message on: ${String(error)}`));
    });
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventMemory(),
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
      onsessionclosed: (id) => {
        if (sessions.delete(id)) stop(session, GRACE_MS);
      },
    });
    transport.onmessage = (message) => {
      inFlight.sent(message as unknown as Frame);
      child.send(written.getStore() ?? JSON.stringify(message));
    };
    await transport.start();
    const session: Session = { transport, child, exchanges: 0, lastUsed: performance.now() };
    return session;
  };

  const makeRoom = (): void => {
    const idle = [...sessions].filter(([, { exchanges }]) => exchanges === 0);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [id, session] of idle.slice(0, Math.max(0, sessions.size - MOST_SESSIONS + 1))) {
      sessions.delete(id);
      void session.transport.close();
      stop(session, GRACE_MS);
    }
  };

  return {
    async handle(request, response, body) {
      const parsed = request.method === 'POST' ? parseJson(body) : undefined;
      if (request.method === 'POST' && parsed === undefined) {
        answerError(response, 400, -32700, 'Parse error: the request body is no JSON');
        return;
      }
      const id = request.headers['mcp-session-id'];
      let session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && session === undefined) {
        answerError(response, 404, -32001, 'Session not found');
        return;
      }
      if (session === undefined) {
        if (!isInitialize(parsed)) {
          answerError(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
          return;
        }
        makeRoom();
        session = await open();
      }
      const used = session;
      used.exchanges += 1;
      response.once('close', () => {
        used.exchanges -= 1;
        used.lastUsed = performance.now();
      });
      const text = Array.isArray(parsed) ? undefined : oneLine(body);
      const pass = (): Promise<void> => used.transport.handleRequest(request, response, parsed);
      await (text === undefined ? pass() : written.run(text, pass));
      // An initialize that the transport refused has a child and no session.
      if (used.transport.sessionId === undefined) stop(used, GRACE_MS);
    },
    async close(graceMs) {
      for (const session of sessions.values()) {
        void session.transport.close();
        stop(session, graceMs);
      }
      sessions.clear();
      await Promise.all(stopping);
    },
  };
}

const GRACE_MS = 1_000;

function isInitialize(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize'
  );
}
