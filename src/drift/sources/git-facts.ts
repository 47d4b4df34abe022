import { z } from 'zod';
import { remembered } from '../github-client.ts';
import type { Change } from '../source.ts';
import { UnknownError } from '../unknown.ts';
import { type ObserveContext, ownerAndName, webRoot } from './context.ts';

const sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
/** The media type `sha` answers bare text; a server that does not know it answers the commit. */
const headAnswer = z.union([sha, z.object({ sha }).transform((commit) => commit.sha)]);

/**
 * Head of a branch.
 * @param branch its name, or `HEAD` for the default branch
 * @returns 40 hex digits
 */
export function headOf(repository: string, branch: string, ctx: ObserveContext): Promise<string> {
  return remembered(
    ctx.memory,
    `head ${repository} ${branch} ${ctx.audience}`,
    (headers) =>
      ctx.github.request('GET /repos/{owner}/{repo}/commits/{ref}', {
        ...ownerAndName(repository),
        ref: branch,
        headers: { ...headers, accept: 'application/vnd.github.sha' },
        request: { signal: ctx.signal },
      }),
    { ofAnswer: (data) => headAnswer.parse(data), ofMemory: (kept) => sha.parse(kept) },
  );
}

/** Name of the default branch. */
export async function defaultBranch(repository: string, ctx: ObserveContext): Promise<string> {
  const answer = await ctx.github.request('GET /repos/{owner}/{repo}', {
    ...ownerAndName(repository),
    request: { signal: ctx.signal },
  });
  return z.object({ default_branch: z.string() }).parse(answer.data).default_branch;
}

const folderAnswer = z.array(z.object({ name: z.string(), type: z.string(), sha }));
const folderDigest = z.record(z.string(), sha);

/**
 * Subfolders of a folder of the default branch and their tree ids: equal ids mean equal content.
 * @returns empty when there is no such folder
 */
export async function subfolders(
  repository: string,
  path: string,
  ctx: ObserveContext,
): Promise<Record<string, string>> {
  try {
    return await remembered(
      ctx.memory,
      `folder ${repository} ${path} ${ctx.audience}`,
      (headers) =>
        ctx.github.request('GET /repos/{owner}/{repo}/contents/{path}', {
          ...ownerAndName(repository),
          path,
          headers,
          request: { signal: ctx.signal },
        }),
      {
        ofAnswer: (data) =>
          Object.fromEntries(
            folderAnswer
              .parse(data)
              .filter((entry) => entry.type === 'dir')
              .map((entry) => [entry.name, entry.sha]),
          ),
        ofMemory: (kept) => folderDigest.parse(kept),
      },
    );
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) return {};
    throw error;
  }
}

const treeAnswer = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
});

/** Files of a tree with their blob ids, by path inside it. */
async function filesOf(repository: string, tree: string, ctx: ObserveContext): Promise<Map<string, string>> {
  const answer = await ctx.github.request('GET /repos/{owner}/{repo}/git/trees/{tree_sha}', {
    ...ownerAndName(repository),
    tree_sha: tree,
    recursive: '1',
    request: { signal: ctx.signal },
  });
  const { tree: entries, truncated } = treeAnswer.parse(answer.data);
  if (truncated === true)
    throw new UnknownError({ reason: 'malformed', message: `the file list of ${repository} was cut short` });
  return new Map(entries.filter((entry) => entry.type === 'blob').map((entry) => [entry.path, entry.sha]));
}

/**
 * Which files differ between two trees. Unlike a comparison of commits this has no limit of 300 files and survives a
 * rewritten history.
 * @param before tree id, or `undefined` for nothing
 * @param prefix put before each path
 */
export async function filesChanged(
  repository: string,
  before: string | undefined,
  after: string | undefined,
  prefix: string,
  ctx: ObserveContext,
): Promise<Change[]> {
  const [old, now] = await Promise.all(
    [before, after].map((tree) =>
      tree === undefined ? new Map<string, string>() : filesOf(repository, tree, ctx),
    ),
  );
  const changes: Change[] = [];
  for (const path of [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort()) {
    const [was, is] = [old?.get(path), now?.get(path)];
    if (was === is) continue;
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'modified';
    changes.push({ kind: 'file', path: `${prefix}${path}`, change });
  }
  return changes;
}

const compareAnswer = z.object({
  status: z.string(),
  files: z
    .array(
      z.object({
        filename: z.string(),
        previous_filename: z.string().optional(),
        status: z.string(),
        patch: z.string().optional(),
      }),
    )
    .optional(),
});

/** GitHub lists at most this many files of a comparison. */
const COMPARE_LIMIT = 300;
const PATCH_LIMIT = 20_000;

export interface Comparison {
  readonly url: string;
  /** `ahead`, or `behind` and `diverged` after a rewritten history. */
  readonly status: string;
  readonly files: Extract<Change, { kind: 'file' }>[];
  readonly complete: boolean;
}

/**
 * What lies between two commits or tags.
 * @returns `undefined` when upstream knows one of them no more
 */
export async function compareCommits(
  repository: string,
  base: string,
  head: string,
  ctx: ObserveContext,
): Promise<Comparison | undefined> {
  try {
    const answer = await ctx.github.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...ownerAndName(repository),
      basehead: `${base}...${head}`,
      request: { signal: ctx.signal },
    });
    const { status, files = [] } = compareAnswer.parse(answer.data);
    return {
      url: compareUrl(repository, base, head, ctx),
      status,
      complete: files.length < COMPARE_LIMIT,
      files: files.map((file) => ({
        kind: 'file',
        path: file.filename,
        change:
          file.status === 'added' || file.status === 'removed' || file.status === 'renamed'
            ? file.status
            : 'modified',
        ...(file.patch === undefined ? {} : { patch: file.patch.slice(0, PATCH_LIMIT) }),
      })),
    };
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) return undefined;
    throw error;
  }
}

/** Page for people that shows the same comparison. */
export function compareUrl(repository: string, base: string, head: string, ctx: ObserveContext): string {
  return `${webRoot(ctx.github)}/${repository}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`;
}

/** Page for people of one commit. */
export function commitUrl(repository: string, commit: string, ctx: ObserveContext): string {
  return `${webRoot(ctx.github)}/${repository}/commit/${commit}`;
}

/** Twelve digits: enough to tell commits apart. */
export function short(commit: string): string {
  return commit.slice(0, 12);
}
