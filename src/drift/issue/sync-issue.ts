import type { GitHubClient } from '../github-client.ts';
import type { DriftReport } from '../report.ts';
import { type UnknownReason, unknownCause } from '../unknown.ts';
import { type Decision, decide, isOlder } from './decide.ts';
import type { Effective } from './effective.ts';
import { ensureLabels } from './ensure-labels.ts';
import { findIssues, type IssueAnswer, type OurIssue, ourIssue, type Repository } from './find-issues.ts';
import { type IssueText, newsComment, renderIssue, renderResolved, resolvedText } from './render-issue.ts';
import { whoAmI } from './who-am-i.ts';
import { closeTwin, commentOnce, createIssue, type IssueDesk, patchIssue, readIssue } from './write-issue.ts';

export interface SyncOptions {
  readonly repository: Repository;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly now: () => Date;
}

/** What became of the issue. */
export type SyncOutcome =
  /** Nothing moved, and there is no issue. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'opened' | 'updated' | 'unchanged' | 'closed' | 'kept-open' | 'older-run' | 'dismissed';
      readonly number: number;
      readonly url: string;
    }
  /** Read-only token, disabled issues, limits: the report is in the summary, and the job does not fail for this. */
  | {
      readonly kind: 'not-written';
      readonly why: UnknownReason | 'issues-disabled';
      readonly message: string;
    };
/** `notices`: worth telling, changes nothing; plain text. */
export type SyncResult = SyncOutcome & { readonly notices: readonly string[] };

/**
 * Brings the one issue in line with the report: finds, decides, writes. Whatever GitHub refuses becomes a result, never
 * an exception.
 */
export async function syncIssue(
  report: DriftReport,
  github: GitHubClient,
  options: SyncOptions,
): Promise<SyncResult> {
  const notices: string[] = [];
  try {
    const desk = {
      github,
      repository: options.repository,
      author: await whoAmI(github),
      name: report.name,
    };
    return { ...(await sync(report, desk, options, notices)), notices };
  } catch (error) {
    const now = options.now().getTime();
    if ((error as { status?: unknown }).status === 410)
      return { kind: 'not-written', why: 'issues-disabled', message: 'issues are disabled', notices };
    const cause = unknownCause(error, now);
    if (cause === undefined) throw error;
    return { kind: 'not-written', why: cause.reason, message: cause.message, notices };
  }
}

async function sync(
  report: DriftReport,
  desk: IssueDesk,
  options: SyncOptions,
  notices: string[],
): Promise<SyncOutcome> {
  const found = await find(desk);
  const decision = decide(report, found);
  if (decision.kind === 'open') return open(report, decision.state, desk, options, notices);
  const outcome = await carryOut(report, decision, desk);
  const [oldest, ...twins] = outcome.kind === 'older-run' ? [] : found.open;
  if (oldest !== undefined) {
    for (const twin of twins) pushIf(notices, await closeTwin(desk, twin, oldest));
  }
  return outcome;
}

function find(desk: IssueDesk) {
  return findIssues(desk.github, desk.repository, desk.author, desk.name);
}

/** One issue even when two runs come here at once: whoever finds an older one than its own closes its own. */
async function open(
  report: DriftReport,
  state: Effective,
  desk: IssueDesk,
  options: SyncOptions,
  notices: string[],
): Promise<SyncOutcome> {
  const labels = await ensureLabels(desk.github, desk.repository, options.labels);
  notices.push(...labels.notices);
  const text = renderIssue(report, state, undefined);
  const created = await createSurely(
    desk,
    { ...text, labels: labels.usable, assignees: options.assignees },
    notices,
  );
  // Who we are was a guess when nobody told; the answer knows.
  const known = { ...desk, author: created.user?.login ?? desk.author };
  const now = (await find(known)).open;
  const oldest = now[0];
  const own = now.find((issue) => issue.number === created.number);
  if (oldest === undefined || own === undefined || oldest === own)
    return { kind: 'opened', number: created.number, url: created.html_url };
  pushIf(notices, await closeTwin(known, own, oldest));
  return at('unchanged', oldest);
}

/** Creates the issue once: an answer that says "failed" may be wrong, so it is looked for before anything else. */
async function createSurely(
  desk: IssueDesk,
  issue: IssueText & { labels: readonly string[]; assignees: readonly string[] },
  notices: string[],
): Promise<IssueAnswer> {
  try {
    return await createIssue(desk, issue);
  } catch (error) {
    const status = (error as { status?: unknown }).status;
    if (status === 422 && issue.assignees.length > 0) {
      notices.push(`Not assigned: GitHub does not accept ${issue.assignees.join(', ')} as assignees here.`);
      return createIssue(desk, { ...issue, assignees: [] });
    }
    if (typeof status !== 'number' || status < 500) throw error;
    const made = (await find(desk)).open.find((candidate) => candidate.body === issue.body);
    if (made === undefined) throw error;
    return readIssue(desk, made.number);
  }
}

async function carryOut(
  report: DriftReport,
  decision: Exclude<Decision, { kind: 'open' }>,
  desk: IssueDesk,
): Promise<SyncOutcome> {
  switch (decision.kind) {
    case 'none':
      return { kind: 'none' };
    case 'unchanged':
    case 'older-run':
    case 'dismissed':
      return at(decision.kind, decision.issue);
    case 'update':
      return update(report, decision, desk);
    case 'close':
      return resolve(report, decision, desk);
    case 'keep-open':
      return decision.write ? resolve(report, decision, desk) : at('kept-open', decision.issue);
  }
}

/** Comment first: a run that dies in between comments no second time, and the next one mends the description. */
async function update(
  report: DriftReport,
  { issue, state }: Extract<Decision, { kind: 'update' }>,
  desk: IssueDesk,
): Promise<SyncOutcome> {
  const fresh = await refresh(report, issue, desk);
  if (fresh === undefined) return at('older-run', issue);
  if (state.news.length > 0) {
    const about = { kind: 'news', what: state.moved, since: fresh.parsed.marker?.run.startedAt };
    await commentOnce(desk, fresh.number, about, newsComment(report, state));
  }
  await patchIssue(desk, fresh, renderIssue(report, state, fresh.parsed));
  return at('updated', fresh);
}

async function resolve(
  report: DriftReport,
  { kind, issue, state }: Extract<Decision, { kind: 'close' | 'keep-open' }>,
  desk: IssueDesk,
): Promise<SyncOutcome> {
  const fresh = await refresh(report, issue, desk);
  if (fresh === undefined) return at('older-run', issue);
  const what = state.resolved.map(({ id, was }) => [id, was]);
  const about = { kind: 'resolved', what, since: fresh.parsed.marker?.run.startedAt };
  await commentOnce(desk, fresh.number, about, resolvedText(report, state));
  const text = renderResolved(report, state, fresh.parsed);
  if (kind === 'keep-open') {
    await patchIssue(desk, fresh, text);
    return at('kept-open', fresh);
  }
  await patchIssue(desk, fresh, text, { state: 'closed', state_reason: 'completed' });
  return at('closed', fresh);
}

/** The issue as it is now: a person may have edited it since the list was read. `undefined` when a later run has. */
async function refresh(report: DriftReport, issue: OurIssue, desk: IssueDesk): Promise<OurIssue | undefined> {
  const fresh = ourIssue(await readIssue(desk, issue.number), desk.author, desk.name);
  const run = fresh?.parsed.marker?.run;
  if (fresh === undefined || (run !== undefined && isOlder(report.run, run))) return undefined;
  return fresh;
}

function at<K extends Exclude<SyncOutcome['kind'], 'none' | 'not-written'>>(
  kind: K,
  issue: Pick<OurIssue, 'number' | 'url'>,
) {
  return { kind, number: issue.number, url: issue.url };
}

function pushIf(notices: string[], text: string | undefined): void {
  if (text !== undefined) notices.push(text);
}
