import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The demo server on a free port, in a process of its own. */
export async function startDemoServer(): Promise<{ url: string } & AsyncDisposable> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', '..', 'demo', 'server.ts'), '--port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  for await (const line of createInterface(child.stderr)) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    return {
      url,
      async [Symbol.asyncDispose]() {
        child.kill();
        await once(child, 'exit');
      },
    };
  }
  throw new Error('the demo server ended without saying where it listens');
}
