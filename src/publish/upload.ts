import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { DefaultArtifactClient } from '@actions/artifact';
import { oneLine } from '../shared/escape-controls.ts';
import { escapeLog } from '../shared/escape-log.ts';
import { grouped } from '../shared/grouped.ts';
import { plural } from './plural.ts';
import { seconds } from './seconds.ts';
import { type ArtifactNameParts, artifactName } from './upload/artifact-name.ts';
import { listFiles } from './upload/list-files.ts';
import { type LossReason, lossOf } from './upload/loss.ts';

export interface UploadRequest {
  /** The report folder. */
  readonly folder: string;
  readonly name: ArtifactNameParts;
  /** Days; absent or 0: the repository's default. */
  readonly retentionDays?: number | undefined;
  /** 0 (none) to 9 (best); absent: zlib's default, 6. */
  readonly compressionLevel?: number | undefined;
  /** The upload as a whole, retries included, in milliseconds; absent: ten minutes. */
  readonly deadlineMs?: number | undefined;
  /** The runner's environment: GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID for the artifact's address. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What became of the report. Losing it is never an exception: the verdict does not hang on it. */
export type UploadResult =
  | {
      readonly kind: 'uploaded';
      readonly name: string;
      readonly id: number;
      readonly url: string;
      /** `sha256:…` of the zip. */
      readonly digest: string;
      /** Bytes of the zip, and number of files in it. */
      readonly size: number;
      readonly files: number;
      /** A sentence for each thing that is not in it. */
      readonly warnings: readonly string[];
    }
  | {
      readonly kind: 'lost';
      readonly reason: LossReason;
      readonly name: string;
      /** One sentence that names what was lost, one that says what to do. */
      readonly warnings: readonly string[];
    };

const DEADLINE_MS = 10 * 60_000;
/** Names of files left out that a warning spells out. */
const MOST_NAMES = 10;

/**
 * Uploads the report folder as one artifact. Needs ACTIONS_RUNTIME_TOKEN and ACTIONS_RESULTS_URL in the process's
 * environment, which only JavaScript actions get.
 *
 * A name that is taken (409) is tried once more with a random ending. After the deadline the client's own sockets and
 * timers may still be open: the caller ends its process.
 * @returns what became of it; nothing is thrown
 */
export async function uploadReport(request: UploadRequest): Promise<UploadResult> {
  const name = artifactName(request.name);
  const folder = resolve(request.folder);
  let lost = `The report folder ${folder}`;
  try {
    const { files, size, leftOut } = await listFiles(folder);
    lost = `The report of ${plural(files.length, 'file')} (${grouped(size)} bytes) in ${folder}`;
    const warnings = leftOutWarnings(leftOut);
    if (files.length === 0) return lostResult('nothing-to-upload', name, lost, '', warnings);
    const deadlineMs = request.deadlineMs ?? DEADLINE_MS;
    const client = new DefaultArtifactClient();
    const upload = async (as: string) => ({
      name: as,
      ...(await client.uploadArtifact(as, [...files], folder, {
        ...(request.retentionDays ? { retentionDays: request.retentionDays } : {}),
        ...(request.compressionLevel === undefined ? {} : { compressionLevel: request.compressionLevel }),
      })),
    });
    const response = await within(deadlineMs, () =>
      upload(name).catch((error: unknown) => {
        if (lossOf(error) !== 'name-taken') throw error;
        return upload(`${name}-${randomBytes(3).toString('hex')}`);
      }),
    );
    if (response.id === undefined) throw new Error('The artifact service gave no id.');
    return {
      kind: 'uploaded',
      name: response.name,
      id: response.id,
      url: artifactUrl(request.env, response.id),
      digest: response.digest ? `sha256:${response.digest}` : '',
      size: response.size ?? 0,
      files: files.length,
      warnings,
    };
  } catch (error) {
    return lostResult(lossOf(error), name, lost, error instanceof Error ? error.message : String(error), []);
  }
}

function lostResult(
  reason: LossReason,
  name: string,
  lost: string,
  message: string,
  warnings: readonly string[],
): UploadResult {
  const said = message ? ` (${escapeLog(oneLine(message)).slice(0, 500)})` : '';
  const sentence =
    reason === 'nothing-to-upload'
      ? `Nothing was uploaded: ${lost.replace(/^The report of 0 files \(0 bytes\) in /, '')} holds no file. The gate step ended before it wrote anything.`
      : `${lost} was not uploaded as ${name}: ${ADVICE[reason]}${said}`;
  return { kind: 'lost', reason, name, warnings: [sentence, ...warnings] };
}

const ADVICE: Readonly<Record<Exclude<LossReason, 'nothing-to-upload'>, string>> = {
  'not-on-this-server':
    'this GitHub server has no artifact service of version 4. Keep the folder with an upload step that your server supports.',
  'no-runtime-token':
    'the artifact service was not offered to this step. Only JavaScript actions on a GitHub runner get it.',
  'name-taken': 'this run already has an artifact of that name. Give each use of the action its own `name`.',
  forbidden: 'the artifact service refused it. Check that the run may write artifacts.',
  quota: 'the artifact storage is full. Delete old artifacts or shorten their retention.',
  network: 'the connection to the artifact service failed.',
  timeout: 'the artifact service did not finish in time.',
  other: 'the upload failed.',
};

function leftOutWarnings(leftOut: readonly { path: string; why: string }[]): string[] {
  const named = leftOut
    .slice(0, MOST_NAMES)
    .map(({ path, why }) => `Left out of the artifact: ${escapeLog(oneLine(path))}, because ${why}.`);
  const left = leftOut.length - named.length;
  return left > 0 ? [...named, `Left out of the artifact: ${plural(left, 'more file')}.`] : named;
}

/** Runs an upload for at most so long; also catches what the client throws outside of its promise (its zip stream does). */
async function within<T>(ms: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onUncaught: ((error: unknown) => void) | undefined;
  try {
    return await new Promise<T>((done, fail) => {
      timer = setTimeout(() => fail(new DeadlineError(`no end after ${seconds(ms)}`)), ms);
      onUncaught = fail;
      process.on('uncaughtException', onUncaught);
      run().then(done, fail);
    });
  } finally {
    clearTimeout(timer);
    if (onUncaught) process.off('uncaughtException', onUncaught);
  }
}

class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

function artifactUrl(env: UploadRequest['env'], id: number): string {
  const server = env.GITHUB_SERVER_URL ?? 'https://github.com';
  return `${server}/${env.GITHUB_REPOSITORY ?? ''}/actions/runs/${env.GITHUB_RUN_ID ?? ''}/artifacts/${id}`;
}
