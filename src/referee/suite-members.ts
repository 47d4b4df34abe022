import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../profile.ts';
import { ConfigError, MeasurementFault } from '../shared/errors.ts';
import { foreignEnv } from './child-env.ts';
import type { Referee } from './referee.ts';
import { runTool, type ToolResult, tailOf } from './run-tool.ts';

const DRY_RUN_TIMEOUT_MS = 60_000;

/**
 * What a suite holds. No referee lists that (`list` leaves suites out), but each names its scenarios as it runs them, so
 * the suite is run once against a port of ours that hangs up on everyone: about half a second.
 * @throws ConfigError when the referee has no such suite
 * @throws MeasurementFault when its words cannot be understood
 */
export async function suiteMembers(
  referee: Referee,
  profile: Profile,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), 'mcp-referee-home-'));
  const { port, close } = await hangUp();
  try {
    const said = await runTool({
      file: referee.node,
      args: [
        referee.entry,
        'server',
        '--url',
        `http://127.0.0.1:${port}/mcp`,
        '--suite',
        profile.suite ?? '',
        '--spec-version',
        profile.revision,
      ],
      cwd: home,
      env: foreignEnv(process.env, home),
      timeoutMs: DRY_RUN_TIMEOUT_MS,
      signal,
    });
    return membersIn(said, referee, profile);
  } finally {
    await close();
    await rm(home, { recursive: true, force: true });
  }
}

function membersIn(said: ToolResult, referee: Referee, profile: Profile): string[] {
  const available = /^Available suites: (.+)$/m.exec(`${said.stdout}\n${said.stderr}`)?.[1];
  if (available !== undefined) {
    throw new ConfigError(`Referee ${referee.facts.pin} has no suite "${profile.suite}".`, {
      hint: `It has: ${available}.`,
    });
  }
  const announced = /^Running .* \((\d+) scenarios\)/m.exec(said.stdout)?.[1];
  const names = [...said.stdout.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map((line) => line[1] ?? '');
  if (announced === undefined || Number(announced) !== names.length) {
    throw new MeasurementFault({
      kind: 'referee-crashed',
      profile: profile.id,
      exitCode: said.exitCode ?? null,
      signal: null,
      logTail: tailOf(said),
    });
  }
  return names;
}

/** A loopback port that accepts and hangs up at once, so that nobody else's server can be met there. */
async function hangUp(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
