import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunMetadata } from '../../src/run/metadata.ts';
import { scenariosWithReport } from '../../src/run/report-folders.ts';
import { runTogether } from '../../src/run/run-profile.ts';
import { groupProfiles } from '../../src/run/share.ts';
import { aProfile, aReferee, aScenarioList } from '../support/a-referee.ts';
import { aFolder, aPlan, aServerCommand, everything, run, smallClient } from '../support/a-run.ts';
import { judgeRun } from '../support/judge-run.ts';

const demo = aServerCommand(`exec '${process.execPath}' demo/server.ts`);
const plans = (...ids: string[]) => ids.map((id) => ({ profile: aProfile(id), target: demo }));
const names = (groups: ReturnType<typeof groupProfiles>) =>
  groups.map((group) => group.map(({ profile }) => profile.id));

test('an extension profile shares the run of the required one of its revision and target', () => {
  expect(
    names(groupProfiles(plans('server-extensions:2026-07-28', 'server:2025-11-25', 'server:2026-07-28'))),
  ).toEqual([['server:2025-11-25'], ['server:2026-07-28', 'server-extensions:2026-07-28']]);
  expect(names(groupProfiles(plans('server-extensions:2026-07-28', 'server:2025-11-25')))).toEqual([
    ['server:2025-11-25'],
    ['server-extensions:2026-07-28'],
  ]);
  const [base, extension] = plans('server:2026-07-28', 'server-extensions:2026-07-28');
  if (!base || !extension) throw new Error('two plans');
  const elsewhere = { ...extension, target: { ...demo, env: { OTHER: '1' } } };
  expect(names(groupProfiles([base, elsewhere]))).toHaveLength(2);
  const client = { profile: aProfile('client-extensions:2026-07-28'), target: smallClient() };
  expect(names(groupProfiles([base, client]))).toHaveLength(2);
});

test('both are judged from one run, each in its own folder', { timeout: 120_000 }, async () => {
  const parts = await Promise.all(
    plans('server:2026-07-28', 'server-extensions:2026-07-28').map(async (job) => ({
      job,
      ctx: {
        referee: aReferee(),
        scenarios: aScenarioList(job.profile),
        folder: await aFolder(),
        plan: aPlan({ confirm: 1 }),
        source: {},
        progress: () => undefined,
        signal: new AbortController().signal,
        unexpected: async (metadata: RunMetadata) =>
          metadata.profile.includes('extensions') ? ['tasks-lifecycle'] : ['tools-list'],
      },
    })),
  );
  const [base, extension] = await runTogether(parts);
  if (!base || !extension) throw new Error('two profiles, two results');
  expect(base.runs).toHaveLength(1);
  expect(extension.runs).toEqual(base.runs);
  expect(extension.probes).toEqual(base.probes);
  expect(extension.faults).toEqual([]);
  expect([base.profile, extension.profile]).toEqual(['server:2026-07-28', 'server-extensions:2026-07-28']);
  expect(extension.scenarios.scored).toHaveLength(10);
  expect(extension.scenarios.notScored).toEqual([]);

  const folder = parts[1]?.ctx.folder ?? '';
  const own = await scenariosWithReport(join(folder, 'raw'), 'server');
  expect([...own].every((scenario) => scenario.startsWith('tasks-'))).toBe(true);
  expect((await scenariosWithReport(join(parts[0]?.ctx.folder ?? '', 'raw'), 'server')).size).toBeGreaterThan(
    45,
  );
  expect(await readFile(join(folder, 'referee.log'), 'utf8')).toContain('=== SUMMARY ===');

  // Each has its own re-runs, made while the target still ran.
  expect(base.reruns.map(({ scenario }) => scenario)).toEqual(['tools-list']);
  expect(extension.reruns.map(({ scenario }) => scenario)).toEqual(['tasks-lifecycle']);
  expect(await readFile(join(folder, 'reruns/1/tasks-lifecycle/referee.log'), 'utf8')).toContain(
    'tasks-lifecycle',
  );

  const shared = await judgeRun({ metadata: extension, folder, events: [] });
  expect(shared.verdict.outcome).toBe('fail');
  expect(new Set(shared.findings.map(({ kind }) => kind))).toEqual(new Set(['unclassified']));

  // On its own the extension profile says the same.
  const alone = await run(demo, { profile: 'server-extensions:2026-07-28' });
  const checks = (all: typeof shared.checks) =>
    all.map(({ scenario, check, statuses }) => [scenario, check, statuses]);
  expect(checks((await judgeRun(alone)).checks)).toEqual(checks(shared.checks));
});

test('what stopped the run stops both, and each names its own', async () => {
  const died = aServerCommand('exit 3');
  const parts = await Promise.all(
    ['server:2026-07-28', 'server-extensions:2026-07-28'].map(async (id) => {
      const job = { profile: aProfile(id), target: died };
      const rest = {
        plan: aPlan(),
        source: {},
        progress: () => undefined,
        signal: new AbortController().signal,
      };
      return {
        job,
        ctx: { referee: aReferee(), scenarios: aScenarioList(job.profile), folder: await aFolder(), ...rest },
      };
    }),
  );
  const [base, extension] = await runTogether(parts);
  expect(base?.faults).toMatchObject([{ kind: 'target-start-failed', profile: 'server:2026-07-28' }]);
  expect(base?.faults[0]?.notRun).toHaveLength(50);
  expect(extension?.faults).toMatchObject([
    { kind: 'target-start-failed', profile: 'server-extensions:2026-07-28' },
  ]);
  expect(extension?.faults[0]?.notRun).toHaveLength(10);
});

test('a partial run runs what was asked for, each alone, and says so', async () => {
  const only = ['tools-list', 'tasks-capability-negotiation'];
  const ran = await run(everything(), { profile: 'server:2026-07-28', only });
  expect(ran.metadata.runs.map(({ scenario }) => scenario)).toEqual(only);
  expect(ran.metadata.scenarios.only).toEqual(only);
  const { checks, verdict } = await judgeRun(ran);
  expect(new Set(checks.map(({ scenario }) => scenario))).toEqual(new Set(only));
  // It throws against this server; alone the referee words that differently, and it is a report all the same.
  expect(verdict.scenarios.find(({ scenario }) => scenario === 'tasks-capability-negotiation')).toMatchObject(
    {
      result: 'not-scored-failing',
    },
  );
});
