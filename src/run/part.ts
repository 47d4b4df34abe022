import { join } from 'node:path';
import type { ProfilePlan } from '../config/plan.ts';
import { MeasurementFault } from '../shared/errors.ts';
import type { Record } from './record.ts';
import type { RunContext } from './run-profile.ts';

/** One profile of a run: what was asked, with what, and what is known. */
export interface Part {
  readonly job: ProfilePlan;
  readonly ctx: RunContext;
  readonly record: Record;
}

/** @returns the folder that keeps a profile's raw reports */
export function rawOf(part: Part): string {
  return join(part.ctx.folder, 'raw');
}

/** @returns every scenario of the profile, in the referee's order */
export function allScenarios({ ctx }: Part): string[] {
  const { scored, notScored, only } = ctx.scenarios;
  const all = [...scored, ...notScored.map(({ scenario }) => scenario)];
  return only === undefined ? all : all.filter((scenario) => only.includes(scenario));
}

/** The time that a profile's referee may take, as a signal. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @returns a signal that aborts with a MeasurementFault `profile-timeout` after `ms` milliseconds */
export function profileDeadline(ms: number): Deadline {
  const controller = new AbortController();
  const strike = (): void =>
    controller.abort(new MeasurementFault({ kind: 'profile-timeout', timeoutMs: ms, notRun: [] }));
  const timer = setTimeout(strike, Math.min(ms, LONGEST_TIMER_MS));
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
