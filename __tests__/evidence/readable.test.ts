import { describe, expect, test } from 'vitest';
import { readableEvidence } from '../../src/evidence/readable.ts';
import { wordDiff } from '../../src/evidence/word-diff.ts';

describe('readableEvidence', () => {
  test('the error first, line by line, then the rest by path', () => {
    expect(
      readableEvidence([
        { details: { b: [1, { c: 'x' }], d: null, e: [], f: {} }, errorMessage: 'one\ntwo', z: true },
      ]),
    ).toEqual([
      'one',
      'two',
      'details.b.0: 1',
      'details.b.1.c: x',
      'details.d: null',
      'details.e: []',
      'details.f: {}',
      'z: true',
    ]);
  });

  test('without an error, or with one that is no text', () => {
    expect(readableEvidence([{ name: 'N', description: 'D' }])).toEqual(['name: N', 'description: D']);
    expect(readableEvidence([{ errorMessage: 5, a: 1 }])).toEqual(['a: 1']);
  });

  test('several occurrences are numbered, successes left out', () => {
    expect(readableEvidence([{ errorMessage: 'a', n: 1 }, null, { errorMessage: 'c' }])).toEqual([
      '[1] a',
      '    n: 1',
      '[3] c',
    ]);
  });

  test('long lines are cut, and say so', () => {
    const [line] = readableEvidence([{ errorMessage: 'x'.repeat(2_100) }]);
    expect(line).toBe(`${'x'.repeat(2_000)}… (100 more characters)`);
    expect(readableEvidence([{ errorMessage: 'x'.repeat(2_000) }])).toEqual(['x'.repeat(2_000)]);
  });
});

describe('wordDiff', () => {
  test('marks removed and added words', () => {
    expect(wordDiff('Expected 404, got 400', 'Expected 404, got 500')).toBe(
      'Expected 404, got [-400-]{+500+}',
    );
    expect(wordDiff('a b', 'a b c')).toBe('a b{+ c+}');
    expect(wordDiff('same', 'same')).toBe('same');
  });

  test('line breaks stay', () => {
    expect(wordDiff('a\nb', 'a\nc')).toBe('a\n[-b-]{+c+}');
  });

  test('cuts what is too long to compare, and says so', () => {
    expect(wordDiff('x'.repeat(8_001), 'x'.repeat(8_000))).toBe(`${'x'.repeat(8_000)}\n… (cut)`);
    expect(wordDiff('x'.repeat(8_000), 'x'.repeat(8_001))).toBe(`${'x'.repeat(8_000)}\n… (cut)`);
    expect(wordDiff('x'.repeat(8_000), 'x'.repeat(8_000))).toBe('x'.repeat(8_000));
  });

  test('texts that differ everywhere are shown one after the other', () => {
    const words = (from: number) => Array.from({ length: 1_100 }, (_, n) => `w${from + n}`).join(' ');
    const before = words(0).slice(0, 7_000);
    const now = words(5_000).slice(0, 7_000);
    expect(wordDiff(before, now)).toBe(`[-${before}-]\n{+${now}+}`);
  });

  test('of texts that differ everywhere no more than that is shown', () => {
    const words = (from: number) => Array.from({ length: 2_000 }, (_, n) => `w${from + n}`).join(' ');
    const [before, now] = [words(2_000), words(5_000)];
    expect(wordDiff(before, now)).toBe(`[-${before.slice(0, 8_000)}-]\n{+${now.slice(0, 8_000)}+}\n… (cut)`);
  });
});
