import { MeasurementFault } from '../shared/errors.ts';

/** A signal that stops the whole run, and the way to stop listening for its causes. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the signals that ask the gate to stop, and for the end of the whole run's time. A second signal changes nothing:
 * everything is being stopped already, within seconds.
 * @param runMs deadline of the whole run in milliseconds
 * @returns a signal whose reason is a MeasurementFault: `interrupted`, or `profile-timeout` of scope "run"
 */
export function stopSignal(runMs: number): StopSignal {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void =>
    controller.abort(new MeasurementFault({ kind: 'interrupted', signal }));
  const timer = setTimeout(
    () =>
      controller.abort(
        new MeasurementFault({ kind: 'profile-timeout', scope: 'run', timeoutMs: runMs, notRun: [] }),
      ),
    Math.min(runMs, LONGEST_TIMER_MS),
  );
  for (const name of SIGNALS) process.on(name, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const name of SIGNALS) process.off(name, interrupt);
    },
  };
}

/** setTimeout fires at once for anything longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @returns the fault that an aborted signal stands for */
export function faultOf(reason: unknown): MeasurementFault {
  if (reason instanceof MeasurementFault) return reason;
  return new MeasurementFault({ kind: 'interrupted', signal: 'abort' }, { cause: reason });
}
