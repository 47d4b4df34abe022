import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Baseline } from '../baseline/baseline.ts';
import { baselineFile } from '../baseline/load.ts';
import type { Plan, ProfilePlan } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import { type Judgement, unexpectedScenarios } from '../gate/judge.ts';
import type { Referee } from '../referee/referee.ts';
import type { ProfileScenarios } from '../referee/scenarios.ts';
import { profileFolder, writeJson } from '../report-folder.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { type RunContext, runTogether } from '../run/run-profile.ts';
import { groupProfiles } from '../run/share.ts';
import { judgeFolder } from './judge-folder.ts';
import { lanesOf } from './lanes.ts';
import type { GateIo } from './run-gate.ts';
import { startingTurns } from './starting-turns.ts';

/** Every profile judged, in the plan's order; or the finding why none could be measured. */
export interface Measured {
  readonly judged: readonly Judgement[];
  readonly setupFindings: readonly Finding[];
}

/** A referee, and what each profile of the plan contains in its words, by the profile's id. */
export interface ReadyReferee {
  readonly referee: Referee;
  readonly scenarios: ReadonlyMap<string, ProfileScenarios>;
}

/**
 * Runs every profile of the plan, side by side where they may, and judges each.
 * @param ready or the finding that says why nothing can be measured
 */
export async function measureProfiles(
  ready: ReadyReferee | Finding,
  plan: Plan,
  baselines: ReadonlyMap<string, Baseline | undefined>,
  source: RunMetadata['source'],
  io: GateIo,
): Promise<Measured> {
  if ('kind' in ready) return { judged: [], setupFindings: [ready] };
  const lanes = lanesOf(plan);
  const turns = startingTurns();
  const groups = await Promise.all(
    groupProfiles(plan.profiles).map((group) => {
      const turn = turns();
      return lanes(group)(async () => {
        await turn.comes();
        const context = { ...ready, plan, baselines, source, io, targetReady: turn.over };
        return measureGroup(group, context).finally(turn.over);
      });
    }),
  );
  const byProfile = new Map(groups.flat().map((judged) => [judged.verdict.profile, judged]));
  const judged = plan.profiles.flatMap(({ profile }) => byProfile.get(profile.id) ?? []);
  return { judged, setupFindings: [] };
}

interface ProfileContext extends ReadyReferee {
  readonly plan: Plan;
  readonly baselines: ReadonlyMap<string, Baseline | undefined>;
  readonly source: RunMetadata['source'];
  readonly io: GateIo;
  readonly targetReady: () => void;
}

/** Measures and judges the profiles that share one run of the referee. */
async function measureGroup(group: readonly ProfilePlan[], context: ProfileContext): Promise<Judgement[]> {
  const parts = await Promise.all(group.map((job) => partOf(job, context)));
  const runs = await runTogether(parts.map(({ job, ctx }) => ({ job, ctx })));
  return Promise.all(
    parts.map(async ({ ctx, judge }, index) => {
      const metadata = runs[index];
      if (!metadata) throw new TypeError('each profile of a group has its own metadata');
      const judged = await judge(metadata);
      await writeJson(join(ctx.folder, 'checks.json'), judged.checks);
      return judged;
    }),
  );
}

interface PreparedPart {
  readonly job: ProfilePlan;
  readonly ctx: RunContext;
  readonly judge: (metadata: RunMetadata) => Promise<Judgement>;
}

function scenariosFor({ scenarios }: ReadyReferee, profile: string): ProfileScenarios {
  const found = scenarios.get(profile);
  if (!found) throw new TypeError(`nobody asked the referee what ${profile} contains`);
  return found;
}

async function partOf(job: ProfilePlan, context: ProfileContext): Promise<PreparedPart> {
  const { plan, referee, io } = context;
  const { profile } = job;
  const folder = profileFolder(plan.output, profile.slug);
  await mkdir(folder, { recursive: true });
  const { list, requirements } = scenariosFor(context, profile.id);
  const baseline = context.baselines.get(profile.id);
  const judge = (metadata: RunMetadata): Promise<Judgement> =>
    judgeFolder({
      profile,
      folder,
      metadata,
      baseline,
      baselineFile: relative(io.cwd, baselineFile(plan.baselines, profile)),
      today: io.now().toISOString().slice(0, 10),
      strictInfrastructure: plan.strictInfrastructure,
    });
  const ctx: RunContext = {
    referee,
    scenarios: list,
    ...(requirements === undefined ? {} : { requirements }),
    folder,
    plan,
    source: context.source,
    progress: io.progress,
    signal: io.signal,
    targetReady: context.targetReady,
    // Without a baseline everything is new, so there is no expectation that a re-run could confirm or refute.
    ...(baseline === undefined
      ? {}
      : { unexpected: async (soFar) => unexpectedScenarios(await judge(soFar)) }),
  };
  return { job, ctx, judge };
}
