import { join } from 'node:path';
import envPaths from 'env-paths';

/**
 * Where referees are kept when nobody says otherwise: in the runner's tool cache on a runner (it outlives a job on
 * self-hosted ones, and actions/cache can keep it on hosted ones), in the user's cache folder elsewhere.
 * @returns an absolute path
 */
export function defaultCacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const tools = env.RUNNER_TOOL_CACHE;
  return tools === undefined || tools === ''
    ? join(envPaths('mcp-conformance-gate', { suffix: '' }).cache, 'referee')
    : join(tools, 'mcp-conformance-gate', 'referee');
}
