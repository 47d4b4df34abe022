import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { locateNpm } from '../../src/referee/locate-npm.ts';

const run = promisify(execFile);

export interface FakePackageRegistry extends AsyncDisposable {
  /** npm configuration that makes the real npm ask this registry and keep its own cache out of it. */
  readonly env: Record<string, string>;
  /** Paths that were asked for, in order. */
  readonly calls: string[];
  /** Packs a package with the real npm; its files' contents by path, package.json included. */
  publish(files: Readonly<Record<string, string>>): Promise<void>;
  /** From now on tarballs of this package come with one byte changed. */
  corrupt(name: string): void;
  /** From now on nothing is answered; `go` lets it all through. */
  hang(): void;
  go(): void;
}

interface Published {
  readonly manifest: Record<string, unknown> & { name: string; version: string };
  readonly tarball: Buffer;
}

/** An npm registry on loopback with real tarballs in it, for the real npm client. */
export async function startFakePackageRegistry(): Promise<FakePackageRegistry> {
  const packages = new Map<string, Published[]>();
  const calls: string[] = [];
  const corrupted = new Set<string>();
  const waiting: (() => void)[] = [];
  let hanging = false;
  const home = await mkdtemp(join(tmpdir(), 'fake-package-registry-'));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    calls.push(path);
    const answer = () => {
      const tarball = /^\/tarballs\/(.+)\/([^/]+)\.tgz$/.exec(path);
      if (tarball?.[1] !== undefined) {
        const found = packages.get(tarball[1])?.find(({ manifest }) => manifest.version === tarball[2]);
        if (found === undefined) return response.writeHead(404).end();
        return response.end(corrupted.has(tarball[1]) ? flipped(found.tarball) : found.tarball);
      }
      const versions = packages.get(path.slice(1));
      response.writeHead(versions === undefined ? 404 : 200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(versions === undefined ? {} : packument(versions, base())));
    };
    if (hanging) waiting.push(answer);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(join(home, 'npmrc'), '');
  return {
    calls,
    env: {
      npm_config_registry: `${base()}/`,
      npm_config_cache: join(home, 'cache'),
      npm_config_userconfig: join(home, 'npmrc'),
      npm_config_globalconfig: join(home, 'no-global-npmrc'),
      npm_config_fetch_retry_mintimeout: '10',
      npm_config_fetch_retry_maxtimeout: '50',
    },
    async publish(files) {
      const tarball = await tarballOf(files, home);
      const manifest = JSON.parse(files['package.json'] ?? '');
      packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { manifest, tarball }]);
    },
    corrupt: (name) => corrupted.add(name),
    hang() {
      hanging = true;
    },
    go() {
      hanging = false;
      for (const answer of waiting.splice(0)) answer();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
}

function packument(versions: readonly Published[], base: string) {
  return {
    name: versions[0]?.manifest.name,
    'dist-tags': { latest: versions.at(-1)?.manifest.version },
    versions: Object.fromEntries(
      versions.map(({ manifest, tarball }) => [
        manifest.version,
        {
          ...manifest,
          hasInstallScript: 'scripts' in manifest,
          dist: {
            tarball: `${base}/tarballs/${manifest.name}/${manifest.version}.tgz`,
            integrity: integrityOf(tarball),
          },
        },
      ]),
    ),
  };
}

/** Packing is slow, and the same files make the same bytes. */
const packed = new Map<string, Promise<Buffer>>();

function tarballOf(files: Readonly<Record<string, string>>, home: string): Promise<Buffer> {
  const key = JSON.stringify(files);
  const known = packed.get(key) ?? pack(files, home);
  packed.set(key, known);
  return known;
}

async function pack(files: Readonly<Record<string, string>>, home: string): Promise<Buffer> {
  const npm = await locateNpm({ node: process.execPath, env: process.env });
  if (npm === undefined) throw new Error('these tests need npm');
  const folder = await mkdtemp(join(home, 'package-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const said = await run(npm.file, [...npm.args, 'pack', '--ignore-scripts', '--silent'], { cwd: folder });
  return readFile(join(folder, said.stdout.trim()));
}

export function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

/** The last byte of a gzip file belongs to its length: still a file of the same size, and another hash. */
function flipped(tarball: Buffer): Buffer {
  const copy = Buffer.from(tarball);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
}
