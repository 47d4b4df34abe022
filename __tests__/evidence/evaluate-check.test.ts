import { describe, expect, test } from 'vitest';
import { groupChecks } from '../../src/evidence/evaluate-check.ts';
import { fingerprint } from '../../src/evidence/fingerprint.ts';
import { textNormaliser } from '../../src/evidence/normalise-text.ts';
import { contextOfRerun, contextOfRun } from '../../src/evidence/run-context.ts';
import type { Check } from '../../src/reports/report.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aFailedProbe, aProbe, aRerun, someMetadata } from '../support/some-metadata.ts';

const text = textNormaliser(contextOfRun(someMetadata(), 'server'));
const groups = (...checks: Check[]) => groupChecks(aReport({ checks }), text);
const info = (id: string) => aCheck({ id, status: 'INFO' });

describe('groupChecks', () => {
  test('groups by id, in order of first appearance', () => {
    const found = groups(aCheck({ id: 'b' }), aCheck({ id: 'a' }), aCheck({ id: 'b' }));
    expect(found.map(({ check, occurrences }) => [check, occurrences.length])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(found[0]?.scenario).toBe('some-scenario');
  });

  test('INFO entries carry no verdict: how many there are depends on timing', () => {
    const few = groups(info('a'), aFailure('a', 'x'));
    const many = groups(info('a'), info('a'), aFailure('a', 'x'), info('a'));
    expect(many[0]?.statuses).toEqual(['FAILURE']);
    expect(many[0]?.fingerprint()).toBe(few[0]?.fingerprint());
    expect(many[0]).toMatchObject({ passed: false, infoOnly: false });
  });

  test('nothing but INFO has INFO for its status and passes', () => {
    expect(groups(info('a'), info('a'))[0]).toMatchObject({
      statuses: ['INFO', 'INFO'],
      passed: true,
      infoOnly: true,
    });
  });

  test.each([
    [['SUCCESS', 'SUCCESS'], true],
    [['SUCCESS', 'INFO'], true],
    [['SUCCESS', 'WARNING'], false],
    [['SKIPPED'], false],
    [['FROBNICATED'], false],
  ])('%s passes: %s', (statuses, passed) => {
    expect(groups(...statuses.map((status) => aCheck({ id: 'a', status })))[0]?.passed).toBe(passed);
  });

  test('success has its place in the order and no evidence', () => {
    const [group] = groups(
      aFailure('a', 'x'),
      aCheck({ id: 'a', details: { noise: 1 } }),
      aFailure('a', 'y'),
    );
    expect(group?.statuses).toEqual(['FAILURE', 'SUCCESS', 'FAILURE']);
    expect(group?.evidence()).toEqual([{ errorMessage: 'x' }, null, { errorMessage: 'y' }]);
    expect(group?.fingerprint()).toBe(fingerprint([{ errorMessage: 'x' }, null, { errorMessage: 'y' }]));
  });

  test('fingerprint and text follow the masks', () => {
    const [group] = groups(aFailure('a', 'Token x'));
    expect(group?.fingerprint(['errorMessage #2'])).toBe(fingerprint([{ errorMessage: 'Token ⟨masked⟩' }]));
    expect(group?.fingerprint()).toBe(fingerprint([{ errorMessage: 'Token x' }]));
    expect(group?.fingerprint(['errorMessage #2'])).not.toBe(group?.fingerprint(['errorMessage #1']));
    expect(group?.readable(['errorMessage #2'])).toEqual(['Token ⟨masked⟩']);
    expect(group?.readable()).toEqual(['Token x']);
  });

  test('masks that read alike are told apart', () => {
    const evidence = { errorMessage: 'x', a: 1, b: 2, ab: 3, 'a\nb': 4 };
    const [group] = groups(aFailure('a', 'x', { a: 1, b: 2, ab: 3, 'a\nb': 4 }));
    for (const masks of [['a', 'b'], ['ab'], ['a\nb']]) {
      expect(group?.fingerprint(masks)).toBe(fingerprint([evidence], masks));
    }
  });

  test('only evidence that somebody asks for is worked out', () => {
    const check = aFailure('a', 'x', {
      details: {
        get trap(): string {
          throw new Error('asked');
        },
      },
    });
    expect(() => groups(check)).not.toThrow();
  });
});

describe('what a run knows of itself', () => {
  test('its address, the one behind a relay, and those that were probed, each once', () => {
    const metadata = someMetadata({
      target: { kind: 'url', url: 'http://a/', behind: 'http://b/', notes: [] },
      probes: { before: aProbe({ url: 'http://a/' }), after: aFailedProbe({ url: 'http://c/' }) },
    });
    expect(contextOfRun(metadata, 'server')).toEqual({
      leg: 'server',
      urls: ['http://a/', 'http://b/', 'http://c/'],
      window: metadata.window,
    });
  });

  test('a client has no address', () => {
    const metadata = someMetadata({
      target: { kind: 'client', notes: [] },
      probes: { before: null, after: null },
    });
    expect(contextOfRun(metadata, 'client').urls).toEqual([]);
    expect(contextOfRerun(aRerun('a', { url: '' }), 'client').urls).toEqual([]);
  });

  test('a re-run has its own', () => {
    const rerun = aRerun('a', { url: 'http://x/', behind: 'http://y/' });
    expect(contextOfRerun(rerun, 'server')).toEqual({
      leg: 'server',
      urls: ['http://x/', 'http://y/'],
      window: rerun.window,
    });
  });
});
