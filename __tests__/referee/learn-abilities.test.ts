import { expect, test } from 'vitest';
import { learnAbilities, readAbilities } from '../../src/referee/learn-abilities.ts';
import { aReferee } from '../support/a-referee.ts';

test('the installed referee says what it can do', async () => {
  const { root, node } = aReferee();
  expect(await learnAbilities(root, 'pin', { node, signal: new AbortController().signal })).toEqual({
    requirementsOption: { server: true, client: true },
    serverTimeout: true,
    specVersion: true,
    force: true,
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
  });
});

test('an option counts where it is defined, not where another one mentions it', () => {
  const help = (lines: string) => `Usage: conformance server\n\nOptions:\n${lines}`;
  const mentioned = help('  --force   Run it\n            --requirements and --timeout decide otherwise\n');
  expect(readAbilities({ server: mentioned, client: '', list: '' })).toEqual({
    requirementsOption: { server: false, client: false },
    serverTimeout: false,
    specVersion: false,
    force: true,
    revisions: [],
  });
  const defined = help('  -t, --timeout <ms>  words\n  --requirements <revision>  words\n');
  expect(readAbilities({ server: defined, client: defined, list: '' })).toMatchObject({
    requirementsOption: { server: true, client: true },
    serverTimeout: true,
  });
});

test('revisions come from the tags of the list, not from names that hold a date', () => {
  const list =
    '  - auth/2025-03-26-fallback [2024-11-05,extension]\n  - ping [2025-06-18]\nSets: 2026-07-28\n';
  expect(readAbilities({ server: '', client: '', list }).revisions).toEqual(['2024-11-05', '2025-06-18']);
});
