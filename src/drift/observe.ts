import pLimit from 'p-limit';
import type { Watch } from '../config/plan.ts';
import { type Observed, type SourceReport, sourceId } from './source.ts';
import type { ObserveContext } from './sources/context.ts';
import { observeBranch } from './sources/observe-branch.ts';
import { observeNpm } from './sources/observe-npm.ts';
import { observeReferee } from './sources/observe-referee.ts';
import { observeRelease } from './sources/observe-release.ts';
import { observeSpec } from './sources/observe-spec.ts';
import type { SourceState, Upstream } from './state.ts';
import { UnknownError, unknownCause } from './unknown.ts';

export interface ObserveOptions extends Omit<ObserveContext, 'signal'> {
  readonly signal: AbortSignal;
  /** Everything about one source, waits included, in milliseconds. */
  readonly sourceTimeoutMs: number;
  readonly now: () => Date;
  /** Ask nobody: then nothing is known of any source. */
  readonly offline: boolean;
}

/**
 * Looks at each watched source once, a few at a time. A source that cannot be told is unknown with its reason and
 * never stops another.
 * @param pinned what was adopted, or `undefined` when nothing was
 * @returns one report a source, in the order of `watch`; `options.memory` is brought up to date
 */
export async function observe(
  watch: readonly Watch[],
  pinned: Upstream | undefined,
  options: ObserveOptions,
): Promise<SourceReport[]> {
  const limit = pLimit(3);
  const sources = new Map(watch.map((one) => [sourceId(one), one]));
  return Promise.all(
    [...sources].map(([id, one]) => limit(() => observeOne(id, one, pinned?.sources[id], options))),
  );
}

async function observeOne(
  id: string,
  watch: Watch,
  pinned: SourceState | undefined,
  options: ObserveOptions,
): Promise<SourceReport> {
  const deadline = AbortSignal.timeout(options.sourceTimeoutMs);
  const ctx = { ...options, signal: AbortSignal.any([options.signal, deadline]) };
  try {
    if (options.offline) throw new UnknownError({ reason: 'offline', message: '' });
    const observed = await inTime(look(watch, pinned, ctx), ctx.signal);
    const now = options.now().toISOString();
    options.memory.sources[id] = { seen: { at: now, label: observed.seen.label } };
    return reportOf(id, watch, observed, now);
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = unknownCause(error, options.now().getTime());
    if (cause === undefined) throw error;
    const known = options.memory.sources[id];
    const since = known?.unknownSince ?? options.now().toISOString();
    options.memory.sources[id] = { ...known, unknownSince: since };
    return {
      id,
      watch,
      status: 'unknown',
      since,
      ...cause,
      ...(known?.seen === undefined ? {} : { lastSeen: known.seen }),
    };
  }
}

function look(watch: Watch, pinned: SourceState | undefined, ctx: ObserveContext): Promise<Observed> {
  switch (watch.kind) {
    case 'referee':
      return observeReferee(pinned, ctx);
    case 'spec':
      return observeSpec(pinned, ctx);
    case 'github-release':
      return observeRelease(watch, pinned, ctx);
    case 'npm':
      return observeNpm(watch, pinned, ctx);
    case 'branch':
      return observeBranch(watch, pinned, ctx);
  }
}

/** Waits of the throttling plugin do not listen to signals; the deadline does not wait for them. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new UnknownError({ reason: 'timeout', message: 'no answer in time' }));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  work.catch(() => {});
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

function reportOf(id: string, watch: Watch, observed: Observed, now: string): SourceReport {
  const { value, seen, moved, notAdopted, notes } = observed;
  if (notAdopted !== undefined)
    return {
      id,
      watch,
      status: 'unknown',
      reason: 'not-adopted',
      message: notAdopted,
      since: now,
      lastSeen: { at: now, label: seen.label },
      value,
    };
  if (moved === undefined) return { id, watch, status: 'same', at: seen, value, notes };
  return { id, watch, status: 'moved', to: seen, value, notes, ...moved };
}
