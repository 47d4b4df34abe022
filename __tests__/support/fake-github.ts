import Bottleneck from 'bottleneck';
import { createEmulator } from 'emulate';
import { createGitHub, type GitHubClient, type GitHubOptions } from '../../src/drift/github-client.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** Accounts with a token each. `gate` is who the drift step acts as. */
export const TOKENS = {
  gate: 'token-of-gate',
  person: 'token-of-person',
  mallory: 'token-of-mallory',
  modelcontextprotocol: 'token-of-upstream',
} as const;
export type Account = keyof typeof TOKENS;

export interface FakeGitHub extends AsyncDisposable {
  /** In front of the emulator: counts, and can misbehave. */
  readonly proxy: FaultProxy;
  readonly url: string;
  /** A real Octokit. A second of back-off lasts `secondMs`. */
  client(account?: Account | null, options?: Partial<GitHubOptions>): GitHubClient;
  /** One call past the proxy, as a person would make in the browser. */
  api(account: Account, method: string, path: string, body?: unknown): Promise<unknown>;
  /** Creates or changes a file with a commit of its own. */
  write(repository: string, path: string, content: string): Promise<void>;
  remove(repository: string, path: string): Promise<void>;
}

/**
 * GitHub's API as `emulate` keeps it, stateful, on a free loopback port.
 * @param repositories `owner/name` of repositories to make beside `gate/server`
 */
export async function startFakeGitHub(repositories: readonly string[] = []): Promise<FakeGitHub> {
  const proxy = await startFaultProxy();
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: Object.fromEntries(
        Object.entries(TOKENS).map(([login, token]) => [token, { login, scopes: ['repo', 'user'] }]),
      ),
      github: {
        users: Object.keys(TOKENS).map((login) => ({ login })),
        repos: ['gate/server', ...repositories].map((full) => {
          const [owner, name] = full.split('/');
          return { owner, name };
        }),
      },
    },
  });
  const direct = emulator.url;
  proxy.target = direct;

  const api = async (account: Account, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${direct}${path}`, {
      method,
      headers: { authorization: `token ${TOKENS[account]}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await answer.json().catch(() => null);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
  const fileSha = async (repository: string, path: string) => {
    const answer = await fetch(`${direct}/repos/${repository}/contents/${path}`, {
      headers: { authorization: `token ${TOKENS.gate}` },
    });
    return answer.ok ? ((await answer.json()) as { sha: string }).sha : undefined;
  };
  return {
    proxy,
    url: proxy.url,
    api,
    client: (account = 'gate', options = {}) =>
      createGitHub({
        baseUrl: proxy.url,
        secondMs: 5,
        // A second between writes and three between notifications would be most of the tests' time.
        throttle: { write: unspaced(), notifications: unspaced() },
        ...(account === null ? {} : { token: TOKENS[account] }),
        ...options,
      }),
    async write(repository, path, content) {
      const sha = await fileSha(repository, path);
      await api(ownerOf(repository), 'PUT', `/repos/${repository}/contents/${path}`, {
        message: `Change ${path}`,
        content: Buffer.from(content).toString('base64'),
        ...(sha === undefined ? {} : { sha }),
      });
    },
    async remove(repository, path) {
      await api(ownerOf(repository), 'DELETE', `/repos/${repository}/contents/${path}`, {
        message: `Remove ${path}`,
        sha: await fileSha(repository, path),
      });
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await emulator.close();
    },
  };
}

function ownerOf(repository: string): Account {
  return repository.split('/')[0] as Account;
}

function unspaced() {
  return new Bottleneck.Group({ maxConcurrent: 1 });
}
