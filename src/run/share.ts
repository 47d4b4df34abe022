import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProfilePlan } from '../config/plan.ts';
import { redactor } from '../shared/redact.ts';
import { allScenarios, type Part, rawOf } from './part.ts';
import { copyReports } from './raw-folder.ts';

/**
 * Extension profiles score what the required profile of the same revision runs anyway: they can share its referee run when
 * both are gated and the same target is under test.
 * @returns the profiles in groups, each to be run with one call of runTogether, the one that really runs first
 */
export function groupProfiles(profiles: readonly ProfilePlan[]): ProfilePlan[][] {
  const groups: ProfilePlan[][] = [];
  const isExtension = ({ profile }: ProfilePlan): boolean => profile.kind.endsWith('-extensions');
  for (const plan of profiles.filter((each) => !isExtension(each))) groups.push([plan]);
  for (const plan of profiles.filter(isExtension)) {
    const base = groups.find(
      ([first]) =>
        first?.profile.kind === plan.profile.leg &&
        first.profile.revision === plan.profile.revision &&
        isDeepStrictEqual(first.target, plan.target),
    );
    if (base) base.push(plan);
    else groups.push([plan]);
  }
  return groups;
}

/** Gives an extension profile its reports out of the run of the required one. They are redacted already. */
export async function shareReports(from: Part, to: Part): Promise<void> {
  const own = new Set(allScenarios(to));
  await copyReports(rawOf(from), rawOf(to), to.job.profile.leg, redactor([]), (scenario) =>
    own.has(scenario),
  );
  shareFacts(from, to);
}

/** Gives it what else is known about the run. */
export function shareFacts(from: Part, to: Part): void {
  const own = new Set(allScenarios(to));
  const { runs, target, probes, window, clients, durations, faults } = from.record.draft;
  const { draft } = to.record;
  draft.runs = runs.filter(({ scenario }) => scenario === undefined || own.has(scenario));
  draft.target = { ...target, notes: [...new Set([...target.notes, ...draft.target.notes])] };
  draft.probes = probes;
  draft.window = window;
  draft.durations = { ...durations, ...draft.durations };
  if (clients) draft.clients = clients.filter(({ scenario }) => own.has(scenario));
  draft.faults = [];
  for (const fault of faults) {
    if ('scenario' in fault && !own.has(fault.scenario ?? '')) continue;
    const notRun = fault.notRun?.filter((scenario) => own.has(scenario));
    to.record.fault(notRun === undefined ? fault : { ...fault, notRun });
  }
}

/** Copies the logs, which are complete only when everything has ended. */
export async function shareLogs(from: Part, to: Part): Promise<void> {
  for (const log of ['referee.log', 'target.log']) {
    await copyFile(join(from.ctx.folder, log), join(to.ctx.folder, log)).catch(() => undefined);
  }
}
