import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scenariosOf } from '../../src/referee/scenarios.ts';
import { suiteMembers } from '../../src/referee/suite-members.ts';
import { aProfile, aReferee } from '../support/a-referee.ts';
import { faultOf } from '../support/fault-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  ['server:2025-11-25', 30, 3],
  ['client:2025-11-25', 18, 7],
  ['server:2026-07-28', 37, 13],
  ['client:2026-07-28', 32, 7],
  ['server-extensions:2026-07-28', 10, 0],
  ['client-extensions:2026-07-28', 6, 0],
])('%s: %i scored, %i not scored', async (id, scored, notScored) => {
  const { list, requirements } = await scenariosOf(aReferee(), aProfile(id));
  expect([list.scored.length, list.notScored.length]).toEqual([scored, notScored]);
  expect(list).not.toHaveProperty('only');
  expect(requirements).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('each scenario that is not scored keeps its reason', async () => {
  const { list } = await scenariosOf(aReferee(), aProfile('server:2025-11-25'));
  expect(list.notScored).toEqual([
    { scenario: 'server-session-lifecycle', reason: 'added-after-release' },
    { scenario: 'json-schema-2020-12', reason: 'pending', note: expect.any(String) },
    { scenario: 'server-sse-polling', reason: 'pending', note: expect.any(String) },
  ]);
});

test('a partial run keeps the whole list and names what was asked for', async () => {
  const profile = aProfile('server:2025-11-25');
  const { list } = await scenariosOf(aReferee(), profile, ['ping', 'server-sse-polling']);
  expect(list.scored).toHaveLength(30);
  expect(list.only).toEqual(['ping', 'server-sse-polling']);
  await expect(scenariosOf(aReferee(), profile, ['tool-list'])).rejects.toMatchObject({
    message: 'server:2025-11-25 has no scenario "tool-list".',
    hint: 'Did you mean tools-list?',
  });
});

test('a suite holds what the referee itself would run', async () => {
  const referee = aReferee({ abilities: { ...aReferee().abilities, revisions: ['2025-11-25'] } });
  const active = await scenariosOf(referee, aProfile('suite:active@2025-11-25'));
  const pending = await scenariosOf(referee, aProfile('suite:pending@2025-11-25'));
  expect(active.list.scored).toContain('ping');
  expect(active.list.notScored).toEqual([]);
  expect(pending.list.scored).toEqual(['json-schema-2020-12', 'server-sse-polling']);
  expect(active.list.scored.filter((name) => pending.list.scored.includes(name))).toEqual([]);
});

test('a referee whose words do not add up is not believed', async () => {
  const entry = join(await temporaryFolder(), 'index.mjs');
  await writeFile(
    entry,
    "console.log('Running active suite (3 scenarios) against x');\nconsole.log('=== Running scenario: ping ===');",
  );
  const { finding } = await faultOf(suiteMembers(aReferee({ entry }), aProfile('suite:active@2025-11-25')));
  expect(finding).toMatchObject({ kind: 'referee-crashed', profile: 'suite:active@2025-11-25', exitCode: 0 });
});
