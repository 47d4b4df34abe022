import type { TargetSpec } from '../config/plan.ts';
import { targetEnvironment } from '../shared/child-environment.ts';
import type { KeptLog } from '../shared/kept-log.ts';
import { startGroup } from '../shared/process-group.ts';
import { isLoopback, portOf } from './addresses.ts';
import { type Announcement, announcedInFile, announcedInLog } from './announced-address.ts';
import { assertPortFree, pickPort } from './ports.ts';
import { waitUntilReady } from './ready.ts';
import { assertOurs, graceMs, untilClosed, watchLife } from './started-process.ts';
import type { TargetContext, Up } from './up.ts';

type CommandSpec = Extract<TargetSpec, { kind: 'command' }>;

/**
 * Starts a server, waits until it answers, and stops it and everything that it started when `use` is through.
 * @throws MeasurementFault `port-occupied`, `target-start-failed`, `target-not-ready`, `target-mismatch`, `probe-failed`
 */
export async function withCommand<T>(
  spec: CommandSpec,
  ctx: TargetContext,
  log: KeptLog,
  use: (up: Up) => Promise<T>,
): Promise<T> {
  const port = await portFor(spec);
  const fill = (text: string): string => text.replaceAll('{port}', String(port));
  const announcement = await announcementOf(spec, fill);
  await assertPortFree(port);
  const env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)]));
  ctx.progress({ kind: 'step', text: 'Starting the server', profile: ctx.profile.id });
  const group = startGroup({
    run: { shell: fill(spec.command) },
    cwd: spec.cwd,
    env: targetEnvironment(process.env, { PORT: String(port), ...env }),
  });
  const life = watchLife(group, log, announcement.watch);
  const ports = new Set([port]);
  try {
    const ready = await waitUntilReady({
      ready: spec.ready,
      ...(spec.ready.healthUrl === undefined ? {} : { healthUrl: fill(spec.ready.healthUrl) }),
      revision: ctx.profile.revision,
      headers: spec.headers,
      address: announcement.address,
      signal: AbortSignal.any([ctx.signal, life.failedToStart]),
      lateFinding: (_, last) => ({
        kind: 'target-not-ready',
        timeoutMs: spec.ready.timeoutMs,
        last,
        logTail: log.tail(),
      }),
    });
    const notes = [...ready.notes];
    if (isLoopback(ready.url)) {
      ports.add(portOf(ready.url));
      notes.push(...(await assertOurs(portOf(ready.url), group)));
    }
    await life.isUp();
    return await use({ ...ready, notes, died: life.died });
  } finally {
    life.expectEnd();
    await group.stop(graceMs(ctx.signal));
    for (const used of ports) await untilClosed(used, ctx);
  }
}

/** The port of the address when it names one, so that `PORT` always agrees with it; a free one otherwise. */
async function portFor(spec: CommandSpec): Promise<number> {
  if (spec.url.from !== 'template' || spec.url.template.includes('{port}')) return pickPort();
  return isLoopback(spec.url.template) ? portOf(spec.url.template) : pickPort();
}

async function announcementOf(spec: CommandSpec, fill: (text: string) => string): Promise<Announcement> {
  switch (spec.url.from) {
    case 'log':
      return announcedInLog(spec.url.regex);
    case 'file':
      return announcedInFile(fill(spec.url.path), spec.cwd);
    case 'template': {
      const url = fill(spec.url.template);
      return { address: async () => url, watch: () => undefined };
    }
  }
}
