import { ConfigError } from '../shared/errors.ts';
import type { GitHubOptions } from './github-client.ts';
import { FAIL_ON_DRIFT, type FailOnDrift, type RunIdentity } from './report.ts';

type Env = Readonly<Record<string, string | undefined>>;

const PUBLIC_API = 'https://api.github.com';

/**
 * Where watched repositories are asked about and where the issue is written. Upstream lies on github.com, whose API takes
 * the token only if it is github.com's own; on GitHub Enterprise the token is another server's, so upstream is read
 * without one. A loopback address is someone's own stand-in for all of it.
 */
export function gitHubSettings(
  env: Env,
  token: string | undefined,
): { upstream: GitHubOptions; issue: GitHubOptions } {
  const baseUrl = env.GITHUB_API_URL || PUBLIC_API;
  const issue = { baseUrl, ...(token ? { token } : {}) };
  const same = baseUrl === PUBLIC_API || isLoopback(baseUrl);
  return { issue, upstream: same ? issue : { baseUrl: PUBLIC_API } };
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);
}

/** Which run this is: the workflow's, or this process. */
export function runIdentity(env: Env, startedAt: Date): RunIdentity {
  const {
    GITHUB_RUN_ID: id,
    GITHUB_RUN_ATTEMPT: attempt = '1',
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
  } = env;
  const base = {
    startedAt: startedAt.toISOString(),
    id: id === undefined ? `local-${process.pid}` : `${id}-${attempt}`,
  };
  return id !== undefined && server !== undefined && repository !== undefined
    ? { ...base, url: `${server}/${repository}/actions/runs/${id}` }
    : base;
}

/** @throws ConfigError for anything but the three words */
export function parseFailOn(text: string | undefined): FailOnDrift {
  if (text === undefined || text === '') return 'false';
  const found = FAIL_ON_DRIFT.find((word) => word === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new ConfigError(`fail-on-drift: "${text}" is none of ${FAIL_ON_DRIFT.join(', ')}.`, {
    hint: 'false: drift never fails the job. moved: any move does. breaking: what the trial shows to break does.',
  });
}

/** @throws ConfigError */
export function parseRepository(text: string): { owner: string; repo: string } {
  const match = /^([A-Za-z0-9][A-Za-z0-9-]*)\/([A-Za-z0-9._-]+)$/.exec(text.trim());
  if (match?.[1] !== undefined && match[2] !== undefined) return { owner: match[1], repo: match[2] };
  throw new ConfigError(`"${text}" names no repository.`, { hint: 'Write OWNER/REPO.' });
}

/** Names separated by lines or commas. */
export function parseNames(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/[\n,]/).map((name) => name.trim()))].filter(Boolean);
}

/** Label of the issue when nobody names one. */
export const DEFAULT_LABELS = ['mcp-drift'] as const;
