import { join } from 'node:path';
import type { Baseline } from '../baseline/baseline.ts';
import { baselineFile, loadBaseline } from '../baseline/load.ts';
import type { Plan } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import { combine } from '../gate/judge.ts';
import type { Publication } from '../publish/publication.ts';
import { preflight } from '../referee/preflight.ts';
import { prepareReferee } from '../referee/prepare.ts';
import { type ProfileScenarios, scenariosOf } from '../referee/scenarios.ts';
import { assertReportFolder, prepareReportFolder, writeJson } from '../report-folder.ts';
import { faultOf } from '../run/stop-fault.ts';
import { MeasurementFault } from '../shared/errors.ts';
import type { Progress } from '../shared/progress.ts';
import { redactor } from '../shared/redact.ts';
import { redactFields } from '../shared/redact-fields.ts';
import { version } from '../shared/version.ts';
import { type Measured, measureProfiles, type ReadyReferee } from './measure-profiles.ts';
import { sourceOf } from './source.ts';

/** The effects that the line needs from outside. */
export interface GateIo {
  readonly progress: Progress;
  /** Aborts on a signal to the gate: everything that runs is stopped and what there is, is kept. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => Date;
  /** Called when the report folder is this run's own: whatever lies in it from then on is this run's evidence. */
  readonly reportFolderReady?: () => void;
}

/**
 * The straight line: referee → target → run → reports → evidence → gate → publish. Leaves the report folder.
 * @param commands command lines for people, shown in the summary
 * @param enrich adds what the outputs show besides the verdict, such as a comparison; it cannot change the verdict, which
 *   is on disk by then
 * @returns the verdict with everything that publishing needs
 * @throws ConfigError for the user's mistakes, before anything is started
 */
export async function runGate(
  plan: Plan,
  io: GateIo,
  commands?: NonNullable<Publication['commands']>,
  enrich: (p: Publication) => Promise<Publication> = async (p) => p,
): Promise<Publication> {
  const startedAt = io.now();
  const deadline = AbortSignal.any([io.signal, AbortSignal.timeout(plan.deadlines.runMs)]);
  const line: GateIo = { ...io, signal: deadline };
  const asked = sourceOf(io.cwd, io.environment);
  // Everything that can turn out to be the user's mistake comes before the earlier report is given up.
  const baselines = await loadBaselines(plan);
  await assertReportFolder(plan.output);
  const ready = await readyReferee(plan, line);
  await prepareReportFolder(plan.output);
  io.reportFolderReady?.();

  const source = await asked;
  let loading = false;
  const measured = await measureProfiles(ready, plan, baselines, source, {
    ...line,
    progress(event) {
      // What publishing needs is read and compiled while the referee runs: earlier it would keep the referee waiting.
      if (event.kind === 'scenario' && !loading) {
        loading = true;
        import('../publish/write.ts').catch(() => undefined);
      }
      io.progress(event);
    },
  });

  const finishedAt = io.now();
  // What the run kept is redacted already; this catches what people wrote themselves, such as a token in a command line.
  const clean = redactor(plan.secrets);
  const judged = redactFields(measured.judged, clean);
  const verdict = combine({
    profiles: judged,
    setupFindings: redactFields(
      [...measured.setupFindings, ...interruption(measured, deadline, plan)],
      clean,
    ),
    ...(plan.name === undefined ? {} : { name: plan.name }),
    source,
    timing: {
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      tookMs: finishedAt.getTime() - startedAt.getTime(),
    },
    version,
  });
  const measuredOnly: Publication = {
    verdict,
    checks: Object.fromEntries(judged.map((result) => [result.verdict.profile, result.checks])),
    ...(commands ? { commands: redactFields(commands, clean) } : {}),
  };
  await writeJson(join(plan.output, 'verdict.json'), measuredOnly.verdict);
  const publication = await enrich(measuredOnly);
  for (const text of await publish(plan.output, publication)) io.progress({ kind: 'warning', text });
  return publication;
}

/** @returns warnings: a tool that was replaced while it ran cannot write its outputs, and that changes no verdict */
async function publish(folder: string, publication: Publication): Promise<readonly string[]> {
  try {
    const { writePublication } = await import('../publish/write.ts');
    return await writePublication(folder, publication);
  } catch (error) {
    return [`Nothing but the verdict was written: ${error instanceof Error ? error.message : String(error)}`];
  }
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

/** The referee, able to run every profile of the plan; or the finding that says why there is none. */
async function readyReferee(plan: Plan, io: GateIo): Promise<ReadyReferee | Finding> {
  try {
    const referee = await prepareReferee(plan.referee, io);
    const profiles = plan.profiles.map(({ profile }) => profile);
    preflight(referee, profiles);
    const scenarios = new Map<string, ProfileScenarios>();
    for (const profile of profiles)
      scenarios.set(profile.id, await scenariosOf(referee, profile, plan.only, io.signal));
    return { referee, scenarios };
  } catch (error) {
    if (error instanceof MeasurementFault) return error.finding;
    throw error;
  }
}

/** Said here only if no station said it itself: an interrupted run is never anything but inconclusive. */
function interruption(measured: Measured, deadline: AbortSignal, plan: Plan): Finding[] {
  const told = [...measured.setupFindings, ...measured.judged.flatMap(({ findings }) => findings)];
  const known = told.some(({ kind }) => kind === 'interrupted' || kind === 'profile-timeout');
  return !deadline.aborted || known ? [] : [faultOf(deadline.reason, plan.deadlines.runMs).finding];
}
