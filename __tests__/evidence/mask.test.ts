import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMasks, formatMask, parseMask, splitWords } from '../../src/evidence/mask.ts';

describe('masks as text', () => {
  test.each([
    ['errorMessage', { occurrence: 0, path: ['errorMessage'] }],
    ['errorMessage #4', { occurrence: 0, path: ['errorMessage'], word: 3 }],
    ['[2] details.items.0.token', { occurrence: 1, path: ['details', 'items', '0', 'token'] }],
    ['[12] details.text #10', { occurrence: 11, path: ['details', 'text'], word: 9 }],
    ['details.io\\.mcp/x', { occurrence: 0, path: ['details', 'io.mcp/x'] }],
    ['details.back\\\\slash', { occurrence: 0, path: ['details', 'back\\slash'] }],
    ['details.a b', { occurrence: 0, path: ['details', 'a b'] }],
    ['details.', { occurrence: 0, path: ['details', ''] }],
    ['trailing\\', { occurrence: 0, path: ['trailing\\'] }],
    ['line\nbreak', { occurrence: 0, path: ['line\nbreak'] }],
  ])('%j', (text, mask) => {
    expect(parseMask(text)).toEqual(mask);
  });

  test.each(['', '[0] a', 'a #0'])('%j is no mask', (text) => {
    expect(parseMask(text)).toBeUndefined();
  });

  test('what was written can be read', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !/^\[\d+\] | #\d+$/.test(text));
    fc.assert(
      fc.property(
        fc.record(
          {
            occurrence: fc.nat(20),
            path: fc.array(part, { minLength: 1, maxLength: 4 }),
            word: fc.nat(50),
          },
          { requiredKeys: ['occurrence', 'path'] },
        ),
        (mask) => {
          expect(parseMask(formatMask(mask, true))).toEqual(mask);
          expect(parseMask(formatMask({ ...mask, occurrence: 0 }, false))).toEqual({
            ...mask,
            occurrence: 0,
          });
        },
      ),
    );
  });
});

describe('splitWords', () => {
  test('words have odd indices, what lies between even ones', () => {
    expect(splitWords('Token tok_1/2, (id: 7)!')).toEqual([
      '',
      'Token',
      ' ',
      'tok_1/2',
      ', (',
      'id',
      ': ',
      '7',
      ')!',
    ]);
    expect(splitWords('')).toEqual(['']);
  });

  test.each([
    '20:05:53',
    '20:05:53.123',
    '2026-11-30T20:05:53.123+01:00',
    '2026-11-30 20:05:53',
    '2026-11-30 20:05:53,123 UTC',
    'Mon, 30 Nov 2026 20:05:53 GMT',
    'Mon Nov 30 2026 20:05:53 GMT+0100',
    '1h 2m 3s',
    '5 min 2.5 s',
    '0:00:03',
  ])('%s is one word', (time) => {
    expect(splitWords(`at ${time}, again`)).toEqual(['', 'at', ' ', time, ', ', 'again', '']);
  });

  test('many megabytes are split in no time', () => {
    for (const part of ['1 s ', '1.1 ', '12:', '2026-11-30 ', 'Mon, ', 'Mon, 30 Nov ', '1', '1h 1']) {
      const before = performance.now();
      splitWords(part.repeat(5_000_000 / part.length));
      expect(performance.now() - before).toBeLessThan(10_000);
    }
  }, 120_000);

  test('nothing is lost', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => splitWords(text).join('') === text));
  });
});

describe('applyMasks', () => {
  const evidence = {
    errorMessage: 'Token abc is unknown',
    details: { list: [{ id: 1 }, { id: 2 }], n: 5, nothing: null },
  };
  const { details } = evidence;

  test.each([
    ['errorMessage', { ...evidence, errorMessage: '⟨masked⟩' }],
    ['errorMessage #2', { ...evidence, errorMessage: 'Token ⟨masked⟩ is unknown' }],
    ['errorMessage #4', { ...evidence, errorMessage: 'Token abc is ⟨masked⟩' }],
    ['details.list.1.id', { ...evidence, details: { ...details, list: [{ id: 1 }, { id: '⟨masked⟩' }] } }],
    ['details.list', { ...evidence, details: { ...details, list: '⟨masked⟩' } }],
    ['details.n', { ...evidence, details: { ...details, n: '⟨masked⟩' } }],
  ])('%s', (mask, expected) => {
    expect(applyMasks([evidence], [mask])).toEqual([expected]);
  });

  test.each([
    'details.absent',
    'errorMessage #5',
    'details.n #1',
    'errorMessage.deeper',
    'errorMessage.0',
    'details.nothing.deeper',
    'details.list.length',
    '[2] errorMessage',
    'details.list.7',
    'toString',
    '[0] errorMessage',
    'errorMessage #0',
    '',
  ])('%j names nothing and changes nothing', (mask) => {
    expect(applyMasks([evidence], [mask])).toEqual([evidence]);
  });

  test('masks of one occurrence leave the others alone, and success stays success', () => {
    expect(applyMasks([evidence, null, evidence], ['[3] details', '[2] details'])).toEqual([
      evidence,
      null,
      { ...evidence, details: '⟨masked⟩' },
    ]);
  });

  test('the evidence itself is not changed', () => {
    const copy = structuredClone(evidence);
    applyMasks([evidence], ['details.list.0.id', 'errorMessage #1']);
    expect(evidence).toEqual(copy);
  });

  test('lists stay lists', () => {
    const [masked] = applyMasks([evidence], ['details.list.0.id']);
    expect(masked).toHaveProperty('details.list', [{ id: '⟨masked⟩' }, { id: 2 }]);
  });
});
