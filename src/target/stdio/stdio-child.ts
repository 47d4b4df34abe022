import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptLog } from '../../shared/kept-log.ts';
import { type Ending, startGroup } from '../../shared/process-group.ts';
import { type Frame, lineCutter, readLine } from './frames.ts';

/** One running stdio server. */
export interface StdioChild {
  /** Sends one message: JSON text without newlines. */
  send(json: string): void;
  /** Closes its stdin, which asks it to end; then TERM, then KILL. */
  stop(graceMs: number): Promise<void>;
}

export interface ChildOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: KeptLog;
}

export interface ChildHooks {
  readonly onFrame: (frame: Frame) => void;
  readonly onBroken: (line: string, message: string) => void;
  /** It ended without having been asked to. */
  readonly onEnd: (ending: Ending) => void;
}

/** How long a server may take to end after its stdin was closed. */
const FAREWELL_MS = 500;
const LAST_WORDS_MS = 200;

export function startChild(options: ChildOptions, hooks: ChildHooks): StdioChild {
  const group = startGroup({
    run: { shell: options.command },
    cwd: options.cwd,
    env: options.env,
    stdin: 'pipe',
  });
  let stopping = false;
  const decoder = new TextDecoder();
  const cut = lineCutter((text) => {
    const line = readLine(text);
    if (line.kind === 'frame') hooks.onFrame(line.frame);
    if (line.kind === 'broken') hooks.onBroken(line.line, line.message);
  });
  group.stdout?.on('data', (chunk: Uint8Array) => cut(decoder.decode(chunk, { stream: true })));
  const stderr = options.log.source();
  group.stderr?.on('data', (chunk: Uint8Array) => stderr.write(chunk));
  // A pipe that breaks says nothing that the end of its process does not say better.
  for (const stream of [group.stdin, group.stdout, group.stderr]) stream?.on('error', () => undefined);
  void group.ended.then(async (ending) => {
    await sleep(LAST_WORDS_MS);
    stderr.end();
    if (!stopping) hooks.onEnd(ending);
  });
  return {
    send(json) {
      if (group.stdin?.writable) group.stdin.write(`${json}\n`);
    },
    async stop(graceMs) {
      stopping = true;
      group.stdin?.end();
      await Promise.race([group.ended, sleep(Math.min(FAREWELL_MS, graceMs))]);
      await group.stop(graceMs);
    },
  };
}
