import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Baseline } from '../baseline/baseline.ts';
import { baselineFile, loadBaseline } from '../baseline/load.ts';
import type { Plan, ProfilePlan } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import { combine, type Judgement, unexpectedScenarios } from '../gate/judge.ts';
import type { Publication } from '../publish/publication.ts';
import { writePublication } from '../publish/write.ts';
import { preflight } from '../referee/preflight.ts';
import { prepareReferee } from '../referee/prepare.ts';
import type { Referee } from '../referee/referee.ts';
import { scenariosOf } from '../referee/scenarios.ts';
import { assertReportFolder, prepareReportFolder, profileFolder, writeJson } from '../report-folder.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { runProfile } from '../run/run-profile.ts';
import { MeasurementFault } from '../shared/errors.ts';
import type { Progress } from '../shared/progress.ts';
import { version } from '../shared/version.ts';
import { judgeFolder } from './judge-folder.ts';
import { sourceOf } from './source.ts';

/** The effects that the line needs from outside. */
export interface GateIo {
  readonly progress: Progress;
  /** Aborts on a signal to the gate: everything that runs is stopped and what there is, is kept. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => Date;
}

/**
 * The straight line: referee → target → run → reports → evidence → gate → publish. Leaves the report folder.
 * @param commands command lines for people, shown in the summary
 * @returns the verdict with everything that publishing needs
 * @throws ConfigError for the user's mistakes, before anything is started
 */
export async function runGate(
  plan: Plan,
  io: GateIo,
  commands?: NonNullable<Publication['commands']>,
): Promise<Publication> {
  const startedAt = io.now();
  const deadline = AbortSignal.any([io.signal, AbortSignal.timeout(plan.deadlines.runMs)]);
  const line: GateIo = { ...io, signal: deadline };
  // Everything that can turn out to be the user's mistake comes before the earlier report is given up.
  const baselines = await loadBaselines(plan);
  await assertReportFolder(plan.output);
  const referee = await refereeFor(plan, line);
  await prepareReportFolder(plan.output);

  const source = await sourceOf(io.cwd, io.environment);
  const measured = await measure(referee, plan, baselines, source, line);

  const finishedAt = io.now();
  const verdict = combine({
    profiles: measured.judged,
    setupFindings: [...measured.setupFindings, ...interruption(deadline, io.signal, plan)],
    ...(plan.name === undefined ? {} : { name: plan.name }),
    source,
    timing: {
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      tookMs: finishedAt.getTime() - startedAt.getTime(),
    },
    version,
  });
  const publication: Publication = {
    verdict,
    checks: Object.fromEntries(measured.judged.map((result) => [result.verdict.profile, result.checks])),
    ...(commands ? { commands } : {}),
  };
  await writeJson(join(plan.output, 'verdict.json'), verdict);
  for (const text of await writePublication(plan.output, publication)) io.progress({ kind: 'warning', text });
  return publication;
}

/** Every baseline of the plan, by profile. A profile without one is judged against nothing. */
export async function loadBaselines(plan: Plan): Promise<ReadonlyMap<string, Baseline | undefined>> {
  const entries = await Promise.all(
    plan.profiles.map(async ({ profile }) => {
      return [profile.id, await loadBaseline(baselineFile(plan.baselines, profile), profile)] as const;
    }),
  );
  return new Map(entries);
}

interface Measured {
  readonly judged: readonly Judgement[];
  readonly setupFindings: readonly Finding[];
}

/** The referee, able to run every profile of the plan; or the finding that says why there is none. */
async function refereeFor(plan: Plan, io: GateIo): Promise<Referee | Finding> {
  try {
    const referee = await prepareReferee(plan.referee, io);
    preflight(
      referee,
      plan.profiles.map(({ profile }) => profile),
    );
    return referee;
  } catch (error) {
    if (error instanceof MeasurementFault) return error.finding;
    throw error;
  }
}

async function measure(
  referee: Referee | Finding,
  plan: Plan,
  baselines: ReadonlyMap<string, Baseline | undefined>,
  source: RunMetadata['source'],
  io: GateIo,
): Promise<Measured> {
  if ('kind' in referee) return { judged: [], setupFindings: [referee] };
  const lanes = lanesOf(plan);
  const judged = await Promise.all(
    plan.profiles.map((job) =>
      lanes(job)(() => measureProfile(job, { plan, referee, baselines, source, io })),
    ),
  );
  return { judged, setupFindings: [] };
}

interface ProfileContext {
  readonly plan: Plan;
  readonly referee: Referee;
  readonly baselines: ReadonlyMap<string, Baseline | undefined>;
  readonly source: RunMetadata['source'];
  readonly io: GateIo;
}

async function measureProfile(job: ProfilePlan, context: ProfileContext): Promise<Judgement> {
  const { plan, referee, io } = context;
  const { profile } = job;
  const folder = profileFolder(plan.output, profile.slug);
  await mkdir(folder, { recursive: true });
  const { list, requirements } = await scenariosOf(referee, profile, plan.only);
  const baseline = context.baselines.get(profile.id);
  // Relative, so that findings and annotations point into the repository on any machine.
  const file = relative(io.cwd, baselineFile(plan.baselines, profile));
  const judge = (metadata: RunMetadata): Promise<Judgement> =>
    judgeFolder({
      profile,
      folder,
      metadata,
      baseline,
      baselineFile: file,
      today: io.now().toISOString().slice(0, 10),
      strictInfrastructure: plan.strictInfrastructure,
    });
  const metadata = await runProfile(job, {
    referee,
    scenarios: list,
    ...(requirements === undefined ? {} : { requirements }),
    folder,
    plan,
    source: context.source,
    progress: io.progress,
    signal: io.signal,
    // Without a baseline everything is new, so there is no expectation that a re-run could confirm or refute.
    ...(baseline === undefined
      ? {}
      : { unexpected: async (soFar) => unexpectedScenarios(await judge(soFar)) }),
  });
  const result = await judge(metadata);
  await writeJson(join(folder, 'checks.json'), result.checks);
  return result;
}

/**
 * Who may run beside whom: started targets side by side up to `jobs`; profiles that share a server, a fixed port or a file
 * one after the other; client profiles alone, because each already starts `jobs` clients at once.
 */
function lanesOf(plan: Plan): (job: ProfilePlan) => LimitFunction {
  const all = pLimit(plan.jobs);
  const lanes = new Map<string, LimitFunction>();
  return (job) => {
    const key = sharedBy(job);
    if (key === undefined) return all;
    const lane = lanes.get(key) ?? pLimit(1);
    lanes.set(key, lane);
    return ((run: () => Promise<unknown>) => lane(() => all(run))) as LimitFunction;
  };
}

function sharedBy({ target }: ProfilePlan): string | undefined {
  switch (target.kind) {
    case 'stdio':
      return undefined;
    case 'client':
      return 'clients';
    case 'url':
      return target.url;
    case 'command': {
      if (target.url.from === 'template' && target.url.template.includes('{port}')) return undefined;
      return target.url.from === 'file' ? target.url.path : target.command;
    }
  }
}

function interruption(deadline: AbortSignal, signal: AbortSignal, plan: Plan): Finding[] {
  if (!deadline.aborted) return [];
  const name = signal.aborted ? String(signal.reason) : `--run-timeout (${plan.deadlines.runMs / 1000} s)`;
  return [{ kind: 'interrupted', signal: name }];
}
