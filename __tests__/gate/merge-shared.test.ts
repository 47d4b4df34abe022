import { expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { mergeShared } from '../../src/gate/merge-shared.ts';

const refused = (profile: string, url = 'http://127.0.0.1:1/mcp'): Finding => ({
  kind: 'probe-failed',
  profile,
  when: 'before',
  url,
  reason: 'refused',
  message: 'connect ECONNREFUSED',
  consequences: [{ scenario: 'ping', check: 'ping' }],
});

test('the same dead server is one finding for all its profiles, with everything that hangs on it', () => {
  const merged = mergeShared([refused('a'), refused('b'), refused('c')]);
  expect(merged).toHaveLength(1);
  expect(merged[0]).toMatchObject({ profile: 'a', alsoIn: ['b', 'c'] });
  expect(merged[0]?.consequences).toHaveLength(3);
});

test('two servers, or two checks, stay two findings', () => {
  const failed = (profile: string): Finding => ({
    kind: 'vanished-check',
    profile,
    scenario: 's',
    check: 'c',
  });
  const lost = (profile: string): Finding => ({ kind: 'missing-report', profile, scenario: 's' });
  for (const pair of [
    [refused('a'), refused('b', 'http://127.0.0.1:2/mcp')],
    [failed('a'), failed('b')],
    [lost('a'), lost('b')],
  ])
    expect(mergeShared(pair)).toEqual(pair);
});
