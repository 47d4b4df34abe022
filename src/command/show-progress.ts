import { escapeControls } from '../shared/escape-controls.ts';
import { escapeLog } from '../shared/escape-log.ts';
import type { Progress, ProgressEvent } from '../shared/progress.ts';

/** How progress is shown: a redrawn line on a terminal, one line an event elsewhere, grouped on a runner. */
export type ProgressStyle = 'terminal' | 'lines' | 'runner';

export interface ShownProgress extends Disposable {
  readonly progress: Progress;
}

/** On a terminal the line is redrawn this often, in milliseconds. */
const REDRAW_MS = 200;
/** In a log a profile's scenarios are told at most this often, in milliseconds: the referee's own log has each. */
const SCENARIO_MS = 1_000;
/** In a log something is said at least this often, in milliseconds, so that nobody takes silence for a hang. */
const HEARTBEAT_MS = 5_000;

/**
 * Shows what the stations tell while they work.
 * @param stream stderr, or stdout on a runner (which reads commands from both)
 * @returns the listener; dispose it before anything else is printed
 */
export function showProgress(
  style: ProgressStyle,
  stream: NodeJS.WriteStream,
  now: () => number = Date.now,
): ShownProgress {
  return style === 'terminal' ? onTerminal(stream, now) : inLog(stream, style === 'runner', now);
}

/** `#7 of 33`, `server:2025-11-25`, seconds: what is said of a running scenario. */
function describe(event: ProgressEvent): string {
  const profile = event.profile === undefined ? '' : `${event.profile}  `;
  if (event.kind !== 'scenario') return `${profile}${event.text}`;
  return `${profile}${event.n}/${event.of}  ${event.scenario}  ${seconds(event.elapsedMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function onTerminal(stream: NodeJS.WriteStream, now: () => number): ShownProgress {
  const running = new Map<string, { event: ProgressEvent; at: number }>();
  const clear = (): void => {
    stream.write('\r\x1b[2K');
  };
  const draw = (): void => {
    const parts = [...running.values()].map(({ event, at }) =>
      event.kind === 'scenario'
        ? describe({ ...event, elapsedMs: event.elapsedMs + now() - at })
        : `${describe(event)}  ${seconds(now() - at)}`,
    );
    const line = escapeControls(parts.join('   ')).slice(0, Math.max(20, (stream.columns ?? 80) - 1));
    stream.write(`\r\x1b[2K${line}`);
  };
  const timer = setInterval(draw, REDRAW_MS).unref();
  return {
    progress: (event) => {
      if (event.kind === 'notice' || event.kind === 'warning') {
        clear();
        stream.write(`${event.kind}: ${escapeControls(describe(event))}\n`);
        return;
      }
      // A step without a profile is over when the profiles begin.
      if (event.profile !== undefined) running.delete('');
      running.set(event.profile ?? '', { event, at: now() });
      draw();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear();
    },
  };
}

function inLog(stream: NodeJS.WriteStream, runner: boolean, now: () => number): ShownProgress {
  let last = now();
  let latest = 'Starting';
  const told = new Map<string, number>();
  const write = (line: string): void => {
    last = now();
    stream.write(`${runner ? escapeLog(line) : escapeControls(line)}\n`);
  };
  if (runner) stream.write('::group::Measuring\n');
  const timer = setInterval(() => {
    if (now() - last >= HEARTBEAT_MS) write(`… still at: ${latest}`);
  }, 1_000).unref();
  return {
    progress: (event) => {
      const line = describe(event);
      latest = line;
      if (event.kind === 'scenario') {
        const often = now() - (told.get(event.profile) ?? Number.NEGATIVE_INFINITY) < SCENARIO_MS;
        if (often && event.n < event.of) return;
        told.set(event.profile, now());
      }
      write(event.kind === 'warning' || event.kind === 'notice' ? `${event.kind}: ${line}` : line);
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      if (runner) stream.write('::endgroup::\n');
    },
  };
}
