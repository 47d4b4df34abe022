import { describe, expect, test } from 'vitest';
import { type ComparedProfile, compareRuns } from '../../src/gate/compare.ts';
import type { CheckResult } from '../../src/gate/verdict.ts';
import type { RunMetadata } from '../../src/run/metadata.ts';
import { aFailedProbe, aProbe, someMetadata } from '../support/some-metadata.ts';

const PROFILE = 'server:2025-11-25';

const check = (rest: Partial<CheckResult> = {}): CheckResult => ({
  scenario: 's',
  scored: true,
  check: 'c',
  name: '',
  description: '',
  statuses: ['SUCCESS'],
  disposition: 'passed',
  occurrences: [],
  ...rest,
});
const bad = (rest: Partial<CheckResult> = {}) =>
  check({ statuses: ['FAILURE'], disposition: 'finding', fingerprint: 'sha256:a', ...rest });
const side = (checks: CheckResult[], metadata: Partial<RunMetadata> = {}) =>
  new Map<string, ComparedProfile>([[PROFILE, { metadata: someMetadata(metadata), checks }]]);

describe('check by check', () => {
  const kind = (before: CheckResult[], now: CheckResult[]) =>
    compareRuns(side(before), side(now)).changes.map((one) => one.kind);

  test.each<[string, CheckResult[], CheckResult[], string[]]>([
    ['nothing changed', [check(), bad({ check: 'd' })], [bad({ check: 'd' }), check()], []],
    ['broke', [check()], [bad()], ['broke']],
    ['broke, by a warning', [check()], [check({ statuses: ['SUCCESS', 'WARNING'] })], ['broke']],
    ['mended', [bad()], [check()], ['mended']],
    ['mended, to a log', [bad()], [check({ statuses: ['INFO'] })], ['mended']],
    ['another status', [bad()], [bad({ statuses: ['WARNING'] })], ['status']],
    ['more of them', [bad()], [bad({ statuses: ['FAILURE', 'FAILURE'] })], ['status']],
    ['more log entries', [bad()], [bad({ statuses: ['INFO', 'FAILURE'] })], []],
    ['other evidence', [bad()], [bad({ fingerprint: 'sha256:b' })], ['evidence']],
    ['judged otherwise', [bad()], [bad({ disposition: 'excepted' })], ['disposition']],
    ['a success that is judged otherwise', [check()], [check({ disposition: 'finding' })], ['disposition']],
    ['appeared', [], [check()], ['appeared']],
    ['vanished', [check()], [], ['vanished']],
    ['the same id elsewhere', [check()], [check({ scenario: 't' })], ['appeared', 'vanished']],
  ])('%s', (_what, before, now, expected) => {
    expect(kind(before, now)).toEqual(expected);
  });

  test('says what it was and what it is', () => {
    expect(
      compareRuns(side([check(), check({ check: 'gone' })]), side([bad(), bad({ check: 'new' })])).changes,
    ).toEqual([
      {
        profile: PROFILE,
        scenario: 's',
        check: 'c',
        kind: 'broke',
        before: { statuses: ['SUCCESS'], disposition: 'passed' },
        now: { statuses: ['FAILURE'], disposition: 'finding' },
      },
      {
        profile: PROFILE,
        scenario: 's',
        check: 'new',
        kind: 'appeared',
        now: { statuses: ['FAILURE'], disposition: 'finding' },
      },
      {
        profile: PROFILE,
        scenario: 's',
        check: 'gone',
        kind: 'vanished',
        before: { statuses: ['SUCCESS'], disposition: 'passed' },
      },
    ]);
  });
});

describe('what moved', () => {
  const moved = (before: Partial<RunMetadata>, now: Partial<RunMetadata>) =>
    compareRuns(side([], before), side([], now)).moved;
  const referee = someMetadata().referee;
  const system = { node: 'v1', os: 'Linux', arch: 'x64' };

  test.each<[string, Partial<RunMetadata>, Partial<RunMetadata>, [string, string, string][]]>([
    ['nothing', {}, {}, []],
    [
      'the referee',
      { referee: { ...referee, pin: 'a' } },
      { referee: { ...referee, pin: 'b' } },
      [['referee', 'a', 'b']],
    ],
    [
      'its bytes',
      { referee: { ...referee, integrity: 'a' } },
      { referee: { ...referee, integrity: 'b' } },
      [['referee integrity', 'a', 'b']],
    ],
    [
      'its commit',
      { referee: { ...referee, commit: 'a' } },
      { referee: { ...referee, commit: 'b' } },
      [['referee integrity', 'a', 'b']],
    ],
    [
      'its list',
      { referee: { ...referee, requirements: 'a' } },
      { referee: { ...referee, requirements: 'b' } },
      [[`requirement set of ${PROFILE}`, 'a', 'b']],
    ],
    ['the server', { source: {} }, { source: { commit: 'b' } }, [['server commit', 'unknown', 'b']]],
    [
      'its version',
      { probes: { before: aProbe({ serverInfo: { name: 's', version: '1' } }), after: null } },
      { probes: { before: aProbe({ serverInfo: { name: 's' } }), after: null } },
      [['server version', 's 1', 's']],
    ],
    [
      'what it speaks',
      { probes: { before: aProbe(), after: null } },
      { probes: { before: aProbe({ protocolVersion: '2026-07-28' }), after: null } },
      [[`negotiated protocol of ${PROFILE}`, '2025-11-25', '2026-07-28']],
    ],
    [
      'whether it answered',
      { probes: { before: aProbe(), after: null } },
      { probes: { before: aFailedProbe(), after: null } },
      [
        ['server version', 'some-server 1.0.0', 'unknown'],
        [`negotiated protocol of ${PROFILE}`, '2025-11-25', 'unknown'],
      ],
    ],
    ['Node', { system }, { system: { ...system, node: 'v2' } }, [['Node', 'v1', 'v2']]],
  ])('%s', (_what, before, now, expected) => {
    expect(moved(before, now)).toEqual(expected.map(([what, from, to]) => ({ what, from, to })));
  });

  test('what moved in all profiles is told once', () => {
    const both = (pin: string) =>
      new Map(
        ['server:2025-11-25', 'server:2026-07-28'].map((id) => [
          id,
          { metadata: someMetadata({ referee: { ...referee, pin } }), checks: [] },
        ]),
      );
    expect(compareRuns(both('a'), both('b')).moved).toEqual([{ what: 'referee', from: 'a', to: 'b' }]);
  });
});

test('profiles that only one of them has are named and not compared', () => {
  const one = side([check()]);
  const other = new Map([['client:2025-11-25', { metadata: someMetadata(), checks: [bad()] }]]);
  expect(compareRuns(one, other)).toEqual({
    moved: [],
    changes: [],
    onlyBefore: [PROFILE],
    onlyNow: ['client:2025-11-25'],
  });
});
