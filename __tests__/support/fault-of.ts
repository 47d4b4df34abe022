import { ConfigError, MeasurementFault } from '../../src/shared/errors.ts';

/** What a promise was rejected with; anything but a MeasurementFault fails the test. */
export async function faultOf(promise: Promise<unknown>): Promise<MeasurementFault> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MeasurementFault) return error;
  if (error instanceof ConfigError) throw new Error(`${error.message} ${error.hint}`);
  throw error ?? new Error('it went well');
}
