import { expect, test } from 'vitest';
import { aloneArguments, wholeArguments } from '../../src/run/referee-arguments.ts';
import { aProfile, aReferee } from '../support/a-referee.ts';

const old = aReferee({
  abilities: {
    ...aReferee().abilities,
    requirements: [],
    serverTimeout: false,
    specVersion: true,
    force: false,
  },
});
const common = { scenarioMs: 5_000, output: '/out' };
const at = { ...common, url: 'http://a/mcp' };

test.each([
  [
    'a requirement set',
    wholeArguments({ ...at, referee: aReferee(), profile: aProfile('server:2026-07-28') }),
  ],
  [
    'an extension profile',
    wholeArguments({ ...at, referee: aReferee(), profile: aProfile('server-extensions:2026-07-28') }),
  ],
  [
    'a suite of an old referee',
    wholeArguments({ ...at, referee: old, profile: aProfile('suite:active@2025-11-25') }),
  ],
  [
    'one server scenario',
    aloneArguments({ ...at, referee: aReferee(), profile: aProfile(), scenario: 'ping' }),
  ],
  [
    'one of an old referee',
    aloneArguments({ ...at, referee: old, profile: aProfile('suite:active@2025-11-25'), scenario: 'ping' }),
  ],
  [
    'one client scenario',
    aloneArguments({
      ...common,
      command: 'node c.js',
      referee: aReferee(),
      profile: aProfile('client:2025-11-25'),
      scenario: 'auth/x',
    }),
  ],
])('%s', (_, args) => {
  expect(args.join(' ')).toMatchSnapshot();
});
