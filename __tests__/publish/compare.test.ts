import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../src/gate/verdict.ts';
import { compareRuns } from '../../src/publish/compare.ts';
import {
  aCheck,
  anExceptedCheck,
  aProfile,
  aPublication,
  aReferee,
  aVerdict,
} from '../support/a-publication.ts';

const run = (...checks: CheckResult[]) => aPublication({ checks: { 'server:2025-11-25': checks } });
const kinds = (before: CheckResult[], now: CheckResult[]) =>
  compareRuns(run(...before), run(...now)).changes.map(({ check, kind }) => `${check} ${kind}`);

describe('compareRuns', () => {
  test.each<[string, CheckResult, CheckResult]>([
    ['broke', aCheck(), aCheck({ status: 'FAILURE' })],
    ['mended', anExceptedCheck(), aCheck()],
    ['status', aCheck({ status: 'WARNING' }), aCheck({ status: 'FAILURE' })],
    ['evidence', anExceptedCheck(), anExceptedCheck({ evidence: 'other words' })],
    ['disposition', aCheck({ status: 'FAILURE' }), anExceptedCheck()],
  ])('%s', (kind, before, now) => expect(kinds([before], [now])).toEqual([`tools-list ${kind}`]));

  test('the same results are no change', () => {
    expect(
      kinds([aCheck(), anExceptedCheck({ check: 'b' })], [anExceptedCheck({ check: 'b' }), aCheck()]),
    ).toEqual([]);
  });

  test('appeared and vanished, the worst first', () => {
    expect(
      kinds([aCheck({ check: 'old' }), aCheck()], [aCheck({ check: 'new' }), aCheck({ status: 'FAILURE' })]),
    ).toEqual(['tools-list broke', 'old vanished', 'new appeared']);
  });

  test('a scenario that was not measured says nothing', () => {
    const before = run(aCheck(), aCheck({ scenario: 'ping', check: 'ping' }));
    const profile = aProfile('server:2025-11-25', [aCheck()]);
    const now = {
      checks: { 'server:2025-11-25': [aCheck()] },
      verdict: aVerdict({
        profiles: [
          {
            ...profile,
            scenarios: [
              ...profile.scenarios,
              {
                scenario: 'ping',
                scored: true,
                result: 'not-measured' as const,
                checks: { success: 0, failure: 0, warning: 0, skipped: 0, info: 0 },
              },
            ],
          },
        ],
      }),
    };
    expect(compareRuns(before, now).changes).toEqual([]);
  });

  test('names what moved on either side', () => {
    const of = (pin: string, commit: string) => ({
      checks: {},
      verdict: aVerdict({
        source: { commit },
        profiles: [aProfile('server:2025-11-25', [], { referee: { ...aReferee, pin } })],
      }),
    });
    expect(compareRuns(of('npm:1', 'a'.repeat(40)), of('npm:2', 'b'.repeat(40))).moved).toEqual([
      { what: 'Server commit', from: 'aaaaaaaaaaaa', to: 'bbbbbbbbbbbb' },
      { what: 'Referee', from: 'npm:1', to: 'npm:2' },
    ]);
  });
});
