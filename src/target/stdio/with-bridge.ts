import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';
import type { TargetSpec } from '../../config/plan.ts';
import type { Finding } from '../../gate/finding.ts';
import { targetEnvironment } from '../../shared/child-environment.ts';
import { MeasurementFault } from '../../shared/errors.ts';
import type { KeptLog } from '../../shared/kept-log.ts';
import { pickPort } from '../ports.ts';
import { waitUntilReady } from '../ready.ts';
import { graceMs } from '../started-process.ts';
import type { TargetContext, Up } from '../up.ts';
import { isStateless } from '../wire.ts';
import { answerError, type Bridge, type BridgeOptions } from './bridge.ts';
import { statefulBridge } from './stateful-bridge.ts';
import { statelessBridge } from './stateless-bridge.ts';
import { startChild } from './stdio-child.ts';

const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * Puts the official SDK's Streamable HTTP transport before a stdio server, on loopback.
 * @throws MeasurementFault `target-start-failed`, `target-not-ready`, `target-mismatch`, `stdio-framing`
 */
export async function withBridge<T>(
  spec: Extract<TargetSpec, { kind: 'stdio' }>,
  ctx: TargetContext,
  log: KeptLog,
  use: (up: Up) => Promise<T>,
): Promise<T> {
  ctx.progress({ kind: 'step', text: 'Starting the stdio server', profile: ctx.profile.id });
  const port = spec.command.includes('{port}') ? await pickPort() : undefined;
  const fill = (text: string): string =>
    port === undefined ? text : text.replaceAll('{port}', String(port));
  const env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)]));
  const trouble = new AbortController();
  let up = false;
  const give = (finding: Finding): void => trouble.abort(finding);
  const options: BridgeOptions = {
    log,
    start: (onFrame) =>
      startChild(
        { command: fill(spec.command), cwd: spec.cwd, env: targetEnvironment(process.env, env), log },
        {
          onFrame,
          onBroken: (line, message) => give({ kind: 'stdio-framing', line, message }),
          onEnd({ exitCode, signal, afterMs, message }) {
            const facts = { exitCode, signal, afterMs, logTail: log.tail() };
            const said = message === undefined ? {} : { message };
            give(up ? { kind: 'target-died', ...facts } : { kind: 'target-start-failed', ...facts, ...said });
          },
        },
      ),
  };
  const bridge = isStateless(ctx.profile.revision) ? statelessBridge(options) : statefulBridge(options);
  const server = await listen(bridge, log);
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const failed = new AbortController();
    trouble.signal.addEventListener('abort', () =>
      failed.abort(new MeasurementFault(trouble.signal.reason as Finding)),
    );
    const { healthUrl: _, ...ready } = spec.ready;
    const answer = await waitUntilReady({
      ready,
      revision: ctx.profile.revision,
      headers: [],
      address: async () => url,
      signal: AbortSignal.any([ctx.signal, failed.signal]),
      lateFinding: (_last, last) => ({
        kind: 'target-not-ready',
        timeoutMs: spec.ready.timeoutMs,
        last,
        logTail: log.tail(),
      }),
    });
    up = true;
    const notes = [
      "The server speaks stdio; the SDK's Streamable HTTP transport was put before it. Checks of the HTTP layer judge that bridge.",
      ...answer.notes,
    ];
    return await use({ ...answer, notes, died: trouble.signal });
  } finally {
    await bridge.close(graceMs(ctx.signal));
    server.closeAllConnections();
    server.close();
  }
}

function listen(bridge: Bridge, log: KeptLog): Promise<Server> {
  const rightHost = localhostHostValidation();
  const rightOrigin = localhostOriginValidation();
  const server = createServer((request, response) => {
    if (!rightHost(request, response) || !rightOrigin(request, response)) return;
    readBody(request)
      .then((body) => bridge.handle(request, response, body))
      .catch((error: unknown) => {
        log.note(`the bridge could not answer: ${String(error)}`);
        if (!response.headersSent) answerError(response, 500, -32603, 'Internal error');
        else response.destroy();
      });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(server));
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_BODY) throw new Error(`a request body larger than ${LARGEST_BODY} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
