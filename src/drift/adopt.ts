import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../shared/errors.ts';
import { emptyMemory } from './memory.ts';
import { observe } from './observe.ts';
import { type DriftIo, observeOptions, type WatchPlan } from './run-drift.ts';
import type { SourceReport } from './source.ts';
import { loadUpstream, type SourceState, saveUpstream, type Upstream, upstreamFile } from './state.ts';

export interface Adoption {
  /** The file that was written, absolute. */
  readonly file: string;
  readonly sources: readonly SourceReport[];
  /** Sources whose state is new or other than before. */
  readonly adopted: readonly string[];
  /** Sources that could not be told: their old state stays, where there is one. */
  readonly left: readonly string[];
}

/**
 * Writes where every watched source stands now into upstream.json. Only a person does this: it says "I have looked".
 * @throws ConfigError where CI is set, and for a file that is not of the format
 */
export async function adopt(
  plan: WatchPlan,
  io: Pick<DriftIo, 'upstream' | 'progress' | 'environment' | 'signal' | 'now'>,
): Promise<Adoption> {
  if (io.environment.CI)
    throw new ConfigError('drift --adopt does not write where CI is set: adopting is what a person does.', {
      hint: 'Run it on your machine and commit upstream.json.',
    });
  const file = upstreamFile(plan.baselines);
  const before = await loadUpstream(file);
  io.progress({ kind: 'step', text: 'Looking at where upstream stands' });
  const sources = await observe(plan.watch, before, observeOptions(plan, io, emptyMemory()));
  const next = adoptedState(before, sources);
  await mkdir(plan.baselines, { recursive: true });
  await saveUpstream(file, next);
  return {
    file,
    sources,
    adopted: sources
      .filter(({ id }) => next.sources[id] !== undefined && next.sources[id] !== before?.sources[id])
      .map(({ id }) => id),
    left: sources.filter(({ value }) => value === undefined).map(({ id }) => id),
  };
}

/**
 * The file's next content. Sources that are no longer watched go; those that could not be told stay as they were. A state
 * that did not change keeps its date, so that adopting twice gives the same bytes.
 */
export function adoptedState(before: Upstream | undefined, sources: readonly SourceReport[]): Upstream {
  const next: Record<string, SourceState> = {};
  for (const { id, value } of sources) {
    const old = before?.sources[id];
    const state = value === undefined || sameState(old, value) ? (old ?? value) : value;
    if (state !== undefined) next[id] = state;
  }
  return { schema: 1, sources: next };
}

function sameState(old: SourceState | undefined, now: SourceState): boolean {
  return old !== undefined && isDeepStrictEqual({ ...old, adopted: '' }, { ...now, adopted: '' });
}
