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
  if (spec.kind === 'client') throw new TypeError('A client is started by the referee, not by withTarget.');
  const log = keepLog(ctx.targetLog, redactor([...ctx.secrets, ...spec.headers.map(({ value }) => value)]));
  const serve = (up: Up): Promise<T> => use(running(spec, ctx, up));
  try {
    switch (spec.kind) {
      case 'url':
        log.note('This server was not started by the gate; its output is kept where it runs.');
        return await withUrl(spec, ctx, serve);
      case 'command':
        return await withCommand(spec, ctx, log, serve);
      case 'stdio':
        throw new Error('not here yet');
    }
  } finally {
    log.close();
  }
}

function running(spec: Exclude<TargetSpec, { kind: 'client' }>, ctx: TargetContext, up: Up): RunningTarget {
  return {
    url: up.url,
    before: up.probe,
    notes: up.notes,
    died: up.died,
    async probe() {
      const { probe } = await probeTarget(up.url, {
        revision: ctx.profile.revision,
        headers: spec.headers,
        timeoutMs: LATER_PROBE_MS,
        signal: AbortSignal.any([ctx.signal, up.died]),
      });
      return probe;
    },
  };
}
