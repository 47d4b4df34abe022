import { expect, test } from 'vitest';
import { grouped } from '../../src/shared/grouped.ts';

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_234_567, 50_000_000])('writes %d as Intl would', (count) => {
  expect(grouped(count)).toBe(count.toLocaleString('en-US'));
});
