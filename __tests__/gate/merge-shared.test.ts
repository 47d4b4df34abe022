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

const damaged = (profile: string, rest: Partial<Finding> = {}): Finding =>
  ({ kind: 'referee-integrity', profile, pin: 'npm:1.0.0', message: 'bad', ...rest }) as Finding;

test('two attempts at the same dead address are one finding, in the words of the first', () => {
  const second = { ...refused('b'), reason: 'reset', message: 'read ECONNRESET' } as Finding;
  expect(mergeShared([refused('a'), second])).toEqual([
    {
      ...refused('a'),
      alsoIn: ['b'],
      consequences: [
        { scenario: 'ping', check: 'ping' },
        { scenario: 'ping', check: 'ping' },
      ],
    },
  ]);
});

test.each<[string, Finding[]]>([
  [
    'a server that was there before the run and gone after it',
    [refused('a'), { ...refused('b'), when: 'after' } as Finding],
  ],
  ['other words of another cause', [damaged('a'), damaged('b', { message: 'worse' } as Partial<Finding>)]],
  [
    'what differs from the baseline, although the words are the same',
    [
      { kind: 'pin-mismatch', profile: 'a', reviewed: 'x', running: 'y' },
      { kind: 'pin-mismatch', profile: 'b', reviewed: 'x', running: 'y' },
    ],
  ],
  ['what is not about a profile', [{ kind: 'nothing-applicable' }, { kind: 'nothing-applicable' }]],
])('stays two findings: %s', (_what, pair) => {
  expect(mergeShared(pair)).toEqual(pair);
});

test.each<[string, Partial<Finding>, Partial<Finding>, object]>([
  ['nothing hangs on it', {}, {}, {}],
  [
    'checks hang on the first',
    { consequences: [{ scenario: 's', check: 'c' }] },
    {},
    { consequences: [{ scenario: 's', check: 'c' }] },
  ],
  [
    'checks hang on the second',
    {},
    { consequences: [{ scenario: 's', check: 'c' }] },
    { consequences: [{ scenario: 's', check: 'c' }] },
  ],
  ['scenarios of the first did not run', { notRun: ['x'] }, {}, { notRun: ['x'] }],
  ['scenarios of the second did not run', {}, { notRun: ['x'] }, { notRun: ['x'] }],
  [
    'a scenario that did not run in both is named once',
    { notRun: ['x', 'y'] },
    { notRun: ['y', 'z'] },
    { notRun: ['x', 'y', 'z'] },
  ],
])('what hangs on a shared cause is kept: %s', (_what, first, second, kept) => {
  expect(mergeShared([damaged('a', first), damaged('b', second)])).toEqual([
    { ...damaged('a'), alsoIn: ['b'], ...kept },
  ]);
});
