import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMetadataSchema } from '../../src/run/metadata.ts';
import { until } from '../support/process-table.ts';
import { processesWith } from '../support/processes-with.ts';
import { startGate } from '../support/run-source.ts';
import { scriptedCommand } from '../support/scripted.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A run whose third scenario hangs, stopped while it does. The server ignores TERM, and says its token all the time. */
async function stoppedBy(signal: NodeJS.Signals) {
  const cwd = await temporaryFolder();
  const marker = `gate-signal-${randomUUID()}`;
  const token = `tok-${randomUUID()}`;
  const script = {
    ignoresTerm: true,
    token,
    echo: true,
    answer: 'endless-stream',
    only: 'tools/list',
  } as const;
  // The token reaches the server by its environment, as a real one would.
  const command = scriptedCommand(script).replace(token, '\'"$SERVER_TOKEN"\'');
  const gate = startGate(
    [
      ...['--profile', 'server:2025-11-25', '--server-command', command],
      ...['--header', `authorization: Bearer ${token}`, '--scenario-timeout', '60s'],
    ],
    { cwd, env: { SERVER_TOKEN: token, GATE_MARKER: marker } },
  );
  const profile = join(cwd, 'conformance-report', 'profiles', 'server-2025-11-25');
  const reports = () => readdir(join(profile, 'raw')).catch((): string[] => []);
  // Some scenarios have their report, and the next one hangs.
  await until(
    async () => (await reports()).some((name) => name.startsWith('server-completion-complete')),
    60_000,
  );
  await until(async () => false, 1_000).catch(() => undefined);
  const told = performance.now();
  gate.child.kill(signal);
  const code = await gate.ended;
  return { code, tookMs: performance.now() - told, profile, marker, token, said: gate.said() };
}

const clean = async (folder: string, token: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    expect(await readFile(join(entry.parentPath, entry.name), 'utf8'), entry.name).not.toContain(token);
  }
};

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s: everything stops within 5 s and what there is, is kept',
  { timeout: 120_000 },
  async (signal) => {
    const { code, tookMs, profile, marker, token, said } = await stoppedBy(signal);
    expect(tookMs).toBeLessThan(5_000);
    expect(code, said).toBe(3);
    expect(await processesWith(marker)).toEqual([]);
    const metadata = runMetadataSchema.parse(
      JSON.parse(await readFile(join(profile, 'metadata.json'), 'utf8')),
    );
    expect(metadata.faults).toMatchObject([{ kind: 'interrupted', signal }]);
    expect(metadata.faults[0]?.notRun).toContain('tools-list');
    expect(metadata.faults[0]?.notRun).not.toContain('ping');
    expect((await readdir(join(profile, 'raw'))).length).toBeGreaterThan(2);
    expect((await stat(join(profile, 'target.log'))).size).toBeGreaterThan(0);
    const verdict = await readFile(join(profile, '..', '..', 'verdict.json'), 'utf8');
    expect(JSON.parse(verdict)).toMatchObject({ outcome: 'inconclusive' });
    await clean(join(profile, '..', '..'), token);
  },
);

test('SIGKILL: nothing is left running, no secret lies on disk, and what is left does not look complete', async () => {
  const { profile, marker, token } = await stoppedBy('SIGKILL');
  await until(async () => (await processesWith(marker)).length === 0);
  const metadata = runMetadataSchema.parse(
    JSON.parse(await readFile(join(profile, 'metadata.json'), 'utf8')),
  );
  expect(metadata.faults).toMatchObject([{ kind: 'interrupted', signal: 'unfinished' }]);
  expect((await readdir(join(profile, 'raw'))).length).toBeGreaterThan(2);
  await clean(join(profile, '..', '..'), token);
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith('mcp-conformance-gate-')) await clean(join(tmpdir(), name), token);
  }
});
