import { expect, test } from 'vitest';
import { parseDuration } from '../../src/config/duration.ts';

test.each([
  ['60s', 60_000],
  ['1.5m', 90_000],
  ['250ms', 250],
  ['90', 90_000],
  ['2 h', 7_200_000],
])('%s is %d ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(['', '0', '0s', '-1s', 'soon', '1 fortnight', '1e3', '40d', '9'.repeat(30)])(
  '%j is no length of time',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
