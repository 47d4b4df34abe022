import { MeasurementFault } from '../shared/errors.ts';

/**
 * @param reason of an aborted signal: a MeasurementFault, the name of a signal to the gate, or the end of the run's time
 * @param runMs the run's time in milliseconds
 * @returns the fault that it stands for
 */
export function faultOf(reason: unknown, runMs: number): MeasurementFault {
  if (reason instanceof MeasurementFault) return reason;
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    return new MeasurementFault({ kind: 'profile-timeout', scope: 'run', timeoutMs: runMs, notRun: [] });
  }
  const signal = typeof reason === 'string' ? reason : 'abort';
  return new MeasurementFault({ kind: 'interrupted', signal }, { cause: reason });
}
