import { z } from 'zod';
import type { GitHubClient } from '../github-client.ts';

/** The account of a workflow's own token. */
const ACTIONS_BOT = 'github-actions[bot]';
const viewerAnswer = z.object({ viewer: z.object({ login: z.string() }) });

/**
 * The account that this token writes as. A person's token may ask for its user; an app's, and a workflow's own, may not,
 * and asks GraphQL for its viewer instead.
 * @returns the login; that of the workflow's own token when nobody tells
 */
export async function whoAmI(github: GitHubClient): Promise<string> {
  try {
    const { data } = await github.request('GET /user');
    return z.object({ login: z.string() }).parse(data).login;
  } catch (error) {
    const status = (error as { status?: unknown }).status;
    if (status !== 403 && status !== 401 && status !== 404) throw error;
  }
  try {
    const { login } = viewerAnswer.parse(await github.graphql('{ viewer { login } }')).viewer;
    // Only apps come here; the REST API, whose issues we compare with, writes their logins with this ending.
    return login.endsWith('[bot]') ? login : `${login}[bot]`;
  } catch {
    return ACTIONS_BOT;
  }
}
