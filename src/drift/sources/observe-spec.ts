import type { Change, Observed } from '../source.ts';
import type { SourceState, SourceStateOf } from '../state.ts';
import type { ObserveContext } from './context.ts';
import {
  commitUrl,
  compareCommits,
  compareUrl,
  filesChanged,
  headOf,
  short,
  subfolders,
} from './git-facts.ts';

/** The specification's repository: https://modelcontextprotocol.io/specification is built from it. */
export const SPECIFICATION = 'modelcontextprotocol/modelcontextprotocol';
const FOLDERS = ['schema', 'docs/specification'] as const;
const DATED = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The specification moved when a gated revision's schema or text is no longer what was adopted, or when there is a
 * revision that was not there. Its branch gets commits every day; those alone are not drift.
 */
export async function observeSpec(pinned: SourceState | undefined, ctx: ObserveContext): Promise<Observed> {
  const commit = await headOf(SPECIFICATION, 'HEAD', ctx);
  const listings = await Promise.all(
    FOLDERS.map(async (folder) => [folder, await subfolders(SPECIFICATION, folder, ctx)] as const),
  );
  const revisions = Object.keys(listings[0]?.[1] ?? {})
    .filter((name) => DATED.test(name))
    .sort();
  const paths: Record<string, string> = {};
  for (const [folder, entries] of listings) {
    for (const revision of ctx.revisions) {
      const tree = entries[revision];
      if (tree !== undefined) paths[`${folder}/${revision}`] = tree;
    }
  }
  const value = { kind: 'spec' as const, adopted: ctx.today, commit, revisions, paths };
  const seen = { label: short(commit), url: commitUrl(SPECIFICATION, commit, ctx) };
  if (pinned?.kind !== 'spec') return { value, seen, notAdopted: 'no state was adopted', notes: [] };

  const fresh = revisions.filter((revision) => !pinned.revisions.includes(revision));
  const changed = changedFolders(pinned, value.paths, ctx.revisions);
  if (fresh.length > 0 || changed.length > 0)
    return { value, seen, moved: await movement(pinned, commit, fresh, changed, paths, ctx), notes: [] };

  const unadopted = ctx.revisions.filter(
    (revision) =>
      !FOLDERS.some((folder) => `${folder}/${revision}` in pinned.paths) &&
      FOLDERS.some((folder) => `${folder}/${revision}` in paths),
  );
  if (unadopted.length > 0)
    return { value, seen, notAdopted: `${unadopted.join(', ')} is gated since the last adoption`, notes: [] };
  const notes =
    commit === pinned.commit
      ? []
      : ['Its branch has moved on; no schema or text of a gated revision changed.'];
  return { value, seen, notes };
}

/** Gated folders that were adopted and are now other or gone, and those of an adopted revision that are new. */
function changedFolders(
  pinned: SourceStateOf<'spec'>,
  now: Readonly<Record<string, string>>,
  gated: readonly string[],
): string[] {
  const known = gated.filter((revision) => FOLDERS.some((folder) => `${folder}/${revision}` in pinned.paths));
  return known
    .flatMap((revision) => FOLDERS.map((folder) => `${folder}/${revision}`))
    .filter((path) => pinned.paths[path] !== now[path]);
}

async function movement(
  pinned: SourceStateOf<'spec'>,
  commit: string,
  fresh: readonly string[],
  changed: readonly string[],
  now: Readonly<Record<string, string>>,
  ctx: ObserveContext,
) {
  const changes: Change[] = fresh.map((revision) => ({ kind: 'revision', revision }));
  let incomplete = false;
  for (const path of changed) {
    try {
      changes.push(...(await filesChanged(SPECIFICATION, pinned.paths[path], now[path], `${path}/`, ctx)));
    } catch {
      // That it changed is known from the tree ids; which files is a nicety (the old tree may be gone upstream).
      changes.push({ kind: 'file', path: `${path}/`, change: path in now ? 'modified' : 'removed' });
      incomplete = true;
    }
  }
  return {
    from: { label: short(pinned.commit), url: commitUrl(SPECIFICATION, pinned.commit, ctx) },
    compareUrl: compareUrl(SPECIFICATION, pinned.commit, commit, ctx),
    changes: await withPatches(pinned.commit, commit, changes, ctx),
    incomplete,
  };
}

/** The changed text too, for the keywords of `ownership`, as far as one comparison shows it. */
async function withPatches(
  base: string,
  head: string,
  changes: readonly Change[],
  ctx: ObserveContext,
): Promise<Change[]> {
  const comparison = await compareCommits(SPECIFICATION, base, head, ctx).catch(() => undefined);
  const patches = new Map(comparison?.files.map((file) => [file.path, file.patch]) ?? []);
  return changes.map((change) => {
    const patch = change.kind === 'file' ? patches.get(change.path) : undefined;
    return patch === undefined ? change : { ...change, patch };
  });
}
