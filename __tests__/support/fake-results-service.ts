import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unzipSync } from 'fflate';
import { startAzurite } from './azurite.ts';
import { type FaultyRelay, startFaultyRelay } from './faulty-relay.ts';

type Method =
  | 'CreateArtifact'
  | 'FinalizeArtifact'
  | 'ListArtifacts'
  | 'GetSignedArtifactURL'
  | 'DeleteArtifact';

/** What a call is answered with in place of the real thing. `hang`: never. `cut`: the connection ends without an answer. */
export type Fault = { readonly status: number; readonly msg?: string } | 'hang' | 'cut';

export interface StoredArtifact {
  readonly id: number;
  readonly name: string;
  /** Bytes that the client said it uploaded. */
  size: number;
  /** `sha256:…` that the client computed. */
  hash: string | undefined;
  readonly expiresAt: string | undefined;
  finalized: boolean;
}

export interface FakeResultsService extends AsyncDisposable {
  /** What the runner would give a JavaScript action. */
  readonly env: { readonly ACTIONS_RUNTIME_TOKEN: string; readonly ACTIONS_RESULTS_URL: string };
  readonly artifacts: readonly StoredArtifact[];
  /** Every call, in order. */
  readonly calls: readonly { readonly method: string; readonly name: string | undefined }[];
  /** The next calls of a method are answered with these, one each. */
  fail(method: Method, ...faults: Fault[]): void;
  /** The connection to the blob store. */
  readonly blobs: FaultyRelay;
  /** The zip of a finalised artifact: path → bytes. */
  files(name: string): Promise<Map<string, Buffer>>;
  /** The zip itself. */
  zip(name: string): Promise<Buffer>;
}

/**
 * The artifact service as @actions/artifact sees it: the five Twirp calls are a stand-in, the blob store behind the signed
 * addresses is azurite. Everything is on loopback, on ports of the system's choice.
 */
export async function startFakeResultsService(): Promise<FakeResultsService> {
  const azurite = await startAzurite();
  const blobs = await startFaultyRelay(azurite.origin);
  const artifacts: StoredArtifact[] = [];
  const calls: { method: string; name: string | undefined }[] = [];
  const faults = new Map<string, Fault[]>();
  const blobOf = (artifact: StoredArtifact) => `${artifact.id}.zip`;

  const answers: Record<Method, (body: Record<string, unknown>) => [status: number, body: unknown]> = {
    CreateArtifact: (body) => {
      const name = String(body.name);
      if (artifacts.some((artifact) => artifact.name === name && artifact.finalized))
        return [
          409,
          { code: 'already_exists', msg: 'an artifact with this name already exists on the workflow run' },
        ];
      const expiresAt = typeof body.expires_at === 'string' ? body.expires_at : undefined;
      const artifact = {
        id: 1000 + artifacts.length,
        name,
        size: 0,
        hash: undefined,
        expiresAt,
        finalized: false,
      };
      artifacts.push(artifact);
      return [200, { ok: true, signed_upload_url: blobs.through(azurite.signedUrl(blobOf(artifact), 'cw')) }];
    },
    FinalizeArtifact: (body) => {
      const artifact = artifacts.findLast(({ name }) => name === body.name);
      if (!artifact) return [404, { code: 'not_found', msg: 'artifact not found' }];
      artifact.finalized = true;
      artifact.size = Number(body.size);
      artifact.hash = body.hash === undefined ? undefined : String(body.hash);
      return [200, { ok: true, artifact_id: String(artifact.id) }];
    },
    ListArtifacts: (body) => [
      200,
      {
        artifacts: artifacts
          .filter(
            ({ id, finalized }) =>
              finalized && (body.id_filter === undefined || String(id) === body.id_filter),
          )
          .map(({ id, name, size, hash }) => ({
            workflow_run_backend_id: RUN,
            workflow_job_run_backend_id: JOB,
            database_id: String(id),
            name,
            size: String(size),
            digest: hash,
          })),
      },
    ],
    GetSignedArtifactURL: (body) => {
      const artifact = artifacts.findLast(({ name }) => name === body.name);
      return artifact
        ? [200, { signed_url: azurite.signedUrl(blobOf(artifact), 'r') }]
        : [404, { code: 'not_found', msg: 'artifact not found' }];
    },
    DeleteArtifact: (body) => {
      const index = artifacts.findIndex(({ name }) => name === body.name);
      const [gone] = index < 0 ? [] : artifacts.splice(index, 1);
      return gone
        ? [200, { ok: true, artifact_id: String(gone.id) }]
        : [404, { code: 'not_found', msg: 'not found' }];
    },
  };

  const server = createServer(async (request, response) => {
    const method = new URL(request.url ?? '/', 'http://x').pathname.split('/').at(-1) ?? '';
    const body = await readJson(request);
    calls.push({ method, name: typeof body.name === 'string' ? body.name : undefined });
    const fault = faults.get(method)?.shift();
    if (fault === 'hang') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (fault)
      return send(response, fault.status, { code: 'internal', msg: fault.msg ?? 'a fault of the test' });
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(response, 401, { code: 'unauthenticated', msg: 'wrong token' });
    if (!isMethod(method, answers)) return send(response, 404, { code: 'bad_route', msg: 'no such method' });
    const [status, answer] = answers[method](body);
    send(response, status, answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;

  const zip = async (name: string): Promise<Buffer> => {
    const artifact = artifacts.find((each) => each.name === name && each.finalized);
    if (!artifact)
      throw new Error(`no finalised artifact ${name}; there are: ${artifacts.map((a) => a.name).join(', ')}`);
    return azurite.download(blobOf(artifact));
  };
  return {
    env: { ACTIONS_RUNTIME_TOKEN: TOKEN, ACTIONS_RESULTS_URL: `http://127.0.0.1:${port}/` },
    artifacts,
    calls,
    fail: (method, ...queued) => void faults.set(method, [...(faults.get(method) ?? []), ...queued]),
    blobs,
    zip,
    files: async (name) =>
      new Map(
        Object.entries(unzipSync(await zip(name))).map(([path, data]) => [
          path.replace(/^\//, ''),
          Buffer.from(data),
        ]),
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await blobs[Symbol.asyncDispose]();
      await azurite[Symbol.asyncDispose]();
    },
  };
}

const RUN = '11111111-1111-4111-8111-111111111111';
const JOB = '22222222-2222-4222-8222-222222222222';

/** A token of the runner's shape; only its claims are read by the client. */
const TOKEN = [
  '{"alg":"none"}',
  JSON.stringify({ scp: `Actions.Example Actions.Results:${RUN}:${JOB}` }),
  'sig',
]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

function isMethod<T extends object>(name: string, answers: T): name is Extract<keyof T, string> {
  return Object.hasOwn(answers, name);
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
