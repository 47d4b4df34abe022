import type { Probe } from '../run/metadata.ts';
import { isDeeper } from '../shared/is-deeper.ts';
import { eventReader, type Learnt, learnFrom, parseJson } from './rpc-answer.ts';
import { type ProbeRequest, probeRequest } from './wire.ts';

export interface ProbeOptions {
  readonly revision: string;
  readonly method?: ProbeRequest['method'];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What came back, for the record and for the boundary check. */
export interface ProbeOutcome {
  readonly probe: Probe;
  /** The address that answered after redirects, when there were any. */
  readonly redirectedTo?: string;
}

/** A well-meant answer fits many times over; what it says is kept in every record of the run. */
const LARGEST_ANSWER = 1024 * 1024;
/** Real capabilities nest to about five; whoever reads the record may recurse over them without fear for the stack. */
const DEEPEST_ANSWER = 64;
const MOST_REDIRECTS = 5;
const TOO_DEEP = `an answer that nests deeper than ${DEEPEST_ANSWER} levels`;
const GOODBYE_MS = 1_000;

/**
 * Sends the first request of a client and waits for a JSON-RPC answer, in a JSON body or a stream of events.
 * A session that was opened is closed again. Never throws: what went wrong is in the probe.
 */
export async function probeTarget(url: string, options: ProbeOptions): Promise<ProbeOutcome> {
  const request = probeRequest(options.revision, options.method);
  const at = new Date().toISOString();
  const started = performance.now();
  const facts = () => ({ url, method: request.method, at, tookMs: Math.round(performance.now() - started) });
  const failed = (
    reason: 'refused' | 'timeout' | 'closed' | 'unauthorised' | 'not-mcp',
    message: string,
    httpStatus?: number,
  ): ProbeOutcome => ({
    probe: {
      answered: false,
      ...facts(),
      reason,
      message: message.slice(0, 500),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    },
  });
  const own = Object.fromEntries(options.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal;
  let response: Response | undefined;
  try {
    const asked = await ask(url, { headers: { ...request.headers, ...own }, body: request.body, signal });
    response = asked.response;
    if (asked.astray !== undefined) return failed('not-mcp', asked.astray, response.status);
    if (response.status === 401 || response.status === 403) {
      return failed('unauthorised', `HTTP ${response.status}`, response.status);
    }
    const answer = await readAnswer(response);
    if (!answer.learnt) return failed('not-mcp', answer.message, response.status);
    const session = response.headers.get('mcp-session-id');
    if (session !== null) await closeSession(url, { ...own, 'mcp-session-id': session }, options.revision);
    return {
      probe: { answered: true, ...facts(), httpStatus: response.status, ...answer.learnt },
      ...(asked.at === url ? {} : { redirectedTo: asked.at }),
    };
  } catch (error) {
    if (deadline.signal.aborted) {
      return failed('timeout', `no answer within ${Math.round(options.timeoutMs)} ms`, response?.status);
    }
    const message = rootMessage(error);
    // fetch itself refuses ports of other protocols, whoever listens: it will not help to ask again.
    const refused = /^bad port$|ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EAI_AGAIN/.test(
      message,
    );
    return failed(refused ? 'refused' : 'closed', message, response?.status);
  } finally {
    clearTimeout(timer);
    // Ends streams that stay open after the answer.
    deadline.abort();
  }
}

/**
 * Posts, and follows redirects within the origin as fetch does. The headers may be secrets of this target, so they go to no
 * other one.
 * @returns the last answer and the address that gave it; `astray` says why a redirect was not followed
 */
async function ask(
  url: string,
  init: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<{ response: Response; at: string; astray?: string }> {
  const { body, ...common } = init;
  let at = url;
  let posts = true;
  for (let hops = 0; ; hops++) {
    const request = posts ? { ...common, method: 'POST', body } : common;
    const response = await fetch(at, { ...request, redirect: 'manual' });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return { response, at };
    await response.body?.cancel();
    const told = `HTTP ${response.status}: redirects`;
    if (!URL.canParse(location, at)) return { response, at, astray: `${told} to what is no address` };
    const next = new URL(location, at);
    if (next.origin !== new URL(at).origin) {
      return { response, at, astray: `${told} to another origin, ${next.origin}, which is not followed` };
    }
    if (hops === MOST_REDIRECTS) return { response, at, astray: `${told} more than ${MOST_REDIRECTS} times` };
    // Only these two keep the method.
    if (response.status !== 307 && response.status !== 308) posts = false;
    at = next.href;
  }
}

async function readAnswer(response: Response): Promise<{ learnt?: Learnt; message: string }> {
  const type = response.headers.get('content-type') ?? 'no content type';
  const streamed = type.includes('text/event-stream');
  const events = eventReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_ANSWER)
      return { message: `HTTP ${response.status}: an answer larger than ${LARGEST_ANSWER} bytes` };
    const text = decoder.decode(chunk, { stream: true });
    if (!streamed) {
      pieces.push(text);
      continue;
    }
    for (const value of events.push(text)) {
      if (isDeeper(value, DEEPEST_ANSWER)) return { message: `HTTP ${response.status}: ${TOO_DEEP}` };
      const learnt = learnFrom(value);
      if (learnt) return { learnt, message: '' };
    }
  }
  if (streamed)
    return { message: `HTTP ${response.status}: the event stream ended without a JSON-RPC answer` };
  const value = parseJson(pieces.join('') + decoder.decode());
  if (isDeeper(value, DEEPEST_ANSWER)) return { message: `HTTP ${response.status}: ${TOO_DEEP}` };
  const learnt = learnFrom(value);
  const message = `HTTP ${response.status} (${type}): no JSON-RPC answer`;
  return learnt ? { learnt, message: '' } : { message };
}

async function closeSession(url: string, headers: Record<string, string>, revision: string): Promise<void> {
  const signal = AbortSignal.timeout(GOODBYE_MS);
  const all = { ...headers, 'mcp-protocol-version': revision };
  await fetch(url, { method: 'DELETE', headers: all, redirect: 'manual', signal })
    .then((response) => response.body?.cancel())
    .catch(() => undefined);
}

/** fetch says "fetch failed" and hides the reason in a chain of causes and aggregates. */
function rootMessage(error: unknown): string {
  let current: unknown = error;
  for (let depth = 0; depth < 5; depth++) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause !== undefined) current = current.cause;
    else break;
  }
  if (!(current instanceof Error)) return String(current);
  const code = (current as NodeJS.ErrnoException).code;
  return code && !current.message.includes(code) ? `${code}: ${current.message}` : current.message;
}
