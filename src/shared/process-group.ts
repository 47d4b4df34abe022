import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { descendantsOf, processesWithEnvironment, processRow, processTable } from './process-table.ts';
import { reapLater } from './reaper.ts';

/** How a process ended. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Milliseconds after its start. */
  readonly afterMs: number;
  /** Set when it could not be started at all. */
  readonly message?: string;
}

/** A process that leads a group of its own, so that everything which it starts can be ended with it. */
export interface ProcessGroup {
  /** Of the leader, and of the group. */
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Resolves when the leader ends; children may outlive it. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Undefined while the leader runs. */
  readonly ending: Ending | undefined;
  /** Everything that descends from it, in the group or not, as far as the OS tells. */
  members(): Promise<number[]>;
  /** Ends the group and what slipped out of it: TERM, grace, KILL. Resolves when nothing of it runs. Never throws. */
  stop(graceMs: number): Promise<void>;
}

export interface GroupOptions {
  /** A shell command line, or a file with its arguments. */
  readonly run: { readonly shell: string } | { readonly file: string; readonly args: readonly string[] };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: 'ignore' | 'pipe';
}

/** Inherited by everything that a group starts; this is how what left the group is told from what is not ours. */
const MARK = 'MCP_CONFORMANCE_GATE_GROUP';
const KILL_WAIT_MS = 2_000;
/** Looking at every process costs more than asking after one, so it is done soon only the first time, then ever less often. */
const FIRST_ZOMBIE_LOOK_MS = 15;
const SELDOM_ZOMBIE_LOOK_MS = 200;

/**
 * Starts a process in a group of its own. POSIX only; the caller has checked.
 * @returns at once; a process that cannot be started shows as `ended` with a `message`
 */
export function startGroup(options: GroupOptions): ProcessGroup {
  const mark = randomUUID();
  const startedAt = performance.now();
  const common = {
    cwd: options.cwd,
    env: { ...options.env, [MARK]: mark },
    extendEnv: false,
    // A group of its own. execa cannot clean those up when we die; the reaper does.
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    stdin: options.stdin ?? 'ignore',
  } as const;
  const child =
    'shell' in options.run
      ? execa('/bin/sh', ['-c', options.run.shell], common)
      : execa(options.run.file, options.run.args, common);

  let ending: Ending | undefined;
  const ended = new Promise<Ending>((resolve) => {
    const settle = (how: Omit<Ending, 'afterMs'>): void => {
      ending ??= { ...how, afterMs: Math.round(performance.now() - startedAt) };
      resolve(ending);
    };
    // `exit`, not execa's own end: that one waits for the pipes, which a grandchild may hold for ever.
    child.nodeChildProcess.once('exit', (exitCode, signal) => settle({ exitCode, signal }));
    void child.then((result) => {
      if (result.exitCode === undefined && result.signal === undefined) {
        settle({
          exitCode: null,
          signal: null,
          message: String(result.originalMessage ?? result.shortMessage),
        });
      }
    });
  });
  const pid = child.pid ?? 0;
  const since = pid === 0 ? undefined : processRow(pid)?.startedAt;
  const reaped = pid === 0 ? () => undefined : reapLater(pid);
  const look = () => census(pid, mark, since);

  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    get ending() {
      return ending;
    },
    members: async () => all(await look()),
    async stop(graceMs) {
      if (pid === 0) return;
      let found = await look();
      if (all(found).length > 0) {
        signalAll(pid, found, 'SIGTERM');
        if (!(await goneWithin(pid, found, graceMs))) {
          found = await look();
          signalAll(pid, found, 'SIGKILL');
          await goneWithin(pid, found, KILL_WAIT_MS);
        }
        // Whoever started in the last moment, or left the group while it was being ended.
        found = await look();
        if (all(found).length > 0) {
          signalAll(pid, found, 'SIGKILL');
          await goneWithin(pid, found, KILL_WAIT_MS);
        }
      }
      reaped();
      // Pipes that a stranger inherited must not keep this process alive.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.stdin?.destroy();
    },
  };
}

/** What runs of what we started, directly or not. */
interface Census {
  readonly inGroup: readonly number[];
  /** Left the group. */
  readonly strays: readonly number[];
}

const all = ({ inGroup, strays }: Census): number[] => [...inGroup, ...strays];

/**
 * By group, by descent, and by the mark in the environment: each alone misses some.
 * @param since when the leader was started, where it is known: what runs longer cannot have inherited its mark
 */
async function census(group: number, mark: string, since = 0): Promise<Census> {
  const table = await processTable();
  const inGroup = table.filter((row) => row.group === group).map((row) => row.pid);
  const others = table.filter((row) => row.group !== group && (row.startedAt ?? since) >= since);
  const marked = await processesWithEnvironment(`${MARK}=${mark}`, others);
  const running = new Set(table.map((row) => row.pid));
  const found = [...descendantsOf(group, table).map((row) => row.pid), ...marked];
  const strays = [...new Set(found)].filter(
    (pid) => running.has(pid) && !inGroup.includes(pid) && pid !== process.pid,
  );
  return { inGroup, strays };
}

/** Only what was just seen: the number of a group that is empty may belong to somebody else by now. */
function signalAll(group: number, { inGroup, strays }: Census, signal: NodeJS.Signals): void {
  for (const id of [...(inGroup.length > 0 ? [-group] : []), ...strays]) {
    try {
      process.kill(id, signal);
    } catch {
      // Gone already.
    }
  }
}

async function goneWithin(group: number, { strays }: Census, ms: number): Promise<boolean> {
  const started = performance.now();
  let lookAgain = FIRST_ZOMBIE_LOOK_MS;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (!exists(-group) && !strays.some(exists)) return true;
    const elapsed = performance.now() - started;
    // A zombie still answers to signal 0, and where nobody reaps orphans it does so for ever.
    if (elapsed >= lookAgain || elapsed >= ms) {
      lookAgain = elapsed + Math.min(elapsed, SELDOM_ZOMBIE_LOOK_MS);
      const table = await processTable();
      if (!table.some((row) => row.group === group || strays.includes(row.pid))) return true;
    }
    if (elapsed >= ms) return false;
    await sleep(pause);
  }
}

function exists(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
