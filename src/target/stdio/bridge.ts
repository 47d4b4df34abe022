import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeptLog } from '../../shared/kept-log.ts';
import type { ChildHooks, StdioChild } from './stdio-child.ts';

/** The HTTP face of stdio servers. */
export interface Bridge {
  /** Answers one HTTP request. `body` is its text; the stream is read already. */
  handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
  /** Stops every child. */
  close(graceMs: number): Promise<void>;
}

export interface BridgeOptions {
  readonly log: KeptLog;
  /** Starts one more server process. `onBroken` and `onEnd` are the caller's business, `onFrame` is the bridge's. */
  readonly start: (onFrame: ChildHooks['onFrame']) => StdioChild;
}

/** A message as one line: newlines in JSON text are white space, inside strings they are escaped. */
export function oneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ').trim();
}

/** Answers with a JSON-RPC error that belongs to no request. */
export function answerError(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
