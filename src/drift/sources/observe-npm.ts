import type { Watch } from '../../config/plan.ts';
import type { Observed } from '../source.ts';
import type { SourceState } from '../state.ts';
import { UnknownError } from '../unknown.ts';
import type { ObserveContext } from './context.ts';
import { viewPackage } from './npm-view.ts';

/** A package moved when its distribution tag (`latest` when none is named) points to another version. */
export async function observeNpm(
  watch: Extract<Watch, { kind: 'npm' }>,
  pinned: SourceState | undefined,
  ctx: ObserveContext,
): Promise<Observed> {
  const tag = watch.tag ?? 'latest';
  const { tags } = await viewPackage(watch.package, ctx);
  const version = tags[tag];
  if (version === undefined)
    throw new UnknownError({ reason: 'not-found', message: `the package has no tag ${tag}` });
  const value = { kind: 'npm' as const, adopted: ctx.today, version };
  const seen = { label: version };
  if (pinned?.kind !== 'npm') return { value, seen, notAdopted: 'no state was adopted', notes: [] };
  if (pinned.version === version) return { value, seen, notes: [] };
  return {
    value,
    seen,
    notes: [],
    moved: { from: { label: pinned.version }, changes: [], incomplete: false },
  };
}
