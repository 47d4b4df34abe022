import type { TargetSpec } from '../config/plan.ts';
import { probeFailed, waitUntilReady } from './ready.ts';
import type { TargetContext, Up } from './up.ts';

const NEVER = new AbortController().signal;

/**
 * A server that somebody else started should be there. When nobody listens at its port this long, in milliseconds, nobody
 * will, unless a readiness limit was given: then whoever gave it starts the server beside us and knows how long it takes.
 */
const NOBODY_LISTENS_MS = 1_500;

/**
 * Waits until a server that somebody else runs answers.
 * @throws MeasurementFault `probe-failed`, `target-mismatch`
 */
export async function withUrl<T>(
  spec: Extract<TargetSpec, { kind: 'url' }>,
  ctx: TargetContext,
  use: (up: Up) => Promise<T>,
): Promise<T> {
  ctx.progress({ kind: 'step', text: 'Probing the server', profile: ctx.profile.id });
  const ready = await waitUntilReady({
    ready: spec.ready,
    ...(spec.ready.healthUrl === undefined ? {} : { healthUrl: spec.ready.healthUrl }),
    revision: ctx.profile.revision,
    headers: spec.headers,
    address: async () => spec.url,
    signal: ctx.signal,
    ...(spec.ready.given ? {} : { nobodyListensMs: NOBODY_LISTENS_MS }),
    lateFinding: (last, message) =>
      last
        ? probeFailed(last, 'before')
        : { kind: 'probe-failed', when: 'before', url: spec.url, reason: 'unhealthy', message },
  });
  return use({ ...ready, died: NEVER });
}
