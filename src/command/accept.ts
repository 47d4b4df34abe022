import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type Acceptance, type AcceptInput, acceptProfile, type CalibrationRun } from '../baseline/accept.ts';
import { baselineFile } from '../baseline/load.ts';
import { planContext } from '../config/load-plan.ts';
import { OPTION_NAMES } from '../config/options.ts';
import type { Plan, ProfilePlan, Settings } from '../config/plan.ts';
import { resolvePlan, resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import { textOf } from '../gate/texts.ts';
import type { Profile } from '../profile.ts';
import { prepareReferee } from '../referee/prepare.ts';
import { scenariosOf } from '../referee/scenarios.ts';
import { readReports } from '../reports/read-reports.ts';
import type { RunMetadata } from '../run/metadata.ts';
import { runProfile } from '../run/run-profile.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { acceptInput, measuredProfiles } from './measured-profiles.ts';
import type { CommandSpec, Invocation } from './program.ts';
import type { GateIo } from './run-gate.ts';
import { showAcceptance } from './show-acceptance.ts';
import { withIo } from './with-io.ts';

export const acceptCommand: CommandSpec = {
  name: 'accept',
  summary: 'write what was measured into the baseline, for a person to review',
  description:
    'Writes exceptions and the inventory from the report folder of a finished run into the baselines. Runs once more on a fresh target (calibration), so that what differs between two runs is masked. Give the same options as for run. Each new exception still needs a class, a reason and a review date from a person.',
  options: OPTION_NAMES,
  extra: [
    new Option('--propose <DIR>', 'write the baselines there instead; the only way where CI is set'),
    new Option(
      '--no-calibration',
      'do not run again: nothing is masked, and volatile evidence may differ next time',
    ),
  ],
  examples: [
    "mcp-conformance-gate accept --server-command 'node server.js --port {port}'",
    'mcp-conformance-gate accept --no-calibration --output downloaded-report',
  ],
  handler: accept,
};

async function accept({ given, extra, json }: Invocation): Promise<number> {
  const cwd = process.cwd();
  const context = await planContext(given, cwd, process.env);
  const settings = resolveSettings(context);
  const propose = typeof extra.propose === 'string' ? extra.propose : undefined;
  if (process.env.CI && propose === undefined) {
    throw new ConfigError(
      'accept does not write baselines where CI is set: a baseline is what a person reviewed.',
      {
        hint: 'Run it on your machine, or use --propose DIR and review the result.',
      },
    );
  }
  const profiles = await measuredProfiles(
    settings,
    given.profile === undefined ? undefined : resolveProfiles(context),
  );
  const plan = extra.calibration === false ? undefined : resolvePlan(context);
  const results = await withIo(async (io) => {
    const prepared: Prepared[] = [];
    for (const profile of profiles) prepared.push(await prepare(profile, settings, plan, io));
    const done: { profile: Profile; file: string; acceptance: Acceptance }[] = [];
    for (const one of prepared) {
      const to = propose === undefined ? settings.baselines : resolve(cwd, propose);
      const acceptance = await finish(one, plan, io);
      done.push({ profile: one.profile, file: baselineFile(to, one.profile), acceptance });
    }
    return done;
  });
  // All of them are made before the first is written: a mistake in one leaves every file as it was.
  for (const { file, acceptance } of results) {
    if (!acceptance.accepted) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, acceptance.yaml);
  }
  for (const line of results.flatMap(({ profile, file, acceptance }) =>
    showAcceptance(profile, file, acceptance, cwd),
  )) {
    process.stderr.write(`${line}\n`);
  }
  if (json) {
    const told = results.map(({ profile, file, acceptance }) => ({
      profile: profile.id,
      file,
      ...withoutYaml(acceptance),
    }));
    process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  }
  if (results.some(({ acceptance }) => !acceptance.accepted)) return 3;
  return results.some(({ acceptance }) => acceptance.accepted && acceptance.refused.length > 0) ? 1 : 0;
}

const withoutYaml = (acceptance: Acceptance): object =>
  acceptance.accepted
    ? { ...acceptance, yaml: undefined }
    : { accepted: false, findings: acceptance.findings.map(textOf) };

/** One profile before anything is started for any of them. */
interface Prepared {
  readonly profile: Profile;
  readonly input: Omit<AcceptInput, 'calibrations'>;
  /** What would be written without a second run: nothing is started for a profile that is refused anyway. */
  readonly first: Acceptance;
  /** How to run it again; absent when it is not to be. */
  readonly job?: ProfilePlan;
}

/** @throws ConfigError for everything that can be the user's mistake */
async function prepare(
  profile: Profile,
  settings: Settings,
  plan: Plan | undefined,
  io: GateIo,
): Promise<Prepared> {
  const file = baselineFile(settings.baselines, profile);
  const input = await acceptInput(profile, file, settings, io.now().toISOString().slice(0, 10));
  const first = acceptProfile({ ...input, calibrations: [] });
  if (!first.accepted || plan === undefined) return { profile, input, first };
  return { profile, input, first, job: jobOf(profile, input.metadata, plan) };
}

async function finish(
  { input, first, job }: Prepared,
  plan: Plan | undefined,
  io: GateIo,
): Promise<Acceptance> {
  if (job === undefined || plan === undefined) return first;
  return acceptProfile({ ...input, calibrations: [await calibrate(job, input.metadata, plan, io)] });
}

function jobOf(profile: Profile, measured: RunMetadata, plan: Plan): ProfilePlan {
  const job = plan.profiles.find((candidate) => candidate.profile.id === profile.id);
  if (!job) {
    throw new ConfigError(`The options name no target for ${profile.id}, which the report holds.`, {
      hint: `Add --profile ${profile.id}, accept with --no-calibration, or run again with these options first.`,
    });
  }
  if (measured.referee.pin !== plan.referee.pin.text) {
    throw new ConfigError(
      `The report was made with ${measured.referee.pin}, but the options name ${plan.referee.pin.text}.`,
      {
        hint: 'Run again with this referee first.',
      },
    );
  }
  return job;
}

/** The same profile once more on a fresh target, at another port and a later time (DESIGN.md section 8.4). */
async function calibrate(
  job: ProfilePlan,
  measured: RunMetadata,
  plan: Plan,
  io: GateIo,
): Promise<CalibrationRun> {
  const { profile } = job;
  const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-calibration-'));
  try {
    const referee = await prepareReferee(plan.referee, io);
    const { list, requirements } = await scenariosOf(referee, profile, measured.scenarios.only);
    io.progress({ kind: 'step', text: 'Running once more to learn what is volatile', profile: profile.id });
    const metadata = await runProfile(job, {
      referee,
      scenarios: list,
      ...(requirements === undefined ? {} : { requirements }),
      folder,
      plan,
      source: measured.source,
      progress: io.progress,
      signal: io.signal,
    });
    const fault = metadata.faults[0];
    if (fault) throw new MeasurementFault(fault);
    refuseOtherServer(measured, metadata);
    const { reports } = await readReports(folder, list, profile);
    const { url, behind } = metadata.target;
    return { url, behind, window: metadata.window, reports };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What differs between two servers is not volatile in one of them. */
function refuseOtherServer(measured: RunMetadata, again: RunMetadata): void {
  const nameOf = ({ probes: { before } }: RunMetadata) =>
    before?.answered === true && before.serverInfo !== undefined
      ? `${before.serverInfo.name} ${before.serverInfo.version ?? ''}`.trim()
      : undefined;
  const [was, is] = [nameOf(measured), nameOf(again)];
  if (was === undefined || is === undefined || was === is) return;
  throw new ConfigError(
    `The report of ${measured.profile} is of ${was}, and the server that was started is ${is}.`,
    {
      hint: 'Run again, then accept. If its version is another one at each start, accept with --no-calibration.',
    },
  );
}
