import { describe, expect, test } from 'vitest';
import { nearest, suggest } from '../../src/shared/nearest.ts';

const STATUSES = ['FAILURE', 'WARNING', 'SKIPPED', 'SUCCESS'];

describe('the name that was meant', () => {
  test.each([
    ['a letter too few', 'WARNNG', 'WARNING'],
    ['another case', 'skipped', 'SKIPPED'],
    ['only the beginning', 'FAIL', 'FAILURE'],
    ['nothing like it', 'MAYBE', undefined],
    ['too little to tell', 'WA', undefined],
    ['a whole name and more', 'SUCCESSES AND FAILURES', undefined],
  ])('%s', (_what, given, meant) => {
    expect(nearest(given, STATUSES)).toBe(meant);
  });

  test('a beginning of two names means neither', () => {
    expect(nearest('tools', ['tools-list-changed', 'tools-call-audio'])).toBeUndefined();
  });

  test('what is too long to be a name is compared with nothing', () => {
    const long = 'x'.repeat(400_000);
    expect(nearest(long, [`${long}y`])).toBeUndefined();
    expect(nearest('SUCCES', [long, ...STATUSES])).toBe('SUCCESS');
  });

  test('without choices nothing is near', () => {
    expect(nearest('x', [])).toBeUndefined();
    expect(suggest('x', [])).toBe('There are none.');
  });

  test('what an error ends with', () => {
    expect(suggest('FAIL', STATUSES)).toBe('Did you mean FAILURE?');
    expect(suggest('MAYBE', STATUSES)).toBe('Valid: FAILURE, WARNING, SKIPPED, SUCCESS.');
  });
});
