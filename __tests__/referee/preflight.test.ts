import { expect, test } from 'vitest';
import { preflight } from '../../src/referee/preflight.ts';
import type { Referee } from '../../src/referee/referee.ts';
import { requireNode } from '../../src/referee/require-node.ts';
import { aProfile, aReferee } from '../support/a-referee.ts';

const withAbilities = (abilities: Partial<Referee['abilities']>): Referee => {
  const referee = aReferee();
  return { ...referee, abilities: { ...referee.abilities, ...abilities } };
};

test('a Node that is too old for any referee is refused', () => {
  expect(() => requireNode('20.20.2')).toThrow(
    'The referee needs Node 22 or newer, and this is Node 20.20.2.',
  );
  expect(() => requireNode('v22.0.0')).not.toThrow();
});

test('what the referee’s own package.json asks for counts, and a range that nobody can read does not', () => {
  const asking = (nodeRange: string) => withAbilities({ nodeRange });
  expect(() => requireNode('24.1.0', asking('>=26'))).toThrow('asks for Node >=26, and this is Node 24.1.0.');
  expect(() => requireNode('24.1.0', asking('>=22'))).not.toThrow();
  expect(() => requireNode('24.1.0', asking('the newest'))).not.toThrow();
  expect(() => preflight(asking('>=999'), [])).toThrow('asks for Node >=999');
});

test('a set without the option that runs it is as good as none', () => {
  const referee = withAbilities({ requirementsOption: { server: false, client: true } });
  expect(() => preflight(referee, [aProfile('client:2025-11-25')])).not.toThrow();
  expect(() => preflight(referee, [aProfile('server:2025-11-25')])).toThrow('it has no requirement sets.');
});

test('every profile is asked, not only the first', () => {
  const profiles = ['server:2025-11-25', 'server:2026-07-28', 'server:2020-01-01'].map(aProfile);
  expect(() => preflight(aReferee(), profiles)).toThrow('server:2020-01-01 cannot be run');
});

test('a suite that cannot be narrowed to a revision is refused', () => {
  const referee = withAbilities({ specVersion: false, revisions: ['2025-11-25'] });
  expect(() => preflight(referee, [aProfile('suite:active@2025-11-25')])).toThrow('cannot be narrowed');
});
