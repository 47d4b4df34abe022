import type { GitHubClient } from '../../drift/github-client.ts';

export interface RunQuery {
  readonly owner: string;
  readonly repo: string;
  /** The workflow's file name. */
  readonly workflow: string;
  readonly branch: string;
  /** This run, which is no earlier one. */
  readonly runId: number;
  /** Beginning of the artifact's name. */
  readonly prefix: string;
  /** Only runs that ended in success. */
  readonly successful: boolean;
}

export interface FoundArtifact {
  readonly id: number;
  readonly size: number;
  readonly run: { readonly id: number; readonly url: string };
}

/** Runs that are looked into before giving up. */
const MOST_RUNS = 5;

/**
 * The newest earlier run of the workflow on the branch that still has such an artifact. Runs of pull requests and of forks
 * are passed over: their code must not speak for the branch.
 * @returns undefined when there is none
 * @throws what the API client throws
 */
export async function findArtifact(
  github: GitHubClient,
  query: RunQuery,
): Promise<FoundArtifact | undefined> {
  const { owner, repo } = query;
  const { data } = await github.rest.actions.listWorkflowRuns({
    owner,
    repo,
    workflow_id: query.workflow,
    branch: query.branch,
    status: query.successful ? 'success' : 'completed',
    exclude_pull_requests: true,
    per_page: 30,
  });
  const runs = data.workflow_runs.filter(
    (run) =>
      run.id !== query.runId &&
      !run.event.startsWith('pull_request') &&
      (run.head_repository?.full_name ?? `${owner}/${repo}`).toLowerCase() ===
        `${owner}/${repo}`.toLowerCase(),
  );
  for (const run of runs.slice(0, MOST_RUNS)) {
    const { data: list } = await github.rest.actions.listWorkflowRunArtifacts({
      owner,
      repo,
      run_id: run.id,
      per_page: 100,
    });
    const [newest] = list.artifacts
      .filter((artifact) => artifact.name.startsWith(query.prefix) && !artifact.expired)
      .sort((a, b) => b.id - a.id);
    if (newest) return { id: newest.id, size: newest.size_in_bytes, run: { id: run.id, url: run.html_url } };
  }
  return undefined;
}
