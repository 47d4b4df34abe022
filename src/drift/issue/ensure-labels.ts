import type { GitHubClient } from '../github-client.ts';
import type { Repository } from './find-issues.ts';

const COLOUR = '5319e7';
const DESCRIPTION = 'What moved upstream of the MCP conformance gate';

/**
 * Makes labels that are missing, where that is allowed.
 * @returns labels that the issue can carry, and what to say of the others
 */
export async function ensureLabels(
  github: GitHubClient,
  where: Repository,
  labels: readonly string[],
): Promise<{ usable: string[]; notices: string[] }> {
  const usable: string[] = [];
  const notices: string[] = [];
  for (const name of labels) {
    const answer = await ensureLabel(github, where, name);
    if (answer === undefined) usable.push(name);
    else notices.push(answer);
  }
  return { usable, notices };
}

async function ensureLabel(
  github: GitHubClient,
  where: Repository,
  name: string,
): Promise<string | undefined> {
  try {
    await github.request('GET /repos/{owner}/{repo}/labels/{name}', { ...where, name });
    return undefined;
  } catch (error) {
    if (statusOf(error) !== 404) return `The label ${name} could not be looked up (${statusOf(error)}).`;
  }
  try {
    await github.request('POST /repos/{owner}/{repo}/labels', {
      ...where,
      name,
      color: COLOUR,
      description: DESCRIPTION,
    });
    return undefined;
  } catch (error) {
    // 422: another run made it in the meantime.
    if (statusOf(error) === 422) return undefined;
    return `The label ${name} does not exist and could not be made (${statusOf(error)}); the issue goes without it.`;
  }
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown }).status ?? 'no answer';
}
