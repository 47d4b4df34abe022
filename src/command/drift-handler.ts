import { join, relative } from 'node:path';
import { planContext } from '../config/load-plan.ts';
import type { Plan } from '../config/plan.ts';
import { type PlanContext, resolvePlan, resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import { adopt } from '../drift/adopt.ts';
import { renderDriftTerminal } from '../drift/render/render-terminal.ts';
import { type DriftIo, type DriftResult, runDrift, type WatchPlan } from '../drift/run-drift.ts';
import {
  DEFAULT_LABELS,
  gitHubSettings,
  parseFailOn,
  parseNames,
  parseRepository,
  runIdentity,
} from '../drift/settings.ts';
import { sourceName } from '../drift/source.ts';
import { pinReferee } from '../referee/commands/pin.ts';
import { isOurs } from '../report-folder.ts';
import { MissingTargetError } from '../shared/errors.ts';
import type { Invocation } from './program.ts';
import { type GateIo, runGate } from './run-gate.ts';
import { withIo } from './with-io.ts';

const EXIT_CODE = { pass: 0, fail: 1, inconclusive: 3 } as const;

/** What `mcp-conformance-gate drift` does. */
export async function drift({ given, extra, json }: Invocation): Promise<number> {
  const context = await planContext(given, process.cwd(), process.env);
  const plan = watchPlan(context);
  const text = (name: string) => (typeof extra[name] === 'string' ? extra[name] : undefined);
  const failOn = parseFailOn(text('fail-on-drift'));
  const github = gitHubSettings(process.env, process.env.GITHUB_TOKEN || process.env.GH_TOKEN);
  if (extra.adopt === true) return adoptNow(plan, github.upstream, json);
  const repository = text('issue');
  const labels = parseNames(text('issue-labels'));
  const issue =
    repository === undefined
      ? {}
      : {
          issue: {
            api: github.issue,
            ...parseRepository(repository),
            labels: labels.length > 0 ? labels : [...DEFAULT_LABELS],
            assignees: parseNames(text('issue-assignees')),
          },
        };
  const trial = extra.trial === false ? 'switched-off' : trialPlan(context);
  const result = await withIo((io) =>
    runDrift(plan, {
      ...driftIo(io),
      ...issue,
      upstream: github.upstream,
      trial,
      failOn,
      reuse: false,
    }),
  );
  process.stderr.write(await shown(result, plan.output));
  if (json)
    process.stdout.write(
      `${JSON.stringify({ ...result.report, outcome: result.outcome, issue: result.issue }, null, 2)}\n`,
    );
  return EXIT_CODE[result.outcome];
}

/** The effects that drift shares between the command and the action's step. */
export function driftIo(io: GateIo): Omit<DriftIo, 'upstream' | 'trial' | 'failOn' | 'reuse'> {
  return {
    ...io,
    measure: async (plan) => ({ ...(await runGate(plan, io)), folder: plan.output }),
    lock: async (referee) => {
      await pinReferee(referee, io);
    },
    run: runIdentity(io.environment, io.now()),
    command: 'mcp-conformance-gate',
  };
}

/** Everything but the targets. */
export function watchPlan(context: PlanContext): WatchPlan {
  const revisions = resolveProfiles(context).map(({ revision }) => revision);
  return { ...resolveSettings(context), revisions: [...new Set(revisions)].sort() };
}

/** What a newer referee is tried on; drift is of use without a target too. */
export function trialPlan(context: PlanContext): Plan | 'no-target' {
  try {
    return resolvePlan(context);
  } catch (error) {
    if (error instanceof MissingTargetError) return 'no-target';
    throw error;
  }
}

/** What a person reads in a terminal or a log. */
export async function shown(result: DriftResult, output: string): Promise<string> {
  return renderDriftTerminal(result.report, {
    cwd: process.cwd(),
    folder: (await isOurs(output)) ? join(output, 'drift') : undefined,
    ...(result.issue === undefined ? {} : { issue: result.issue }),
  });
}

async function adoptNow(plan: WatchPlan, upstream: DriftIo['upstream'], json: boolean): Promise<number> {
  const adoption = await withIo((io) => adopt(plan, { ...io, upstream }));
  const file = relative(process.cwd(), adoption.file);
  const names = (ids: readonly string[]) =>
    adoption.sources.filter(({ id }) => ids.includes(id)).map(({ watch }) => sourceName(watch));
  const lines = [
    adoption.adopted.length === 0
      ? `${file} is up to date.`
      : `${file}: ${names(adoption.adopted).join(', ')}.`,
    ...names(adoption.left).map((name) => `Could not be told, left as it was: ${name}.`),
    ...adoption.sources.flatMap((source) =>
      source.status === 'moved' && source.candidate !== undefined
        ? [`The pin stays ${plan.referee.pin.text}; ${source.candidate} is recorded as passed over.`]
        : [],
    ),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  if (json)
    process.stdout.write(
      `${JSON.stringify({ file, adopted: adoption.adopted, left: adoption.left }, null, 2)}\n`,
    );
  return adoption.left.length > 0 ? 3 : 0;
}
