import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keepLog } from '../shared/kept-log.ts';
import type { Redactor } from '../shared/redact.ts';
import { redactFields } from '../shared/redact-fields.ts';
import type { Rerun } from './metadata.ts';
import type { Part } from './part.ts';
import { openRawFolder } from './raw-folder.ts';
import { type AloneOptions, runAlone } from './run-alone.ts';

/**
 * Runs each unexpected scenario again alone, as often as the plan says, while the target still runs. Each re-run has a
 * folder of its own.
 */
export async function confirmAlone(
  part: Part,
  redactor: Redactor,
  stop: AbortSignal,
  how: Pick<AloneOptions, 'target' | 'cwd' | 'env'>,
): Promise<void> {
  const { ctx, record, job } = part;
  if (ctx.unexpected === undefined || ctx.plan.confirm <= 0 || stop.aborted) return;
  const scenarios = await ctx.unexpected(redactFields(record.draft, redactor));
  const started = performance.now();
  let missed = 0;
  for (let round = 1; round <= ctx.plan.confirm; round++) {
    for (const [index, scenario] of scenarios.entries()) {
      if (stop.aborted) {
        missed += 1;
        continue;
      }
      const text = `Running ${scenario} again alone (${index + 1} of ${scenarios.length})`;
      ctx.progress({ kind: 'step', text, profile: job.profile.id });
      const folder = `reruns/${round}/${scenario.replaceAll('/', '-')}`;
      const kept = join(ctx.folder, folder);
      await mkdir(kept, { recursive: true });
      const raw = await openRawFolder(join(kept, 'raw'), job.profile.leg, redactor);
      const log = keepLog(join(kept, 'referee.log'), redactor);
      const from = new Date().toISOString();
      try {
        const { run, skipped } = await runAlone({ ...how, part, raw, log, stop }, scenario);
        if (skipped || stop.aborted) {
          missed += 1;
          continue;
        }
        const window = { from, to: new Date().toISOString() };
        const { behind } = record.draft.target;
        const at = {
          url: 'url' in how.target ? how.target.url : '',
          ...(behind === undefined ? {} : { behind }),
        };
        const rerun: Rerun = { scenario, folder, purpose: 'confirm', run, ...at, window };
        record.draft.reruns = [...record.draft.reruns, rerun];
      } finally {
        log.close();
        await raw.finish();
      }
      await record.keep();
    }
  }
  if (missed > 0) {
    const note = `${missed} re-runs of unexpected scenarios were not made: the run was stopped before.`;
    record.draft.target = { ...record.draft.target, notes: [...record.draft.target.notes, note] };
  }
  if (scenarios.length > 0) record.took('confirm', started);
}
