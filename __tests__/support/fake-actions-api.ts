import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strToU8, zipSync } from 'fflate';

export interface FakeRun {
  readonly id: number;
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  readonly branch?: string;
  readonly event?: string;
  /** Where its code came from; the repository itself when absent. */
  readonly from?: string;
  readonly artifacts?: readonly {
    readonly id: number;
    readonly name: string;
    readonly expired?: boolean;
    /** Path → content; or bytes that are no zip. */
    readonly content: Readonly<Record<string, string>> | Uint8Array;
  }[];
}

export interface FakeActionsApi extends AsyncDisposable {
  readonly url: string;
  runs: readonly FakeRun[];
  /** Answers everything with this status, or never. */
  fault: number | 'hang' | undefined;
  /** Paths asked for, with their query. */
  readonly asked: string[];
}

/** The part of GitHub's API that knows workflow runs and their artifacts, for the repository `o/r`. */
export async function startFakeActionsApi(): Promise<FakeActionsApi> {
  const api: { runs: readonly FakeRun[]; fault: number | 'hang' | undefined; asked: string[] } = {
    runs: [],
    fault: undefined,
    asked: [],
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    api.asked.push(`${url.pathname}${url.search}`);
    if (api.fault === 'hang') return;
    if (api.fault !== undefined) return send(response, api.fault, { message: 'a fault of the test' });
    const at = (pattern: RegExp) => pattern.exec(url.pathname)?.slice(1);
    const listed = at(/^\/repos\/o\/r\/actions\/workflows\/([^/]+)\/runs$/);
    if (listed)
      return send(response, 200, { workflow_runs: runsFor(api.runs, listed[0] ?? '', url.searchParams) });
    const [run] = at(/^\/repos\/o\/r\/actions\/runs\/(\d+)\/artifacts$/) ?? [];
    if (run) {
      const artifacts = api.runs.find(({ id }) => id === Number(run))?.artifacts ?? [];
      return send(response, 200, {
        total_count: artifacts.length,
        artifacts: artifacts.map(({ id, name, expired, content }) => ({
          id,
          name,
          expired: expired ?? false,
          size_in_bytes: zipOf(content).length,
        })),
      });
    }
    const [artifact] = at(/^\/repos\/o\/r\/actions\/artifacts\/(\d+)\/zip$/) ?? [];
    if (artifact) return void response.writeHead(302, { location: `/blobs/${artifact}` }).end();
    const [blob] = at(/^\/blobs\/(\d+)$/) ?? [];
    const found = api.runs.flatMap(({ artifacts }) => artifacts ?? []).find(({ id }) => id === Number(blob));
    if (found)
      return void response.writeHead(200, { 'content-type': 'application/zip' }).end(zipOf(found.content));
    send(response, 404, { message: 'Not Found' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(api, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

/** Newest first, filtered as GitHub does; `head_branch` is the branch's bare name, also for forks. */
function runsFor(runs: readonly FakeRun[], workflow: string, query: URLSearchParams): unknown[] {
  const status = query.get('status');
  return runs
    .filter(
      (run) =>
        workflow === 'nightly.yml' &&
        (run.branch ?? 'main') === query.get('branch') &&
        (status === 'completed' || run.conclusion === status),
    )
    .toSorted((a, b) => b.id - a.id)
    .map(({ id, conclusion, branch, event, from }) => ({
      id,
      conclusion,
      event: event ?? 'schedule',
      head_branch: branch ?? 'main',
      head_repository: { full_name: from ?? 'o/r' },
      html_url: `https://github.com/o/r/actions/runs/${id}`,
    }));
}

function zipOf(content: Readonly<Record<string, string>> | Uint8Array): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return zipSync(Object.fromEntries(Object.entries(content).map(([path, text]) => [path, strToU8(text)])));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
