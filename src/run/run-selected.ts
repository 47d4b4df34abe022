import { join } from 'node:path';
import { keepLog } from '../shared/kept-log.ts';
import type { Redactor } from '../shared/redact.ts';
import { type Part, rawOf } from './part.ts';
import { openRawFolder } from './raw-folder.ts';
import { scenariosWithReport } from './report-folders.ts';
import { type AloneOptions, runEachAlone } from './run-alone.ts';
import { scenarioTimeout } from './run-whole.ts';

/**
 * Runs scenarios of a profile each in a process of its own: clients always, servers when only some were asked for.
 * Runs, clients and faults go into the record, after each scenario.
 * @param stop ends everything early; the caller records why
 */
export async function runSelected(
  part: Part,
  scenarios: readonly string[],
  how: Pick<AloneOptions, 'target' | 'cwd' | 'env'> & { readonly atOnce: number },
  redactor: Redactor,
  stop: AbortSignal,
): Promise<void> {
  const { ctx, job, record } = part;
  const { draft } = record;
  const raw = await openRawFolder(rawOf(part), job.profile.leg, redactor);
  const log = keepLog(join(ctx.folder, 'referee.log'), redactor);
  const started = performance.now();
  const crashed: {
    scenario: string;
    timedOut: boolean;
    logTail: string[];
    exitCode: number | null;
    signal: string | null;
  }[] = [];
  try {
    await runEachAlone({ ...how, part, raw, log, stop }, scenarios, how.atOnce, (result, scenario) => {
      if (result.skipped) return;
      draft.runs = [...draft.runs, result.run];
      if (result.client) draft.clients = [...(draft.clients ?? []), result.client];
      const { exitCode, signal, timedOut } = result.run;
      if (!stop.aborted && exitCode !== 0 && exitCode !== 1) {
        crashed.push({ scenario, timedOut, logTail: result.logTail, exitCode, signal });
      }
    });
  } finally {
    record.took('referee', started);
    log.close();
    await raw.finish();
  }
  if (stop.aborted) return;
  const reported = await scenariosWithReport(rawOf(part), job.profile.leg);
  for (const { scenario, timedOut, logTail, exitCode, signal } of crashed) {
    if (timedOut && !reported.has(scenario)) {
      record.fault(scenarioTimeout(scenario, ctx.plan.deadlines.scenarioMs));
    } else if (!timedOut) {
      record.fault({ kind: 'referee-crashed', exitCode, signal, logTail, notRun: [scenario] });
    }
  }
}
