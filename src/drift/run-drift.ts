import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { GateIo } from '../command/run-gate.ts';
import type { Plan, RefereePlan, Settings } from '../config/plan.ts';
import { findLock } from '../referee/lock.ts';
import { parsePin } from '../referee/parse-pin.ts';
import { shippedLocks } from '../referee/shipped-locks.ts';
import { isOurs, prepareReportFolder, writeJson } from '../report-folder.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { createGitHub, type GitHubOptions } from './github-client.ts';
import { type SyncResult, syncIssue } from './issue/sync-issue.ts';
import { localFacts, repositoryRoot } from './local-facts.ts';
import { readMeasured } from './measured-folder.ts';
import { loadMemory, type Memory, saveMemory } from './memory.ts';
import { observe } from './observe.ts';
import { propose } from './propose.ts';
import { checkedLine, renderDrift } from './render/render-drift.ts';
import {
  type DriftReport,
  driftOutcome,
  type FailOnDrift,
  isMoved,
  makeReport,
  type Proposal,
  type RunIdentity,
} from './report.ts';
import type { SourceReport } from './source.ts';
import { loadUpstream, upstreamFile } from './state.ts';
import { type Measure, type Measured, runTrial, type Trial } from './trial.ts';

/** What the watcher needs from outside, beside what the gate needs. */
export interface DriftIo extends GateIo {
  /** Runs the gate on a plan. */
  readonly measure: Measure;
  /** Locks the tree of an npm candidate into `locks` of the plan (`referee pin`). */
  readonly lock: (referee: RefereePlan) => Promise<void>;
  /** Where watched repositories lie. */
  readonly upstream: GitHubOptions;
  /** The issue to keep, when one is wanted. */
  readonly issue?: {
    readonly api: GitHubOptions;
    readonly owner: string;
    readonly repo: string;
    readonly labels: readonly string[];
    readonly assignees: readonly string[];
  };
  readonly run: RunIdentity;
  /** The report folder holds the current pin's run of this very job. */
  readonly reuse: boolean;
  /** What a newer referee is tried on, or why none is. */
  readonly trial: Plan | 'switched-off' | 'no-target';
  readonly failOn: FailOnDrift;
  /** The command that a person types, without options. */
  readonly command: string;
}

/** What the watcher needs to know of what was asked for; targets are the trial's business. */
export interface WatchPlan extends Settings {
  /** Revisions that are gated. */
  readonly revisions: readonly string[];
}

export interface DriftResult {
  readonly report: DriftReport;
  readonly outcome: 'pass' | 'fail' | 'inconclusive';
  /** For people: the job summary. */
  readonly markdown: string;
  readonly issue?: SyncResult;
}

/** A job summary holds 1 MiB; this shares it with the gate's own. */
const SUMMARY_BYTES = 256 * 1024;
const SOURCE_TIMEOUT_MS = 3 * 60_000;
const TOOL_TIMEOUT_MS = 60_000;

/**
 * The drift line: observe → trial → proposal → report → issue. Leaves `drift/` in the report folder when there was a
 * trial or the folder is ours.
 * @throws ConfigError for upstream.json or a baseline that is not valid
 */
export async function runDrift(plan: WatchPlan, io: DriftIo): Promise<DriftResult> {
  const pinned = await loadUpstream(upstreamFile(plan.baselines));
  const memoryFile = join(plan.referee.cache, 'drift-memory.json');
  const memory = await loadMemory(memoryFile);
  io.progress({ kind: 'step', text: 'Looking at what moved upstream' });
  const sources = await observe(plan.watch, pinned, observeOptions(plan, io, memory));
  await saveMemory(memoryFile, memory);

  const folder = join(plan.output, 'drift');
  const tried = await tryCandidate(plan, sources, folder, io);
  const report = makeReport({
    ...(plan.name === undefined ? {} : { name: plan.name }),
    run: io.run,
    pin: plan.referee.pin.text,
    sources,
    trial: tried.trial,
    ...(tried.proposal === undefined ? {} : { proposal: tried.proposal }),
    needsLock: tried.needsLock ?? false,
    ownership: plan.ownership,
    local: await localFacts(io.cwd, io.command, tried.current),
  });
  const markdown = renderDrift(report, { maxBytes: SUMMARY_BYTES, foot: checkedLine(report) });
  await keep(plan, folder, report, markdown);
  const issue = await writeIssue(report, plan, io);
  return {
    report,
    outcome: driftOutcome(report, io.failOn),
    markdown,
    ...(issue === undefined ? {} : { issue }),
  };
}

/** Options of one look at all sources. */
export function observeOptions(
  plan: WatchPlan,
  io: Pick<DriftIo, 'upstream' | 'progress' | 'environment' | 'signal' | 'now'>,
  memory: Memory,
) {
  const { token } = io.upstream;
  return {
    github: createGitHub({
      notice: (text) => io.progress({ kind: 'notice', text }),
      ...io.upstream,
    }),
    audience: token === undefined || token === '' ? 'anonymous' : 'token',
    memory,
    env: io.environment,
    node: process.execPath,
    timeoutMs: TOOL_TIMEOUT_MS,
    sourceTimeoutMs: SOURCE_TIMEOUT_MS,
    signal: io.signal,
    pin: plan.referee.pin,
    repository: plan.referee.repository,
    revisions: plan.revisions,
    today: io.now().toISOString().slice(0, 10),
    now: io.now,
    offline: plan.referee.offline,
  };
}

interface Tried {
  readonly trial: Trial;
  readonly current?: Measured;
  readonly proposal?: Proposal;
  readonly needsLock?: boolean;
}

async function tryCandidate(
  watch: WatchPlan,
  sources: readonly SourceReport[],
  folder: string,
  io: DriftIo,
): Promise<Tried> {
  const { trial: plan } = io;
  const known = io.reuse && typeof plan !== 'string' ? await readMeasured(plan.output, plan) : undefined;
  const current = known === undefined ? {} : { current: known };
  const candidate = sources.filter(isMoved).find((source) => source.candidate !== undefined)?.candidate;
  if (candidate === undefined) return { trial: { kind: 'not-needed' }, ...current };
  const referee = { ...watch.referee, pin: parsePin(candidate) };
  const needsLock = !(await isLocked(referee));
  if (typeof plan === 'string')
    return { trial: { kind: 'not-tried', candidate, why: plan }, needsLock, ...current };

  if (!(await isOurs(plan.output))) await prepareReportFolder(plan.output);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  io.progress({ kind: 'step', text: `Trying referee ${candidate} on the same target` });
  const trialPlan: Plan = {
    ...plan,
    referee,
    output: join(folder, 'candidate'),
  };
  let before = known;
  const trial = await runTrial({
    candidate,
    currentPin: plan.referee.pin.text,
    plan: trialPlan,
    current: async () => {
      before ??= await io.measure({ ...plan, output: join(folder, 'current') });
      return before;
    },
    prepare: (unlocked) => lockCandidate(unlocked, folder, io),
    measure: io.measure,
  });
  const proposal =
    trial.kind === 'measured' ? await proposalFor(trialPlan, trial.folder, folder, io) : undefined;
  return {
    trial,
    needsLock,
    ...(before === undefined ? {} : { current: before }),
    ...(proposal === undefined ? {} : { proposal }),
  };
}

/** Commits carry their own lock; an npm version has one here or in what ships, or not yet. */
async function isLocked({ pin, locks }: RefereePlan): Promise<boolean> {
  return pin.kind !== 'npm' || (await findLock(pin.version, [locks, shippedLocks()])) !== undefined;
}

/** A candidate without a lock gets one in the report folder, for people to take over. */
async function lockCandidate(plan: Plan, folder: string, io: DriftIo): Promise<Plan> {
  if (await isLocked(plan.referee)) return plan;
  const referee = { ...plan.referee, locks: join(folder, 'referee') };
  if (!(await isLocked(referee))) await io.lock(referee);
  return { ...plan, referee };
}

async function proposalFor(
  trialPlan: Plan,
  trialFolder: string,
  folder: string,
  io: DriftIo,
): Promise<Proposal> {
  const again = join(folder, 'again');
  const proposal = await propose({
    plan: trialPlan,
    folder: trialFolder,
    root: await repositoryRoot(io.cwd),
    today: io.now().toISOString().slice(0, 10),
    file: 'drift/proposal.patch',
    again: async () => {
      io.progress({ kind: 'step', text: 'Running the candidate once more to learn what is volatile' });
      const plan = await lockCandidate(trialPlan, folder, io);
      try {
        return (await io.measure({ ...plan, output: again, confirm: 0 })).folder;
      } catch (error) {
        if (error instanceof ConfigError || isFault(error)) return undefined;
        throw error;
      }
    },
  });
  if (proposal.patch !== '') await writeFileAtomic(join(folder, 'proposal.patch'), proposal.patch);
  await rm(again, { recursive: true, force: true });
  return proposal;
}

/** Something that could not be measured; not the user's wish to stop. */
function isFault(error: unknown): boolean {
  return error instanceof MeasurementFault && error.finding.kind !== 'interrupted';
}

async function keep(plan: WatchPlan, folder: string, report: DriftReport, markdown: string): Promise<void> {
  if (!(await isOurs(plan.output))) return;
  await mkdir(folder, { recursive: true });
  await writeJson(join(folder, 'drift.json'), report);
  await writeFileAtomic(join(folder, 'drift.md'), markdown);
}

async function writeIssue(
  report: DriftReport,
  plan: WatchPlan,
  io: DriftIo,
): Promise<SyncResult | undefined> {
  if (io.issue === undefined) return undefined;
  if (plan.referee.offline) {
    io.progress({ kind: 'notice', text: 'The drift issue is left alone, because of --offline.' });
    return undefined;
  }
  const { api, owner, repo, labels, assignees } = io.issue;
  const github = createGitHub({ notice: (text) => io.progress({ kind: 'notice', text }), ...api });
  return syncIssue(report, github, { repository: { owner, repo }, labels, assignees, now: io.now });
}
