import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/evidence/fingerprint.ts';

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('fingerprint', () => {
  test('is SHA-256 of canonical JSON with the version of the normaliser', () => {
    expect(fingerprint([{ b: 1, a: 'ä' }, null])).toBe(
      sha256('{"normaliser":2,"occurrences":[{"a":"ä","b":1},null]}'),
    );
  });

  test('the order of members means nothing, the order of occurrences and elements does', () => {
    expect(fingerprint([{ a: 1, b: 2 }])).toBe(fingerprint([{ b: 2, a: 1 }]));
    expect(fingerprint([{ a: 1 }, { b: 2 }])).not.toBe(fingerprint([{ b: 2 }, { a: 1 }]));
    expect(fingerprint([{ a: [1, 2] }])).not.toBe(fingerprint([{ a: [2, 1] }]));
    expect(fingerprint([{ a: 1 }, null])).not.toBe(fingerprint([null, { a: 1 }]));
  });

  test('−32601 and −32602 differ', () => {
    expect(fingerprint([{ code: -32_601 }])).not.toBe(fingerprint([{ code: -32_602 }]));
  });

  test('masks are applied first', () => {
    expect(fingerprint([{ a: 1, t: 1 }], ['t'])).toBe(fingerprint([{ a: 1, t: 2 }], ['t']));
    expect(fingerprint([{ a: 1, t: 1 }], ['t'])).not.toBe(fingerprint([{ a: 1, t: 1 }]));
  });
});
