import { judgeFolder } from '../../src/command/judge-folder.ts';
import { combine, type Judgement } from '../../src/gate/judge.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { aProfile } from './a-referee.ts';
import type { Ran } from './a-run.ts';

/** Judges what a run left on disk, without a baseline. */
export async function judgeRun({
  metadata,
  folder,
}: Ran): Promise<Judgement & { outcome: Verdict['outcome'] }> {
  const judgement = await judgeFolder({
    profile: aProfile(metadata.profile),
    folder,
    metadata,
    baseline: undefined,
    baselineFile: 'baseline.yaml',
    today: '2026-11-30',
    strictInfrastructure: false,
  });
  const at = metadata.window.from;
  const verdict = combine({
    profiles: [judgement],
    setupFindings: [],
    source: {},
    timing: { startedAt: at, finishedAt: at, tookMs: 0 },
    version: '0',
  });
  return { ...judgement, outcome: verdict.outcome };
}
