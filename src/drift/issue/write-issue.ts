import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { GitHubClient } from '../github-client.ts';
import { type IssueAnswer, issueAnswer, type OurIssue, type Repository } from './find-issues.ts';
import type { IssueText } from './render-issue.ts';

/** Where to write, and as whom. */
export interface IssueDesk {
  readonly github: GitHubClient;
  readonly repository: Repository;
  /** Login that our token acts as. */
  readonly author: string;
  /** The gate's name, when a repository has several. */
  readonly name: string | undefined;
}

export async function readIssue(desk: IssueDesk, number: number): Promise<IssueAnswer> {
  const { data } = await desk.github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    ...desk.repository,
    issue_number: number,
  });
  return issueAnswer.parse(data);
}

/**
 * @returns the new issue
 * @throws RequestError 422 when an assignee is not accepted
 */
export async function createIssue(
  desk: IssueDesk,
  issue: IssueText & { readonly labels: readonly string[]; readonly assignees: readonly string[] },
): Promise<IssueAnswer> {
  const { data } = await desk.github.request('POST /repos/{owner}/{repo}/issues', {
    ...desk.repository,
    title: issue.title,
    body: issue.body,
    ...(issue.labels.length > 0 ? { labels: [...issue.labels] } : {}),
    ...(issue.assignees.length > 0 ? { assignees: [...issue.assignees] } : {}),
  });
  return issueAnswer.parse(data);
}

/** Writes our part, and the title unless a person changed it. */
export async function patchIssue(
  desk: IssueDesk,
  issue: OurIssue,
  text: IssueText,
  state: { state?: 'closed'; state_reason?: 'completed' } = {},
): Promise<void> {
  const { marker } = issue.parsed;
  const titleIsOurs = marker === undefined || marker.title === issue.title;
  await desk.github.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
    ...desk.repository,
    issue_number: issue.number,
    body: text.body,
    ...(titleIsOurs ? { title: text.title } : {}),
    ...state,
  });
}

const commentAnswer = z.array(z.looseObject({ body: z.string().nullish(), created_at: z.string() }));

/**
 * Comments once about the same thing, even when a run died between its comment and what it wrote next.
 * @param about what the comment is about; goes into it as a hidden key
 * @param since comments before this moment were about an earlier state
 */
export async function commentOnce(
  desk: IssueDesk,
  number: number,
  about: { readonly kind: string; readonly what: unknown; readonly since: string | undefined },
  text: string,
): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(about.what)).digest('hex').slice(0, 16);
  const key = `<!-- mcp-conformance-gate:comment ${about.kind} ${digest} -->`;
  const comments = commentAnswer.parse(
    await desk.github.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...desk.repository,
      issue_number: number,
      per_page: 100,
      ...(about.since === undefined ? {} : { since: about.since }),
    }),
  );
  if (comments.some((comment) => isSince(comment.created_at, about.since) && comment.body?.startsWith(key)))
    return;
  await desk.github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...desk.repository,
    issue_number: number,
    body: `${key}\n${text}`,
  });
}

function isSince(at: string, since: string | undefined): boolean {
  return since === undefined || Date.parse(at) >= Date.parse(since);
}

/** Closes a later issue about the same, with a link to the one that stays. */
export async function closeTwin(
  desk: IssueDesk,
  twin: OurIssue,
  oldest: OurIssue,
): Promise<string | undefined> {
  if ((await readIssue(desk, twin.number)).state === 'closed') return undefined;
  await commentOnce(
    desk,
    twin.number,
    { kind: 'twin', what: oldest.number, since: undefined },
    `Closed in favour of #${oldest.number}, which is older and about the same.`,
  );
  await desk.github.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
    ...desk.repository,
    issue_number: twin.number,
    state: 'closed',
    state_reason: 'not_planned',
  });
  return `Closed #${twin.number} in favour of #${oldest.number}.`;
}
