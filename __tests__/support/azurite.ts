import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  BlobServiceClient,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';

/** Azurite's well-known development account. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const CONTAINER = 'artifacts';

export interface Azurite extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** An address that may be written or read without any other credential for an hour. */
  signedUrl(blob: string, permissions: 'cw' | 'r'): string;
  /** The whole blob. */
  download(blob: string): Promise<Buffer>;
}

/** A real blob store on a port of its own choice, kept in memory, ended with its scope. */
export async function startAzurite(): Promise<Azurite> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const folder = await mkdtemp(join(tmpdir(), 'azurite-'));
  const child = spawn(
    process.execPath,
    [
      main,
      '--blobPort',
      '0',
      '--inMemoryPersistence',
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = once(child, 'exit');
  let origin: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    origin = /successfully listens on (http:\/\/\S+)/.exec(line)?.[1];
    if (origin) break;
  }
  child.stdout.resume();
  if (!origin) throw new Error('azurite ended before it listened');
  const credential = new StorageSharedKeyCredential(ACCOUNT, KEY);
  const container = new BlobServiceClient(`${origin}/${ACCOUNT}`, credential).getContainerClient(CONTAINER);
  await container.create();
  return {
    origin,
    signedUrl: (blob, permissions) => {
      const sas = generateBlobSASQueryParameters(
        {
          containerName: CONTAINER,
          blobName: blob,
          permissions: ContainerSASPermissions.parse(permissions),
          expiresOn: new Date(Date.now() + 3_600_000),
        },
        credential,
      );
      return `${container.getBlobClient(blob).url}?${sas}`;
    },
    download: (blob) => container.getBlobClient(blob).downloadToBuffer(),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
