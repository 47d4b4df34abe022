import type { Pin } from '../../config/plan.ts';
import type { GitHubClient } from '../github-client.ts';
import type { Memory } from '../memory.ts';

/** What an observer may use. Everything comes in here: no observer reads the environment or the clock. */
export interface ObserveContext {
  readonly github: GitHubClient;
  /** `token` or `anonymous`: answers differ by it. */
  readonly audience: string;
  readonly memory: Memory;
  /** Environment of npm and git, which carry the user's registry and proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The Node executable that npm runs on where npm is a script: the gate's own. */
  readonly node: string;
  /** Of one question to npm or git, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The pin that the gate runs with, and where git pins come from. */
  readonly pin: Pin;
  readonly repository: string;
  /** Revisions that are gated. */
  readonly revisions: readonly string[];
  /** `YYYY-MM-DD`: the day that `--adopt` would write. */
  readonly today: string;
}

/** `owner/name` in its parts. */
export function ownerAndName(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** Web address beside the API that was asked: github.com's own, or the same GitHub Enterprise server's. */
export function webRoot(github: GitHubClient): string {
  const { baseUrl } = github.request.endpoint.DEFAULTS;
  const url = new URL(baseUrl);
  if (url.hostname === 'api.github.com') return 'https://github.com';
  if (url.hostname.startsWith('api.') && url.hostname.endsWith('.ghe.com'))
    return `https://${url.hostname.slice(4)}`;
  return url.origin;
}
