import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that passed, as the client saw it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What the proxy does instead of passing a request on. First match wins; `times` uses it up. */
export interface Fault {
  readonly method?: string;
  readonly path: RegExp;
  times?: number;
  /** Answers this, without asking the server behind. */
  readonly answer?: { status: number; headers?: Record<string, string>; body?: unknown };
  /** Passes the request on, throws the answer away and answers this: a write that happened and looks failed. */
  readonly answerAfter?: { status: number; body?: unknown };
  /** Closes the connection. */
  readonly drop?: boolean;
  /** Never answers. */
  readonly hang?: boolean;
  /** Changes the server's JSON answer. */
  readonly change?: (json: unknown) => unknown;
  /** Runs before the request is passed on: another process that gets in between. */
  readonly before?: () => Promise<void>;
}

/** An HTTP proxy on loopback that counts, can misbehave, and adds validators (which the server behind has none of). */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  readonly calls: Call[];
  /** Requests that change something. */
  writes(): Call[];
  fault(fault: Fault): void;
  clearFaults(): void;
  forget(): void;
  /** Where requests go; set once the server behind is up. */
  target: string;
}

export async function startFaultProxy(target = ''): Promise<FaultProxy> {
  const faults: Fault[] = [];
  const calls: Call[] = [];
  const proxy = { target };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  function url() {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await read(request);
    const path = request.url ?? '/';
    const method = request.method ?? 'GET';
    const fault = faults.find(
      (one) => one.path.test(path) && (one.method === undefined || one.method === method) && one.times !== 0,
    );
    if (fault?.times !== undefined) fault.times -= 1;
    const record = (status: number) =>
      calls.push({ method, path, status, headers: request.headers, body: body.toString() });
    if (fault?.hang) {
      record(0);
      return;
    }
    if (fault?.drop) {
      record(0);
      response.destroy();
      return;
    }
    if (fault?.before) await fault.before();
    if (fault?.answer) {
      record(fault.answer.status);
      response.writeHead(fault.answer.status, {
        'content-type': 'application/json',
        ...fault.answer.headers,
      });
      response.end(JSON.stringify(fault.answer.body ?? { message: 'fault' }));
      return;
    }
    const answer = await pass(proxy.target, request, body);
    if (fault?.answerAfter) {
      record(fault.answerAfter.status);
      response.writeHead(fault.answerAfter.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fault.answerAfter.body ?? { message: 'fault' }));
      return;
    }
    // The server behind names its own address in links: whoever follows them stays with the proxy.
    const own = (text: string) => text.replaceAll(proxy.target, url());
    const text = own(answer.body.toString());
    const content = Buffer.from(fault?.change ? JSON.stringify(fault.change(JSON.parse(text))) : text);
    const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = answer.headers;
    if (typeof headers.link === 'string') headers.link = own(headers.link);
    if (method === 'GET' && answer.status === 200) {
      const etag = `W/"${createHash('sha1').update(content).digest('hex')}"`;
      headers.etag = etag;
      if (request.headers['if-none-match'] === etag) {
        record(304);
        response.writeHead(304, { etag });
        response.end();
        return;
      }
    }
    record(answer.status);
    response.writeHead(answer.status, headers);
    response.end(content);
  }

  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: url(),
    calls,
    writes: () => calls.filter((call) => !['GET', 'HEAD', 'OPTIONS'].includes(call.method)),
    fault: (fault) => faults.unshift(fault),
    clearFaults: () => faults.splice(0),
    forget: () => calls.splice(0),
    get target() {
      return proxy.target;
    },
    set target(url) {
      proxy.target = url;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(stream: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}

function pass(target: string, request: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
    (resolve, reject) => {
      const {
        'accept-encoding': _encoding,
        'if-none-match': _etag,
        connection: _connection,
        ...headers
      } = request.headers;
      const url = new URL(request.url ?? '/', target);
      const onward = httpRequest(
        url,
        { method: request.method, headers: { ...headers, host: url.host, 'content-length': body.length } },
        (answer) => {
          read(answer).then(
            (content) =>
              resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: content }),
            reject,
          );
        },
      );
      onward.on('error', reject);
      onward.end(body);
    },
  );
}
