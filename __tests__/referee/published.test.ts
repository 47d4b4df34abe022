import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefereePlan } from '../../src/config/plan.ts';
import { listReferees } from '../../src/referee/commands/list.ts';
import { pinReferee } from '../../src/referee/commands/pin.ts';
import { DEFAULT_PIN, KNOWN_PINS } from '../../src/referee/known-pins.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import { preflight } from '../../src/referee/preflight.ts';
import { prepareReferee } from '../../src/referee/prepare.ts';
import type { Referee } from '../../src/referee/referee.ts';
import { scenariosOf } from '../../src/referee/scenarios.ts';
import { explainPinMistake } from '../../src/referee/versions.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { aProfile } from '../support/a-referee.ts';
import { watched } from '../support/a-referee-plan.ts';
import { registryAnswers } from '../support/registry-answers.ts';

describe.skipIf(!registryAnswers)(
  'published referees (skipped only when the npm registry does not answer)',
  () => {
    let folder: string;
    const plan = (pin: string): RefereePlan => ({
      pin: parsePin(pin),
      repository: 'unused',
      locks: join(folder, 'locks'),
      cache: join(folder, 'cache'),
      offline: false,
    });
    const referees = new Map<string, Referee>();
    const referee = (pin: string): Referee => {
      const found = referees.get(pin);
      if (found === undefined) throw new Error(`${pin} was not prepared`);
      return found;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'published-referees-'));
      for (const { pin } of KNOWN_PINS) {
        // The default's lock ships; the others are resolved here, as a user would.
        if (pin !== DEFAULT_PIN) await pinReferee(plan(pin), watched());
        referees.set(pin, await prepareReferee(plan(pin), watched()));
      }
    }, 300_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test.each(KNOWN_PINS)('$pin can do what the hints say that it can', ({ pin, profiles, revisions }) => {
      const { abilities, facts } = referee(pin);
      expect(facts).toMatchObject({ pin, cache: 'miss' });
      const kinds = ['server', 'client', 'server-extensions', 'client-extensions'];
      const possible = kinds.flatMap((kind) => revisions.map((revision) => `${kind}:${revision}`));
      expect(possible.filter((id) => canRun(referee(pin), id)).sort()).toEqual([...profiles].sort());
      expect(abilities.revisions).toEqual(revisions);
      expect(abilities.specVersion).toBe(true);
    });

    test('what tells the versions apart is learnt from them', () => {
      const timeouts = KNOWN_PINS.map(({ pin }) => [pin, referee(pin).abilities.serverTimeout]);
      expect(timeouts).toEqual([
        ['npm:0.1.16', false],
        ['npm:0.2.0-alpha.10', false],
        ['npm:0.2.0-alpha.11', false],
        ['npm:0.2.0-alpha.12', true],
      ]);
      expect(referee('npm:0.1.16').abilities.force).toBe(false);
      expect(referee('npm:0.2.0-alpha.10').abilities.force).toBe(true);
    });

    const PROFILES = [
      'server:2025-11-25',
      'client:2026-07-28',
      'server-extensions:2026-07-28',
      'server-extensions:2025-11-25',
      'server:2024-11-05',
      'suite:active@2025-11-25',
      'suite:active@2026-07-28',
    ];
    test.each(KNOWN_PINS)('$pin answers preflight', ({ pin }) => {
      const answers = PROFILES.map((id) => {
        try {
          preflight(referee(pin), [aProfile(id)]);
          return `${id}: yes`;
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          return `${id}: ${error.message}\n  → ${error.hint}`;
        }
      });
      expect(answers.join('\n')).toMatchSnapshot();
    });

    test('scenarios come from the frozen sets, and for older referees from the suite itself', async () => {
      const { list, requirements } = await scenariosOf(referee(DEFAULT_PIN), aProfile('server:2026-07-28'));
      expect([list.scored.length, list.notScored.length]).toEqual([37, 13]);
      expect(requirements).toMatch(/^sha256:/);
      // The same frozen set, byte for byte, in the release before.
      const before = await scenariosOf(referee('npm:0.2.0-alpha.11'), aProfile('server:2026-07-28'));
      expect(before.requirements).toBe(requirements);

      const suite = await scenariosOf(referee('npm:0.1.16'), aProfile('suite:active@2025-11-25'));
      expect(suite.list.scored).toHaveLength(30);
      expect(suite).not.toHaveProperty('requirements');
      await expect(
        scenariosOf(referee('npm:0.1.16'), aProfile('suite:draft@2025-11-25')),
      ).rejects.toMatchObject({ hint: 'It has: active, all, core, pending.' });
    });

    test('a range is refused with the versions that exist', async () => {
      const mistake = (() => {
        try {
          return parsePin('npm:latest');
        } catch (error) {
          return error;
        }
      })();
      const explained = await explainPinMistake(mistake, new AbortController().signal);
      expect(explained).toMatchObject({
        hint: expect.stringMatching(
          /^Write an exact version\. These exist: .*0\.2\.0-alpha\.12, .*0\.1\.16, .*0\.1\.5\.$/,
        ),
      });
      await expect(prepareReferee(plan('npm:0.2.0-alpha.8'), watched())).rejects.toMatchObject({
        message: 'There is no @modelcontextprotocol/conformance 0.2.0-alpha.8.',
      });
    });

    test('list tells what is locked, cached and published', async () => {
      const listed = await listReferees(plan(DEFAULT_PIN), watched());
      expect(listed.locked.map(({ pin, ships }) => [pin, ships])).toEqual([
        ['npm:0.1.16', false],
        ['npm:0.2.0-alpha.10', false],
        ['npm:0.2.0-alpha.11', false],
        [DEFAULT_PIN, true],
      ]);
      expect(listed.cached.map(({ pin }) => pin).sort()).toEqual(KNOWN_PINS.map(({ pin }) => pin).sort());
      expect(listed.published).toEqual(expect.arrayContaining(['0.1.16', '0.2.0-alpha.12']));
    });
  },
);

function canRun(referee: Referee, id: string): boolean {
  try {
    preflight(referee, [aProfile(id)]);
    return true;
  } catch {
    return false;
  }
}
