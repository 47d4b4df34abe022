/** Signals that end the gate in an orderly way. On a runner: SIGINT, 7.5 s later SIGTERM, 2.5 s later a kill. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruptible extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Turns the first signal to this process into an aborted AbortSignal whose reason is the signal's name. The process then
 * has time to stop what it started and to write what it has; a second signal ends it at once.
 */
export function interruptible(): Interruptible {
  const controller = new AbortController();
  const handlers = SIGNALS.map((name) => {
    const handler = (): void => {
      if (controller.signal.aborted) process.exit(3);
      controller.abort(name);
    };
    process.on(name, handler);
    return [name, handler] as const;
  });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const [name, handler] of handlers) process.off(name, handler);
    },
  };
}
