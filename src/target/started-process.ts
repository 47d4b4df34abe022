import { setTimeout as sleep } from 'node:timers/promises';
import { MeasurementFault } from '../shared/errors.ts';
import type { KeptLog } from '../shared/kept-log.ts';
import type { ProcessGroup } from '../shared/process-group.ts';
import { describeOwner, ownersOf } from './port-owner.ts';
import { accepts } from './ports.ts';
import type { TargetContext } from './up.ts';

/** A target's process as its watchers see it. */
export interface Life {
  /** Aborts with a MeasurementFault `target-start-failed` when the process ends before `isUp`. */
  readonly failedToStart: AbortSignal;
  /** Aborts with the finding `target-died` when the process ends after `isUp` and before `expectEnd`. */
  readonly died: AbortSignal;
  /** It answered. @throws MeasurementFault when it has ended meanwhile: then something else answered */
  isUp(): Promise<void>;
  expectEnd(): void;
}

/** What a process printed last may arrive after its end. */
const LAST_WORDS_MS = 200;
const GRACE_MS = 2_000;
/** When the gate itself is being stopped there are five seconds for everything. */
const HURRIED_GRACE_MS = 1_000;
const CLOSES_WITHIN_MS = 2_000;

/** Keeps what a process prints and tells when it ends at the wrong time. */
export function watchLife(
  group: ProcessGroup,
  log: KeptLog,
  watch: (chunk: Uint8Array) => void = () => undefined,
): Life {
  const failedToStart = new AbortController();
  const died = new AbortController();
  let phase: 'starting' | 'up' | 'stopping' = 'starting';
  const drained = [group.stdout, group.stderr].map((stream) => {
    const source = log.source();
    stream?.on('data', (chunk: Uint8Array) => {
      source.write(chunk);
      watch(chunk);
    });
    // A pipe that breaks says nothing that the end of its process does not say better.
    stream?.on('error', () => undefined);
    return stream === null
      ? Promise.resolve()
      : new Promise<void>((resolve) => stream.once('close', resolve));
  });
  const told = group.ended.then(async ({ exitCode, signal, afterMs, message }) => {
    // What it was when it ended counts, not what it has become while its last words came in.
    const was = phase;
    await Promise.race([Promise.all(drained), sleep(LAST_WORDS_MS)]);
    const facts = { exitCode, signal, afterMs, logTail: log.tail() };
    if (was === 'starting') {
      const said = message === undefined ? {} : { message };
      failedToStart.abort(new MeasurementFault({ kind: 'target-start-failed', ...facts, ...said }));
    }
    if (was === 'up') died.abort({ kind: 'target-died', ...facts });
  });
  return {
    failedToStart: failedToStart.signal,
    died: died.signal,
    async isUp() {
      if (group.ending !== undefined) {
        await told;
        throw failedToStart.signal.reason;
      }
      phase = 'up';
    },
    expectEnd() {
      phase = 'stopping';
    },
  };
}

/** @returns how long a process may take to end by itself, in milliseconds */
export function graceMs(signal: AbortSignal): number {
  return signal.aborted ? HURRIED_GRACE_MS : GRACE_MS;
}

/**
 * The port was free and now something answers. Makes sure that it is ours, where the OS tells.
 * @returns what is worth a note
 * @throws MeasurementFault `port-occupied` when it certainly is somebody else
 */
export async function assertOurs(port: number, group: ProcessGroup): Promise<string[]> {
  // Nearly always it is: looking at ours first spares a look at all that runs here.
  const ours = await group.members();
  if ((await ownersOf(port, ours)).some(({ pid }) => ours.includes(pid))) return [];
  let owners = await ownersOf(port);
  for (let attempt = 0; owners.length > 0; attempt++) {
    const members = await group.members();
    if (owners.some(({ pid }) => members.includes(pid))) return [];
    // It may have ended just now: then there is no stranger either, and its end is told elsewhere.
    if (attempt > 0) break;
    await sleep(LAST_WORDS_MS);
    owners = await ownersOf(port);
  }
  if (owners.length === 0 || group.ending !== undefined) return [];
  const owner = owners.map(describeOwner).join(', ');
  // Elsewhere a server that detached itself cannot be told from a stranger.
  if (process.platform !== 'linux') return [`Port ${port} is answered by ${owner}.`];
  throw new MeasurementFault({ kind: 'port-occupied', port, owner });
}

/** Waits until a stopped target's port is closed; a port that stays open is worth a warning, since nothing of ours runs any more. */
export async function untilClosed(port: number, ctx: TargetContext): Promise<void> {
  const until = performance.now() + CLOSES_WITHIN_MS;
  while ((await accepts(port, '127.0.0.1')) || (await accepts(port, '::1'))) {
    if (performance.now() > until) {
      const owner = (await ownersOf(port)).map(describeOwner).join(', ');
      const text = `Port ${port} is still open after the server was stopped${owner === '' ? '' : `: ${owner}`}.`;
      ctx.progress({ kind: 'warning', text, profile: ctx.profile.id });
      return;
    }
    await sleep(50);
  }
}
