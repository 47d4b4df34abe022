import type { GitHubClient } from '../../drift/github-client.ts';
import { oneLine } from '../../shared/escape-controls.ts';
import { grouped } from '../../shared/grouped.ts';
import { compareRuns } from '../compare.ts';
import type { Comparison, Publication } from '../publication.ts';
import { seconds } from '../seconds.ts';
import { type ArtifactNameParts, artifactPrefix } from '../upload/artifact-name.ts';
import { type FoundArtifact, findArtifact, type RunQuery } from './find-artifact.ts';
import { type KeptReport, readReportZip } from './read-report-zip.ts';
import { continueTrend, trendPoint } from './trend-point.ts';

export interface HistoryRequest {
  readonly github: GitHubClient;
  /** GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF, GITHUB_RUN_ID, GITHUB_REF, GITHUB_BASE_REF and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The same parts that the upload step names its artifact with. */
  readonly name: ArtifactNameParts;
  /** For everything together, in milliseconds; absent: one minute. */
  readonly deadlineMs?: number;
}

/** Bytes of an artifact that is still fetched. */
const LARGEST = 200 * 1024 * 1024;
const DEADLINE_MS = 60_000;

/**
 * Adds what the last successful run on the same branch (on a pull request: on its base branch) says: what changed since,
 * and the trend up to now. Needs `actions: read`. Whatever is missing or goes wrong becomes a note in the comparison.
 * @returns the publication with `comparison` and `trend`; nothing is thrown
 */
export async function withHistory(p: Publication, request: HistoryRequest): Promise<Publication> {
  const now = trendPoint(p.verdict, request.env);
  const deadlineMs = request.deadlineMs ?? DEADLINE_MS;
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const { comparison, earlier } = await read(p, request, signal);
    return { ...p, comparison, trend: continueTrend(earlier?.trend ?? [], now) };
  } catch (error) {
    const why = signal.aborted ? `no answer within ${seconds(deadlineMs)}` : reasonOf(error);
    const note = `Not compared with an earlier run: ${why}.`;
    return { ...p, comparison: { found: false, note }, trend: [now] };
  }
}

async function read(
  p: Publication,
  { github, env, name }: HistoryRequest,
  signal: AbortSignal,
): Promise<{ comparison: Comparison; earlier?: KeptReport }> {
  const where = whereToLook(env);
  if (typeof where === 'string') return { comparison: { found: false, note: where } };
  const query = { ...where, prefix: artifactPrefix(name) };
  const bounded = withSignal(github, signal);
  const successful = await findArtifact(bounded, { ...query, successful: true });
  const latest = await findArtifact(bounded, { ...query, successful: false });
  const reports = new Map<number, KeptReport>();
  const fetchOnce = async (artifact: FoundArtifact): Promise<KeptReport> => {
    const known = reports.get(artifact.id);
    if (known) return known;
    const report = readReportZip(await download(bounded, where, artifact));
    reports.set(artifact.id, report);
    return report;
  };
  // The trend goes on from the latest run, whatever its outcome; the comparison is with the last good one.
  const earlier = latest ? await fetchOnce(latest).catch(() => undefined) : undefined;
  if (!successful) {
    const note = `Nothing to compare with: no successful run on ${where.branch} still has an artifact ${query.prefix}….`;
    return { comparison: { found: false, note }, ...(earlier ? { earlier } : {}) };
  }
  const before = await fetchOnce(successful);
  const { verdict } = before;
  return {
    comparison: {
      found: true,
      with: `the last successful run on ${where.branch}`,
      at: verdict.timing.finishedAt,
      outcome: verdict.outcome,
      ...(verdict.source.commit ? { commit: verdict.source.commit } : {}),
      url: successful.run.url,
      ...compareRuns(before, p),
    },
    earlier: earlier ?? before,
  };
}

/** Where earlier runs are, or why there is nowhere to look. */
function whereToLook(env: HistoryRequest['env']): Omit<RunQuery, 'prefix' | 'successful'> | string {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? '').split('/');
  const workflow = /\/\.github\/workflows\/([^@/]+)@/.exec(env.GITHUB_WORKFLOW_REF ?? '')?.[1];
  const runId = Number(env.GITHUB_RUN_ID);
  if (!owner || !repo || !workflow || !Number.isInteger(runId))
    return 'Not compared with an earlier run: this is not a run of a GitHub workflow.';
  const branch = env.GITHUB_BASE_REF || /^refs\/heads\/(.+)$/.exec(env.GITHUB_REF ?? '')?.[1];
  if (!branch) return 'Not compared with an earlier run: this run is not of a branch.';
  return { owner, repo, workflow, branch, runId };
}

/** Every request of the client ends with the signal. */
function withSignal(github: GitHubClient, signal: AbortSignal): GitHubClient {
  github.hook.before('request', (options) => {
    options.request = { ...options.request, signal };
  });
  return github;
}

async function download(
  github: GitHubClient,
  { owner, repo }: Pick<RunQuery, 'owner' | 'repo'>,
  { id, size }: FoundArtifact,
): Promise<Uint8Array> {
  if (size > LARGEST) throw new Error(`the artifact has ${grouped(size)} bytes, too many to fetch`);
  const { data } = await github.rest.actions.downloadArtifact({
    owner,
    repo,
    artifact_id: id,
    archive_format: 'zip',
  });
  // The API's type knows nothing of the body: it is the zip that the answer redirects to.
  const body: unknown = data;
  if (!(body instanceof ArrayBuffer)) throw new Error('the artifact could not be fetched');
  return new Uint8Array(body);
}

function reasonOf(error: unknown): string {
  const { status } = error as { status?: unknown };
  if (status === 403 || status === 404 || status === 401)
    return 'the token may not read earlier runs; give the job the permission actions: read';
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(message).slice(0, 300).replace(/\.$/, '');
}
