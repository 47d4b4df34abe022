import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scenariosWithReport } from '../../src/run/report-folders.ts';
import { aClientCommand, aFolder, aPlan, run, smallClient } from '../support/a-run.ts';
import { judgeRun } from '../support/judge-run.ts';
import { isRunning, until } from '../support/process-table.ts';

/** The scenarios that a client without OAuth can pass. */
const IMPLEMENTED = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];

test('a real client passes what it implements, never more at once than jobs', {
  timeout: 180_000,
}, async () => {
  const log = join(await aFolder(), 'clients');
  const ran = await run(smallClient({ env: { CLIENT_LOG: log } }), {
    profile: 'client:2025-11-25',
    plan: aPlan({ jobs: 2, deadlines: { scenarioMs: 30_000, profileMs: 170_000, runMs: 170_000 } }),
  });
  const { metadata, folder } = ran;
  expect(metadata.faults).toEqual([]);
  expect(metadata.scenarios.scored).toHaveLength(18);
  expect(metadata.scenarios.notScored).toHaveLength(7);
  expect((await scenariosWithReport(join(folder, 'raw'), 'client')).size).toBe(25);
  expect(metadata.clients).toHaveLength(25);
  expect(metadata.runs.map(({ scenario }) => scenario).sort()).toEqual(
    metadata.clients?.map(({ scenario }) => scenario).sort(),
  );

  let now = 0;
  let most = 0;
  let started = 0;
  for (const line of (await readFile(log, 'utf8')).trim().split('\n')) {
    now += line.startsWith('+') ? 1 : -1;
    started += line.startsWith('+') ? 1 : 0;
    most = Math.max(most, now);
  }
  expect(started).toBe(25);
  expect(most).toBe(2);

  const { verdict } = await judgeRun(ran);
  const passed = verdict.scenarios
    .filter(({ result }) => result === 'passed')
    .map(({ scenario }) => scenario);
  expect(passed).toEqual(expect.arrayContaining(IMPLEMENTED));
  expect(verdict.outcome).toBe('fail');
  for (const scenario of IMPLEMENTED) {
    expect(metadata.clients).toContainEqual({ scenario, exitCode: 0, timedOut: false });
  }
  // A client without OAuth ends with an error, and the referee says where that is allowed.
  expect(metadata.clients).toContainEqual({
    scenario: 'auth/metadata-default',
    exitCode: 1,
    timedOut: false,
    allowed: false,
  });
  expect(await readFile(join(folder, 'referee.log'), 'utf8')).toContain('Client exited with code 1');
});

test('what a client prints is kept beside its report', async () => {
  const { folder } = await run(aClientCommand('sh -c "echo on-stdout; echo on-stderr >&2; exit 3" client'), {
    profile: 'client:2025-11-25',
    only: ['initialize'],
  });
  const [report] = await reports(folder);
  expect(await readFile(join(report ?? '', 'stdout.txt'), 'utf8')).toBe('on-stdout\n');
  expect(await readFile(join(report ?? '', 'stderr.txt'), 'utf8')).toBe('on-stderr\n');
});

test.each(['sh -c "kill -SEGV \\$\\$" client', `exec sh -c 'kill -SEGV "$$"' client`])(
  'a client that a signal kills did not end well: %s',
  async (command) => {
    const { metadata } = await run(aClientCommand(command), {
      profile: 'client:2025-11-25',
      only: ['initialize'],
    });
    expect(metadata.clients).toEqual([
      { scenario: 'initialize', exitCode: 128 + constants.signals.SIGSEGV, timedOut: false, allowed: false },
    ]);
  },
);

test('a client that hangs is ended with its children, and its report is kept', async () => {
  const pids = join(await aFolder(), 'pids');
  // The child ignores TERM and holds the pipes, so that the referee would wait for it for ever.
  const command = `sh -c "trap '' TERM; (trap '' TERM; echo $$ >> ${pids}; sleep 300) & wait; sleep 300" client`;
  const started = performance.now();
  const ran = await run(aClientCommand(command), {
    profile: 'client:2025-11-25',
    only: ['initialize'],
    plan: aPlan({ deadlines: { scenarioMs: 1_000, profileMs: 60_000, runMs: 60_000 } }),
  });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(ran.metadata.clients).toEqual([{ scenario: 'initialize', exitCode: null, timedOut: true }]);
  expect((await scenariosWithReport(join(ran.folder, 'raw'), 'client')).has('initialize')).toBe(true);
  const kinds = (await judgeRun(ran)).findings.map(({ kind }) => kind);
  expect(kinds).toContain('scenario-timeout');
  for (const pid of (await readFile(pids, 'utf8')).trim().split('\n').map(Number)) {
    await until(async () => !(await isRunning(pid)));
  }
});

test('the profile deadline ends what runs and names what did not', async () => {
  const ran = await run(aClientCommand('sh -c "sleep 300" client'), {
    profile: 'client:2025-11-25',
    plan: aPlan({ jobs: 2, deadlines: { scenarioMs: 60_000, profileMs: 2_000, runMs: 60_000 } }),
  });
  const [fault] = ran.metadata.faults;
  expect(fault).toMatchObject({ kind: 'profile-timeout', timeoutMs: 2_000 });
  expect(fault?.notRun).toHaveLength(25);
  expect((await judgeRun(ran)).verdict.outcome).toBe('inconclusive');
});

async function reports(folder: string): Promise<string[]> {
  const raw = join(folder, 'raw');
  return (await readdir(raw)).map((name) => join(raw, name));
}
