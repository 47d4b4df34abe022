import type { Plan } from '../config/plan.ts';
import { type Finding, levelOf } from '../gate/finding.ts';
import type { CheckResult, Verdict } from '../gate/verdict.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { compareProfile, type ProfileTrial } from './compare-trial.ts';

/** What a run of the gate left: DESIGN.md section 5. */
export interface Measured {
  readonly verdict: Verdict;
  /** Every check of every profile, by profile id. */
  readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
  /** The report folder, absolute. */
  readonly folder: string;
}

/**
 * Runs a plan: the whole gate, into the plan's report folder.
 * @throws ConfigError when the referee cannot run these profiles at all
 */
export type Measure = (plan: Plan) => Promise<Measured>;

/** What the newer referee says about this target, beside what the pinned one says in the same job. */
export type Trial =
  /** The referee is not watched, did not move, or could not be looked at. */
  | { readonly kind: 'not-needed' }
  /** The caller asked for none, or named nothing to try it on. */
  | {
      readonly kind: 'not-tried';
      readonly candidate: string;
      readonly why: 'switched-off' | 'no-target';
    }
  | {
      readonly kind: 'not-measured';
      readonly candidate: string;
      readonly current: string;
      /** Which of the two could not be measured. */
      readonly which: 'current' | 'candidate';
      readonly findings: readonly Finding[];
      /** The candidate cannot run the gated profiles at all: adopting it needs another configuration. */
      readonly impossible?: { readonly message: string; readonly hint?: string };
    }
  | {
      readonly kind: 'measured';
      readonly candidate: string;
      readonly current: string;
      /** Report folder of the trial, absolute. */
      readonly folder: string;
      readonly profiles: readonly ProfileTrial[];
    };
export type MeasuredTrial = Extract<Trial, { kind: 'measured' }>;

export interface TrialOptions {
  readonly candidate: string;
  /** The plan with the candidate in its pin's place and a report folder of its own. */
  readonly plan: Plan;
  /** The current pin's run of the same job. */
  readonly current: () => Promise<Measured>;
  readonly currentPin: string;
  /** Makes the candidate installable: resolves and locks its tree. */
  readonly prepare: (plan: Plan) => Promise<Plan>;
  readonly measure: Measure;
}

/**
 * Runs the candidate on the same profiles and the same target, and compares it with the pinned referee's run. What
 * could not be measured is said to be so; it is never taken for "nothing changes".
 */
export async function runTrial(options: TrialOptions): Promise<Trial> {
  const { candidate, currentPin } = options;
  const base = { kind: 'not-measured' as const, candidate, current: currentPin };
  const before = await attempt(options.current);
  if (!before.ok) return { ...base, which: 'current', ...before.why };
  // With nothing to compare with, a run of the candidate would tell nothing.
  if (before.value.verdict.profiles.every(({ outcome }) => outcome === 'inconclusive'))
    return { ...base, which: 'current', findings: notMeasured(before.value.verdict.findings) };
  const after = await attempt(async () => options.measure(await options.prepare(options.plan)));
  if (!after.ok) return { ...base, which: 'candidate', ...after.why };
  if (after.value.verdict.profiles.length === 0)
    return { ...base, which: 'candidate', findings: notMeasured(after.value.verdict.findings) };
  return {
    kind: 'measured',
    candidate,
    current: currentPin,
    folder: after.value.folder,
    profiles: options.plan.profiles.map(({ profile }) =>
      compareProfile(profile.id, before.value, after.value),
    ),
  };
}

function notMeasured(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ kind }) => levelOf(kind) === 'inconclusive');
}

type Attempt =
  | { readonly ok: true; readonly value: Measured }
  | {
      readonly ok: false;
      readonly why: { findings: readonly Finding[]; impossible?: { message: string; hint?: string } };
    };

async function attempt(run: () => Promise<Measured>): Promise<Attempt> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (error instanceof MeasurementFault && error.finding.kind !== 'interrupted')
      return { ok: false, why: { findings: [error.finding] } };
    if (error instanceof ConfigError)
      return {
        ok: false,
        why: {
          findings: [],
          impossible: {
            message: error.message,
            ...(error.hint === undefined ? {} : { hint: error.hint }),
          },
        },
      };
    throw error;
  }
}
