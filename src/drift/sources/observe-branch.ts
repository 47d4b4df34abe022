import picomatch from 'picomatch';
import { z } from 'zod';
import type { Watch } from '../../config/plan.ts';
import type { Change, Observed } from '../source.ts';
import type { SourceState } from '../state.ts';
import { type ObserveContext, ownerAndName } from './context.ts';
import {
  commitUrl,
  compareCommits,
  compareUrl,
  defaultBranch,
  filesChanged,
  headOf,
  short,
} from './git-facts.ts';

/**
 * A branch moved when its head is another commit; with `paths`, when a file that one of the globs names differs
 * between the two commits.
 */
export async function observeBranch(
  watch: Extract<Watch, { kind: 'branch' }>,
  pinned: SourceState | undefined,
  ctx: ObserveContext,
): Promise<Observed> {
  const { repository } = watch;
  const branch = watch.branch ?? (await defaultBranch(repository, ctx));
  const commit = await headOf(repository, branch, ctx);
  const value = { kind: 'branch' as const, adopted: ctx.today, branch, commit };
  const seen = { label: `${branch} ${short(commit)}`, url: commitUrl(repository, commit, ctx) };
  if (pinned?.kind !== 'branch') return { value, seen, notAdopted: 'no state was adopted', notes: [] };
  const notes = pinned.branch === branch ? [] : [`The branch was ${pinned.branch} when it was adopted.`];
  if (pinned.commit === commit) return { value, seen, notes };

  const { changes, incomplete } = await between(repository, pinned.commit, commit, ctx);
  const wanted = watch.paths === undefined ? () => true : picomatch([...watch.paths], { dot: true });
  const mine = changes.filter((change) => change.kind !== 'file' || wanted(change.path));
  if (watch.paths !== undefined && mine.length === 0 && !incomplete)
    return {
      value,
      seen,
      notes: [...notes, 'The branch has moved on; no file of the watched paths changed.'],
    };
  return {
    value,
    seen,
    notes,
    moved: {
      from: {
        label: `${pinned.branch} ${short(pinned.commit)}`,
        url: commitUrl(repository, pinned.commit, ctx),
      },
      compareUrl: compareUrl(repository, pinned.commit, commit, ctx),
      changes: mine,
      incomplete,
    },
  };
}

/** Changed files, from one comparison, or from the trees where that is cut or upstream has rewritten its history. */
async function between(
  repository: string,
  base: string,
  head: string,
  ctx: ObserveContext,
): Promise<{ changes: Change[]; incomplete: boolean }> {
  const comparison = await compareCommits(repository, base, head, ctx);
  // A comparison starts at the merge base: what a rewritten history took away again is not in it.
  if (comparison?.complete === true && comparison.status === 'ahead')
    return { changes: comparison.files, incomplete: false };
  try {
    const [old, now] = await Promise.all([treeOf(repository, base, ctx), treeOf(repository, head, ctx)]);
    return { changes: await filesChanged(repository, old, now, '', ctx), incomplete: false };
  } catch (error) {
    if (comparison === undefined && (error as { status?: unknown }).status !== 404) throw error;
    return { changes: comparison?.files ?? [], incomplete: true };
  }
}

async function treeOf(repository: string, commit: string, ctx: ObserveContext): Promise<string> {
  const answer = await ctx.github.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
    ...ownerAndName(repository),
    commit_sha: commit,
    request: { signal: ctx.signal },
  });
  return z.object({ tree: z.object({ sha: z.string() }) }).parse(answer.data).tree.sha;
}
