import { z } from 'zod';
import type { GitHubClient } from '../github-client.ts';
import { UnknownError } from '../unknown.ts';
import { type ParsedBody, parseBody } from './marker.ts';

/** An issue of ours: it holds our marker and we wrote it. */
export interface OurIssue {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly parsed: ParsedBody;
}

export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

export const issueAnswer = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  user: z.object({ login: z.string() }).nullish(),
  /** Lists of issues hold pull requests too; these have this key. */
  pull_request: z.unknown().optional(),
});
export type IssueAnswer = z.infer<typeof issueAnswer>;

/** Open issues are read to the end: ours may be any of them. Beyond this, nothing is written rather than a second issue. */
const MAX_PAGES = 100;
/** Closed issues of our own account, last touched first: what matters of them is recent. */
const CLOSED_PAGES = 3;

export interface Found {
  /** Oldest first. */
  readonly open: readonly OurIssue[];
  /** The one closed last. */
  readonly closed: OurIssue | undefined;
}

/**
 * Issues of ours, by marker and author. The list is read, not the search, whose index lags behind.
 * @param author login that our token acts as
 * @param name the gate's name
 */
export async function findIssues(
  github: GitHubClient,
  where: Repository,
  author: string,
  name: string | undefined,
): Promise<Found> {
  const open = await list(github, where, { state: 'open', sort: 'created', direction: 'asc' }, MAX_PAGES);
  const closed = await list(
    github,
    where,
    { state: 'closed', creator: author, sort: 'updated', direction: 'desc' },
    CLOSED_PAGES,
  );
  const ours = (all: readonly unknown[]) =>
    all.map((item) => ourIssue(issueAnswer.parse(item), author, name)).filter((issue) => issue !== undefined);
  return {
    open: ours(open).toSorted((a, b) => a.number - b.number),
    closed: ours(closed).toSorted((a, b) => lastRun(b).localeCompare(lastRun(a)) || b.number - a.number)[0],
  };
}

function lastRun(issue: OurIssue): string {
  return issue.parsed.marker?.run.startedAt ?? '';
}

/** @returns `undefined` when the issue is not ours */
export function ourIssue(issue: IssueAnswer, author: string, name: string | undefined): OurIssue | undefined {
  if (issue.pull_request !== undefined && issue.pull_request !== null) return undefined;
  if (issue.user?.login !== author) return undefined;
  const body = issue.body ?? '';
  const parsed = parseBody(body, name);
  if (parsed === undefined) return undefined;
  return { number: issue.number, url: issue.html_url, title: issue.title, body, state: issue.state, parsed };
}

async function list(
  github: GitHubClient,
  where: Repository,
  query: {
    state: 'open' | 'closed';
    creator?: string;
    sort: 'created' | 'updated';
    direction: 'asc' | 'desc';
  },
  maxPages: number,
): Promise<unknown[]> {
  const items: unknown[] = [];
  let pages = 0;
  for await (const page of github.paginate.iterator('GET /repos/{owner}/{repo}/issues', {
    ...where,
    ...query,
    per_page: 100,
  })) {
    items.push(...page.data);
    pages += 1;
    if (pages < maxPages) continue;
    if (query.state === 'open' && page.headers.link?.includes('rel="next"'))
      throw new UnknownError({
        reason: 'refused',
        message: `there are more than ${maxPages * 100} open issues`,
      });
    break;
  }
  return items;
}
