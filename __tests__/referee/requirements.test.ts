import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseRequirementSet, readRequirementSets } from '../../src/referee/requirements.ts';
import { aReferee } from '../support/a-referee.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const parse = (yaml: string) => parseRequirementSet('2025-11-25', Buffer.from(yaml));

test('reads the sets that the referee ships, as a simpler reader does', () => {
  const referee = aReferee();
  expect(readRequirementSets(referee.root).map(({ notScored, ...set }) => set)).toEqual(
    referee.abilities.requirements.map(({ notScored, ...set }) => set),
  );
});

test('a referee without sets has none', async () => {
  expect(readRequirementSets(await temporaryFolder())).toEqual([]);
});

test('the identity of a set is its bytes', () => {
  const yaml = 'server: [ping]\n';
  expect(parse(yaml)).toEqual({
    revision: '2025-11-25',
    server: ['ping'],
    client: [],
    notScored: [],
    hash: `sha256:${createHash('sha256').update(yaml).digest('hex')}`,
  });
  expect(parse(`# comment\n${yaml}`).hash).not.toBe(parse(yaml).hash);
});

test.each([
  [
    'a key that we do not know could change what is scored',
    'server: [ping]\nauthorization: [x]\n',
    'authorization',
  ],
  ['names that are no names', 'server: [1]\n', 'server'],
  ['a leg that is neither', 'not_scored: [{scenario: x, leg: both, reason: pending}]\n', 'leg'],
  ['no reason', 'not_scored: [{scenario: x, leg: server}]\n', 'reason'],
  ['a scenario twice', 'server: [ping, ping]\n', 'names ping twice'],
  [
    'a scenario scored and not scored',
    'server: [ping]\nnot_scored: [{scenario: ping, leg: server, reason: pending}]\n',
    'names ping twice',
  ],
  ['no mapping', '- ping\n', '2025-11-25.yaml'],
  ['nothing at all', '', '2025-11-25.yaml'],
])('%s is an error that names the file', (_name, yaml, words) => {
  expect(() => parse(yaml)).toThrow(words);
  expect(() => parse(yaml)).toThrow('requirements/2025-11-25.yaml');
});

test('the same name in both legs is two scenarios', () => {
  expect(parse('server: [ping]\nclient: [ping]\n').client).toEqual(['ping']);
});
