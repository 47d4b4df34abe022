import { z } from 'zod';

/** Why the state of a source could not be told. */
export const UNKNOWN_REASONS = [
  'not-adopted',
  'offline',
  'rate-limited',
  'forbidden',
  'unauthorised',
  'not-found',
  'unreachable',
  'timeout',
  'server-error',
  'malformed',
  'tool-missing',
  'refused',
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** Words for each reason; the compiler checks that none is missing. */
export const UNKNOWN_TEXTS: Readonly<Record<UnknownReason, string>> = {
  'not-adopted': 'nothing adopted yet',
  offline: 'not asked, because of --offline',
  'rate-limited': 'rate limited',
  forbidden: 'access denied (403)',
  unauthorised: 'token not accepted (401)',
  'not-found': 'not found, or not visible to this token (404)',
  unreachable: 'unreachable',
  timeout: 'no answer in time',
  'server-error': 'upstream server error',
  malformed: 'an answer that could not be understood',
  'tool-missing': 'a program that it needs is not installed',
  refused: 'request refused',
};

export interface UnknownCause {
  readonly reason: UnknownReason;
  /** One line, at most 200 characters, of the other side's words: hostile until escaped. */
  readonly message: string;
  /** ISO time after which upstream wants to be asked again. */
  readonly retryAt?: string;
}

/** Thrown by an observer that knows the reason itself. */
export class UnknownError extends Error {
  readonly unknown: UnknownCause;

  constructor(unknown: UnknownCause, options: { cause?: unknown } = {}) {
    super(unknown.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UnknownError';
    this.unknown = unknown;
  }
}

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_SOCKET|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
const TIMED_OUT = /^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT)/;

interface HttpError {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly headers?: Readonly<Record<string, string | number | undefined>> };
}

/**
 * Why asking failed. Rate limits answer 403 or 429 on GitHub: told apart from a missing permission by Retry-After, by
 * the exhausted `x-ratelimit-remaining` and by the documented words of the secondary limit.
 * @param error what was thrown by Octokit, fetch, a child process or a schema
 * @param now milliseconds
 * @returns the cause, or `undefined` when the error is none of these, so a bug
 */
export function unknownCause(error: unknown, now: number): UnknownCause | undefined {
  if (error instanceof UnknownError) return error.unknown;
  if (error instanceof z.ZodError)
    return { reason: 'malformed', message: firstLine(error.issues[0]?.message ?? '') };
  if (isHttpError(error)) return fromStatus(error, now);
  const codes = causes(error);
  if (codes.some((code) => code === 'TimeoutError' || TIMED_OUT.test(code)))
    return { reason: 'timeout', message: firstLine(messageOf(error)) };
  if (codes.some((code) => UNREACHABLE.test(code)))
    return { reason: 'unreachable', message: firstLine(messageOf(error)) };
  return undefined;
}

function fromStatus(error: HttpError, now: number): UnknownCause {
  const message = firstLine(error.message);
  const headers = error.response?.headers ?? {};
  const retryAfter = Number(headers['retry-after']);
  const exhausted = String(headers['x-ratelimit-remaining']) === '0';
  if (
    error.status === 429 ||
    (error.status === 403 && (retryAfter > 0 || exhausted || /rate limit/i.test(message)))
  ) {
    const reset =
      retryAfter > 0
        ? now + retryAfter * 1000
        : exhausted
          ? Number(headers['x-ratelimit-reset']) * 1000
          : Number.NaN;
    return {
      reason: 'rate-limited',
      message,
      ...(Number.isFinite(reset) && Math.abs(reset) < 8.64e15
        ? { retryAt: new Date(reset).toISOString() }
        : {}),
    };
  }
  if (error.status === 401) return { reason: 'unauthorised', message };
  if (error.status === 403 || error.status === 451) return { reason: 'forbidden', message };
  if (error.status === 404 || error.status === 410) return { reason: 'not-found', message };
  // Octokit gives its own network failures the status 500 and keeps the cause.
  const codes = causes(error);
  if (codes.some((code) => code === 'TimeoutError' || code === 'AbortError' || TIMED_OUT.test(code)))
    return { reason: 'timeout', message };
  if (codes.some((code) => UNREACHABLE.test(code))) return { reason: 'unreachable', message };
  return { reason: error.status >= 500 ? 'server-error' : 'refused', message };
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Names and codes of an error and of what caused it, five deep. */
function causes(error: unknown): string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { name, code, cause } = current as { name?: unknown; code?: unknown; cause?: unknown };
    if (typeof name === 'string') codes.push(name);
    if (typeof code === 'string') codes.push(code);
    current = cause;
  }
  return codes;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @returns the first line that says something, at most 200 characters */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((candidate) => candidate.trim() !== '') ?? '';
  return line.trim().slice(0, 200).toWellFormed();
}
