import type { TargetSpec } from '../config/plan.ts';
import { keepLog } from '../shared/kept-log.ts';
import { assertPlatform } from '../shared/platform.ts';
import { redactor } from '../shared/redact.ts';
import { withCommand } from './command-target.ts';
import { probeTarget } from './probe.ts';
import type { RunningTarget } from './target.ts';
import type { TargetContext, Up } from './up.ts';
import { withUrl } from './url-target.ts';

/** A target that was up may be busy with what the referee left behind. */
const LATER_PROBE_MS = 10_000;

type ServerSpec = Exclude<TargetSpec, { kind: 'client' }>;

/**
 * A server for as long as a function needs it (DESIGN.md section 10): brought up, proved to answer, and stopped on
 * every path.
 * @param spec which server; clients are no servers and are started by the referee
 * @param use gets the running target; what it returns is returned
 * @throws MeasurementFault when the target cannot be measured; ConfigError on a platform that is not supported
 */
export async function withTarget<T>(
  spec: TargetSpec,
  ctx: TargetContext,
  use: (target: RunningTarget) => Promise<T>,
): Promise<T> {
  assertPlatform();
  // Waiting for its turn it may have been told to stop.
  ctx.signal.throwIfAborted();
  if (spec.kind === 'client') throw new TypeError('A client is started by the referee, not by withTarget.');
  const log = keepLog(ctx.targetLog, redactor([...ctx.secrets, ...spec.headers.map(({ value }) => value)]));
  try {
    switch (spec.kind) {
      case 'url':
        log.note('This server was not started by the gate; its output is kept where it runs.');
        return await withUrl(spec, ctx, (up) => behindRelay(spec, ctx, up, use));
      case 'command':
        return await withCommand(spec, ctx, log, (up) => behindRelay(spec, ctx, up, use));
      case 'stdio': {
        // The protocol's SDK is large, and only a bridge needs it.
        const { withBridge } = await import('./stdio/with-bridge.ts');
        return await withBridge(spec, ctx, log, (up) => use(runningTarget(spec, ctx, up)));
      }
    }
  } finally {
    log.close();
  }
}

/** Adds the headers, when there are any, and looks whether the target lets anybody in without them. */
async function behindRelay<T>(
  spec: ServerSpec,
  ctx: TargetContext,
  up: Up,
  use: (target: RunningTarget) => Promise<T>,
): Promise<T> {
  const target = runningTarget(spec, ctx, up);
  if (spec.headers.length === 0) return use(target);
  const { revision } = ctx.profile;
  const bare = await probeTarget(up.url, {
    revision,
    headers: [],
    timeoutMs: LATER_PROBE_MS,
    signal: AbortSignal.any([ctx.signal, up.died]),
  });
  const boundary = { without: bare.probe.httpStatus ?? null, with: up.probe.httpStatus ?? null };
  const names = spec.headers.map(({ name }) => name).join(', ');
  const { withHeaderRelay } = await import('./header-relay.ts');
  return withHeaderRelay(up.url, spec.headers, (url) =>
    use({
      ...target,
      url,
      behind: up.url,
      boundary,
      notes: [
        ...up.notes,
        `A relay on loopback adds ${names} to each request; the referee was given the relay's address.`,
      ],
    }),
  );
}

function runningTarget(spec: ServerSpec, ctx: TargetContext, up: Up): RunningTarget {
  return {
    url: up.url,
    before: up.probe,
    notes: up.notes,
    died: up.died,
    async probe() {
      const { probe } = await probeTarget(up.url, {
        revision: ctx.profile.revision,
        headers: spec.kind === 'stdio' ? [] : spec.headers,
        timeoutMs: LATER_PROBE_MS,
        signal: AbortSignal.any([ctx.signal, up.died]),
      });
      return probe;
    },
  };
}
