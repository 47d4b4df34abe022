import { defaults, GitHub } from '@actions/github/lib/utils';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { Memory } from './memory.ts';

const Client = GitHub.plugin(throttling, retry);

/** Octokit with the REST endpoints, pagination, throttling and retry. */
export type GitHubClient = InstanceType<typeof Client>;

export interface GitHubOptions {
  /** API root; Octokit's own default when absent. */
  readonly baseUrl?: string;
  /** Absent: anonymous, with the small limits that GitHub has for that. */
  readonly token?: string;
  /** Longest wait that a `Retry-After` or a reset time is honoured for, in seconds; longer ones become "rate limited". */
  readonly maxWaitSeconds?: number;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** Told of each wait, without addresses or tokens. */
  readonly notice?: (text: string) => void;
  /** Milliseconds that a second of back-off lasts; for tests. */
  readonly secondMs?: number;
  /** More options of the throttling plugin, such as the spacing of writes; for tests. */
  readonly throttle?: Readonly<Record<string, unknown>>;
}

/**
 * The one way to GitHub. Reads are tried again after server errors and short rate limits; writes are not tried again
 * by themselves, because a write that was answered with an error may have happened.
 */
export function createGitHub(options: GitHubOptions): GitHubClient {
  const maxWait = options.maxWaitSeconds ?? 60;
  const secondMs = options.secondMs ?? 1000;
  const timeoutMs = options.timeoutMs ?? 20_000;
  const waits =
    (kind: string) => (retryAfter: number, _request: unknown, _octokit: unknown, count: number) => {
      const again = retryAfter <= maxWait && count < 2;
      options.notice?.(
        again
          ? `GitHub's ${kind} was reached; asking again in ${retryAfter} s.`
          : `GitHub's ${kind} was reached; it asks to wait ${retryAfter} s, which is too long to wait here.`,
      );
      return again;
    };
  // The runner's proxy settings are in the toolkit's fetch; each attempt gets its own clock.
  const through = defaults.request?.fetch as typeof fetch;
  const bounded: typeof fetch = (url, init) => {
    const clock = AbortSignal.timeout(timeoutMs);
    return through(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, clock]) : clock });
  };
  const client = new Client({
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(options.token === undefined || options.token === '' ? {} : { auth: `token ${options.token}` }),
    userAgent: 'mcp-conformance-gate',
    request: { fetch: bounded },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    retry: { retries: 2, retryAfterBaseValue: secondMs },
    throttle: {
      retryAfterBaseValue: secondMs,
      fallbackSecondaryRateRetryAfter: 60,
      onRateLimit: waits('rate limit'),
      onSecondaryRateLimit: waits('secondary rate limit'),
      ...options.throttle,
    },
  });
  client.hook.before('request', (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      request.request = { ...request.request, retries: 0 };
  });
  return client;
}

/**
 * A GET whose answer is boiled down to a few bytes and asked for conditionally the next time: a 304 costs nothing of
 * the rate limit, and then the kept digest is the answer.
 * @param key names the request; the same for the same address and audience
 * @param digest throws a ZodError when the answer, or what was kept of an earlier one, is not as expected
 */
export async function remembered<T>(
  memory: Memory,
  key: string,
  ask: (
    headers: Record<string, string>,
  ) => Promise<{ data: unknown; headers: { etag?: string | undefined } }>,
  digest: { ofAnswer: (data: unknown) => T; ofMemory: (kept: unknown) => T },
): Promise<T> {
  const known = memory.answers[key];
  const kept = known === undefined ? undefined : readKept(known.digest, digest.ofMemory);
  try {
    const answer = await ask(
      kept === undefined || known === undefined ? {} : { 'if-none-match': known.etag },
    );
    const value = digest.ofAnswer(answer.data);
    delete memory.answers[key];
    if (answer.headers.etag !== undefined) memory.answers[key] = { etag: answer.headers.etag, digest: value };
    return value;
  } catch (error) {
    if (kept !== undefined && (error as { status?: unknown }).status === 304) return kept.value;
    throw error;
  }
}

function readKept<T>(kept: unknown, parse: (kept: unknown) => T): { value: T } | undefined {
  try {
    return { value: parse(kept) };
  } catch {
    return undefined;
  }
}
