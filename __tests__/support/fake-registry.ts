import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FakeRegistry extends AsyncDisposable {
  /** Environment that makes the real npm ask this registry. */
  readonly env: Record<string, string | undefined>;
  readonly calls: string[];
  readonly url: string;
  publish(name: string, versions: readonly string[], tags: Readonly<Record<string, string>>): void;
  /** From now on every request is answered with this status, or never when `hang`. */
  fail(status: number | 'hang'): void;
}

/** An npm registry on loopback that knows names, versions and tags; for the real npm client. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const packages = new Map<string, unknown>();
  const calls: string[] = [];
  let failure: number | 'hang' | undefined;
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    if (failure === 'hang') return;
    if (failure !== undefined) {
      response.writeHead(failure).end('{}');
      return;
    }
    const found = packages.get(decodeURIComponent((request.url ?? '/').slice(1)));
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'not_found' }));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const home = await mkdtemp(join(tmpdir(), 'fake-registry-'));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: `http://127.0.0.1:${port}`,
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(home, 'cache'),
      npm_config_userconfig: join(home, 'npmrc'),
      npm_config_fetch_retry_mintimeout: '10',
      npm_config_update_notifier: 'false',
    },
    publish(name, versions, tags) {
      packages.set(name, {
        name,
        'dist-tags': tags,
        versions: Object.fromEntries(
          versions.map((version) => [
            version,
            { name, version, dist: { tarball: `http://127.0.0.1:${port}/none.tgz`, shasum: '0' } },
          ]),
        ),
      });
    },
    fail(status) {
      failure = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
}
