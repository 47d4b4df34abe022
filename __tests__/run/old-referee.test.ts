import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefereePlan } from '../../src/config/plan.ts';
import { pinReferee } from '../../src/referee/commands/pin.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import type { Referee } from '../../src/referee/referee.ts';
import { scenariosOf } from '../../src/referee/scenarios.ts';
import { scenariosWithReport } from '../../src/run/report-folders.ts';
import { aProfile } from '../support/a-referee.ts';
import { watched } from '../support/a-referee-plan.ts';
import { aPlan, everything, run } from '../support/a-run.ts';
import { judgeRun } from '../support/judge-run.ts';
import { registryAnswers } from '../support/registry-answers.ts';
import { scripted } from '../support/scripted.ts';

const SUITE = 'suite:active@2025-11-25';

describe.skipIf(!registryAnswers)(
  'referee 0.1.16 (skipped only when the npm registry does not answer)',
  () => {
    let folder: string;
    let referee: Referee;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'old-referee-'));
      const plan: RefereePlan = {
        pin: parsePin('npm:0.1.16'),
        repository: 'unused',
        locks: join(folder, 'locks'),
        cache: join(folder, 'cache'),
        offline: false,
      };
      await pinReferee(plan, watched());
      referee = await prepareReferee(plan, watched());
    }, 300_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test('a suite accounts for its 30 scenarios', { timeout: 120_000 }, async () => {
      const { list } = await scenariosOf(referee, aProfile(SUITE));
      expect(list.scored).toHaveLength(30);
      const ran = await run(everything(), { profile: SUITE, referee, scenarios: list });
      expect(ran.metadata.faults).toEqual([]);
      expect(ran.metadata.runs).toHaveLength(1);
      expect([...(await scenariosWithReport(join(ran.folder, 'raw'), 'server'))].sort()).toEqual(
        [...list.scored].sort(),
      );
      expect(ran.events.filter(({ kind }) => kind === 'scenario')).toHaveLength(30);
      const { verdict, findings } = await judgeRun(ran);
      expect(verdict.outcome).toBe('fail');
      expect(verdict.counts.scenarios.scored).toBe(30);
      expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(['unclassified']));
    });

    test('a scenario that hangs is ended by us, since this referee has no timeout; the others are run', {
      timeout: 120_000,
    }, async () => {
      const { list } = await scenariosOf(referee, aProfile(SUITE));
      // One that hangs, amid 30: the ones after it are run one by one.
      const hangs = scripted({ answer: 'endless-stream', only: 'prompts/list' });
      const few = list.scored.filter((scenario) =>
        /^(ping|logging-set-level|prompts-get-simple)$/.test(scenario),
      );
      const ran = await run(hangs, {
        profile: SUITE,
        referee,
        scenarios: list,
        plan: aPlan({ deadlines: { scenarioMs: 1_000, profileMs: 100_000, runMs: 100_000 } }),
      });
      const timeouts = ran.metadata.faults.filter(({ kind }) => kind === 'scenario-timeout');
      expect(timeouts.map((fault) => ('scenario' in fault ? fault.scenario : ''))).toContain('prompts-list');
      const reported = await scenariosWithReport(join(ran.folder, 'raw'), 'server');
      for (const scenario of few) expect(reported).toContain(scenario);
      expect(reported.size + timeouts.length).toBeGreaterThanOrEqual(30);
      const { verdict, findings } = await judgeRun(ran);
      expect(verdict.outcome).toBe('inconclusive');
      expect(findings.filter(({ kind }) => kind === 'missing-report')).toEqual([]);
    });
  },
);
