import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibrate } from '../../src/evidence/calibrate.ts';
import { fingerprint } from '../../src/evidence/fingerprint.ts';
import type { Evidence } from '../../src/evidence/normalise.ts';

const message = (errorMessage: string, details?: unknown): Evidence =>
  details === undefined ? { errorMessage } : { errorMessage, details };

describe('calibrate', () => {
  test('equal evidence needs no mask', () => {
    expect(
      calibrate([message('a', { b: [1, { c: null }] })], [message('a', { b: [1, { c: null }] })]),
    ).toEqual({
      ok: true,
      masks: [],
    });
  });

  test('evidence that is nothing but marks is as stable as it was before', () => {
    expect(calibrate([message('⟨time⟩')], [message('⟨time⟩')])).toEqual({ ok: true, masks: [] });
  });

  test.each<[string, Evidence, Evidence, string[]]>([
    ['a word', message('Token abc unknown'), message('Token xyz unknown'), ['errorMessage #2']],
    ['two words', message('a 1 b 2'), message('a 3 b 4'), ['errorMessage #2', 'errorMessage #4']],
    ['punctuation', message('a, b', { n: 1 }), message('a; b', { n: 1 }), ['errorMessage']],
    ['more words', message('a b', { n: 1 }), message('a b c', { n: 1 }), ['errorMessage']],
    ['a word at the end', message('a ', { n: 1 }), message('a b', { n: 1 }), ['errorMessage']],
    ['every word', message('a b', { n: 1 }), message('c d', { n: 1 }), ['errorMessage']],
    ['a value', message('x', { t: 1 }), message('x', { t: 2 }), ['details.t']],
    ['a type', message('x', { t: 1 }), message('x', { t: '1' }), ['details.t']],
    ['null', message('x', { t: null }), message('x', { t: {} }), ['details.t']],
    ['an element', message('x', { l: [1, 2] }), message('x', { l: [1, 3] }), ['details.l.1']],
    ['the length of a list', message('x', { l: [1] }), message('x', { l: [1, 2] }), ['details.l']],
    ['a list or not', message('x', { l: [1] }), message('x', { l: { 0: 1 } }), ['details.l']],
    ['members that come', message('x', { o: { a: 1 } }), message('x', { o: { a: 1, b: 2 } }), ['details.o']],
    [
      'members that change names',
      message('x', { o: { a: 1 } }),
      message('x', { o: { b: 1 } }),
      ['details.o'],
    ],
    ['a whole member', message('x', { a: 1 }), message('x'), ['details']],
    ['a whole member, the other way', message('x'), message('x', { a: 1 }), ['details']],
    ['a whole member called __proto__', JSON.parse('{"a":"x","__proto__":{}}'), { a: 'x' }, ['__proto__']],
    ['the same, the other way', { a: 'x' }, JSON.parse('{"a":"x","__proto__":{}}'), ['__proto__']],
    ['several', { a: 'p q', b: 1, c: 1 }, { a: 'p r', b: 2, d: 1 }, ['a #2', 'b', 'c', 'd']],
  ])('%s', (_what, first, again, masks) => {
    expect(calibrate([first], [again])).toEqual({ ok: true, masks });
  });

  test('a time is masked whole: in an hour the hour is another one', () => {
    const at = (time: string) => [message(`handler failed at ${time}, started 2026-11-30 18:00`)];
    const result = calibrate(at('20:05:53'), at('20:06:12'));
    expect(result).toEqual({ ok: true, masks: ['errorMessage #4'] });
    expect(fingerprint(at('21:05:53'), ['errorMessage #4'])).toBe(
      fingerprint(at('20:05:53'), ['errorMessage #4']),
    );
  });

  test('masks of several occurrences say which one', () => {
    const result = calibrate(
      [message('case 1 x', { k: 0 }), null, message('case 2 y')],
      [message('case 1 z', { k: 0 }), null, message('case 3 y')],
    );
    expect(result).toEqual({ ok: true, masks: ['[1] errorMessage #3', '[3] errorMessage #2'] });
  });

  test.each<[string, (Evidence | null)[], (Evidence | null)[]]>([
    ['another number of occurrences', [message('a')], [message('a'), message('a')]],
    ['success instead', [message('a')], [null]],
    ['failure instead', [null], [message('a')]],
    ['success instead of one of several', [message('a'), message('b')], [message('a'), null]],
  ])('%s cannot be calibrated', (_what, first, again) => {
    expect(calibrate(first, again)).toEqual({ ok: false, why: 'occurrences-differ' });
  });

  test.each<[string, Evidence, Evidence, string[]]>([
    ['the only word', message('abc'), message('xyz'), ['errorMessage']],
    ['all but punctuation', message('"abc"'), message('"xyz"'), ['errorMessage']],
    ['all but marks', message('⟨session⟩ abc'), message('⟨session⟩ xyz'), ['errorMessage #2']],
    [
      'all but nulls',
      message('abc', { a: null, b: [] }),
      message('xyz', { a: null, b: [] }),
      ['errorMessage'],
    ],
  ])('%s: nothing stable is left', (_what, first, again, masks) => {
    expect(calibrate([first], [again])).toMatchObject({ ok: false, why: 'nothing-stable' });
    expect(calibrate([first], [again])).toHaveProperty('masks', masks);
  });

  test.each<[string, unknown]>([
    ['a number', 0],
    ['a truth value', false],
    ['a word', 'x'],
    ['something deep', [{ a: [null, { b: 'x' }] }]],
  ])('%s is enough to stay recognisable', (_what, rest) => {
    expect(calibrate([message('abc', rest)], [message('xyz', rest)])).toMatchObject({ ok: true });
  });

  test('with its masks both runs have the same fingerprint', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    const evidence = fc.record({ errorMessage: fc.string(), details: value, stable: fc.constant('x') });
    fc.assert(
      fc.property(fc.array(fc.tuple(evidence, evidence), { minLength: 1, maxLength: 3 }), (pairs) => {
        const first = pairs.map(([one]) => one);
        const again = pairs.map(([, other]) => other);
        const result = calibrate(first, again);
        if (!result.ok) throw new Error(result.why);
        expect(fingerprint(first, result.masks)).toBe(fingerprint(again, result.masks));
      }),
    );
  });
});
