import { describe, expect, test } from 'vitest';
import type { Baseline, Exception } from '../../src/baseline/baseline.ts';
import {
  baselineLine,
  countExceptions,
  mistypedChecks,
  reviewedOtherwise,
  strangeScenarios,
} from '../../src/command/check-baseline.ts';
import { NORMALISER_VERSION } from '../../src/evidence/normalise.ts';
import { aProfile } from '../support/some-metadata.ts';

const profile = aProfile();
const place = { file: 'b.yaml', line: 7, column: 5 };

const exception = (change: Partial<Exception> = {}): Exception => ({
  scenario: 'ping',
  check: 'ping',
  statuses: ['FAILURE'],
  evidence: 'sha256:x',
  class: 'genuine-protocol-failure',
  reason: 'Known.',
  reviewed: '2026-11-30',
  flaky: false,
  masked: [],
  place,
  ...change,
});

const baseline = (...exceptions: readonly Exception[]): Baseline => ({
  profile: profile.id,
  referee: { pin: 'npm:1.0.0' },
  normaliser: 1,
  exceptions,
  inventory: new Map([['ping', ['ping', 'ping-answers']]]),
  information: new Map([['ping', ['ping-log']]]),
});

describe('what is counted', () => {
  const counted = (...exceptions: readonly Exception[]) =>
    countExceptions(profile, '/b.yaml', baseline(...exceptions), '2026-12-01');

  test('a date counts as passed on the day after it', () => {
    const dates = ['2026-11-30', '2026-12-01', '2027-02-01'].map((expires) => exception({ expires }));
    expect(counted(...dates)).toMatchObject({ exceptions: 3, expired: 1, nextExpiry: '2026-12-01' });
  });

  test('a review is missing when it has no date', () => {
    const { reviewed: _, ...unreviewed } = exception();
    expect(counted(unreviewed, exception())).toMatchObject({ unreviewed: 1, expired: 0, nextExpiry: null });
  });

  test('a review after tomorrow is none', () => {
    expect(counted(exception({ reviewed: '2026-12-02' }))).toMatchObject({ unreviewed: 0 });
    expect(counted(exception({ reviewed: '2026-12-03' }))).toMatchObject({ unreviewed: 1 });
  });

  test('no file is told from a file without exceptions', () => {
    const none = countExceptions(profile, '/b.yaml', undefined, '2026-12-01');
    expect(none.exceptions).toBeNull();
    expect(baselineLine(none)).toContain('has no baseline yet');
    expect(counted().exceptions).toBe(0);
    expect(baselineLine(counted())).toBe('baseline   server:2025-11-25  0 exceptions  /b.yaml');
  });

  test('the line for people', () => {
    const { reviewed: _, ...unreviewed } = exception({ expires: '2027-02-01' });
    expect(baselineLine(counted(exception({ expires: '2026-01-01' }), unreviewed))).toBe(
      'baseline   server:2025-11-25  2 exceptions, 1 not reviewed yet, 1 expired, the next expires on 2027-02-01  /b.yaml',
    );
    expect(baselineLine(counted(exception()))).toContain('  1 exception  ');
  });
});

describe('what it was reviewed against', () => {
  const reviewed = { ...baseline(), requirements: 'sha256:a', normaliser: NORMALISER_VERSION };
  const running = { pin: 'npm:1.0.0', requirements: 'sha256:a' };
  const notes = (change: Partial<Baseline>) =>
    reviewedOtherwise({ ...reviewed, ...change }, 'b.yaml', running).map(({ message }) => message);

  test('is what runs', () => {
    expect(notes({})).toEqual([]);
    expect(reviewedOtherwise(reviewed, 'b.yaml', { pin: 'npm:1.0.0', requirements: undefined })).toEqual([]);
  });

  test.each<[string, Partial<Baseline>]>([
    ['against npm:0.9.0, and the pin is npm:1.0.0', { referee: { pin: 'npm:0.9.0' } }],
    ['against another requirement set than the pinned referee has', { requirements: 'sha256:b' }],
    [`with evidence normaliser 1, and this is ${NORMALISER_VERSION}`, { normaliser: 1 }],
  ])('%s', (what, change) => {
    expect(notes(change)).toEqual([`The baseline was reviewed ${what}: a run will ask to accept it again.`]);
  });
});

describe('compared with what the referee contains', () => {
  const scenarios = {
    scored: ['ping', 'tools-list'],
    notScored: [{ scenario: 'tasks', reason: 'extension' }],
  };

  test('a scored scenario is right', () => {
    expect(strangeScenarios(profile, baseline(exception()), scenarios)).toEqual([]);
  });

  test.each([
    ['tool-list', 'server:2025-11-25 has no scenario "tool-list".', 'Did you mean tools-list?'],
    ['tasks', 'server:2025-11-25 runs tasks but does not score it, so ping needs no exception.', 'Delete'],
  ])('%s is a mistake with its place', (scenario, message, hint) => {
    const [mistake, ...others] = strangeScenarios(profile, baseline(exception({ scenario })), scenarios);
    expect(mistake).toMatchObject({ message, place, hint: expect.stringContaining(hint) });
    expect(others).toEqual([]);
  });
});

describe('compared with what was there at review', () => {
  test.each([
    ['ping-answer', 'ping had no check "ping-answer" at review. Did you mean ping-answers?'],
    ['ping-lock', 'ping had no check "ping-lock" at review. Did you mean ping-log?'],
  ])('%s is noted', (check, message) => {
    expect(mistypedChecks(baseline(exception({ check })))).toEqual([{ message, place }]);
  });

  test.each(['ping', 'ping-log', 'something-new-altogether'])('%s is not', (check) => {
    expect(mistypedChecks(baseline(exception({ check })))).toEqual([]);
  });

  test('a scenario that is not in the inventory has nothing to compare with', () => {
    expect(mistypedChecks(baseline(exception({ scenario: 'pong', check: 'ping' })))).toEqual([]);
  });
});
