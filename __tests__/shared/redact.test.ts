import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED, redactor } from '../../src/shared/redact.ts';

const TOKEN = 'tok/en+with=odd&chars "quoted" ü';

const code = (c: string) => c.charCodeAt(0);
const unicode = (c: string) => `\\u${code(c).toString(16).padStart(4, '0')}`;
const php = (s: string) => JSON.stringify(s).replaceAll('/', '\\/');
const base64 = (s: string) => Buffer.from(s).toString('base64');

describe('text', () => {
  test.each([
    ['as it is', (s: string) => s],
    ['URL-encoded', encodeURIComponent],
    [
      'URL-encoded in lower case',
      (s: string) => encodeURIComponent(s).replace(/%../g, (t) => t.toLowerCase()),
    ],
    ['form-encoded', (s: string) => new URLSearchParams({ t: s }).toString()],
    ['percent-encoded throughout', (s: string) => Buffer.from(s).toString('hex').replace(/../g, '%$&')],
    ['twice URL-encoded', (s: string) => encodeURIComponent(encodeURIComponent(s))],
    ['in JSON', (s: string) => JSON.stringify({ s })],
    ['in JSON in JSON', (s: string) => JSON.stringify(JSON.stringify(s))],
    ['in HTML', (s: string) => s.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['hexadecimal', (s: string) => Buffer.from(s).toString('hex')],
    ['base64', (s: string) => Buffer.from(s).toString('base64')],
    ['base64url', (s: string) => Buffer.from(s).toString('base64url')],
    ['base64 behind a user name', (s: string) => Buffer.from(`user:${s}`).toString('base64')],
    [
      'base64 in a JSON text, one byte further',
      (s: string) => Buffer.from(`{"to":"${s}"}`).toString('base64'),
    ],
    [
      'base64 in a JSON text, two bytes further',
      (s: string) => Buffer.from(`{"tok":"${s}"}`).toString('base64'),
    ],
    ['in JSON as PHP writes it', (s: string) => JSON.stringify(s).replaceAll('/', '\\/')],
    ['in JSON in JSON as PHP writes it', (s: string) => php(php(s))],
    [
      'in JSON with capital escapes',
      (s: string) => s.replace(/[+&"=]/g, (c) => unicode(c).toUpperCase().replace('U', 'u')),
    ],
    ['in JSON with small escapes', (s: string) => s.replace(/[^a-z]/g, unicode)],
    ['in JSON, each character escaped', (s: string) => s.replace(/./g, unicode)],
    ['in JSON in JSON, escaped', (s: string) => s.replace(/\W/g, (c) => `\\${unicode(c)}`)],
    ['as JavaScript', (s: string) => s.replace(/\W/g, (c) => `\\x${code(c).toString(16).padStart(2, '0')}`)],
    ['in HTML, decimal', (s: string) => s.replace(/\W/g, (c) => `&#${code(c)};`)],
    ['in HTML, hexadecimal', (s: string) => s.replace(/\W/g, (c) => `&#x${code(c).toString(16)};`)],
    [
      'in HTML, capital',
      (s: string) => s.replace(/\W/g, (c) => `&#X00${code(c).toString(16).toUpperCase()};`),
    ],
    [
      'in HTML by name',
      (s: string) =>
        s
          .replaceAll('&', '&amp;')
          .replaceAll('"', '&quot;')
          .replaceAll('/', '&sol;')
          .replaceAll('+', '&plus;'),
    ],
    ['in HTML in HTML', (s: string) => s.replaceAll('&', '&amp;amp;').replaceAll('"', '&amp;quot;')],
    ['in hexadecimal capitals', (s: string) => Buffer.from(s).toString('hex').toUpperCase()],
    ['base64 of base64', (s: string) => base64(base64(s))],
    [
      'base64 of base64 without padding',
      (s: string) => base64(base64(s).replace(/=+$/, '')).replace(/=+$/, ''),
    ],
  ])('%s', (_, write) => {
    const clean = redactor([TOKEN]).text(`before ${write(TOKEN)} after`);
    expect(clean).toContain(REDACTED);
    expect(clean).not.toContain(write(TOKEN));
    expect(clean.startsWith('before ')).toBe(true);
    expect(clean.endsWith(' after')).toBe(true);
  });

  test('a header value gives up its credential, and a basic one its password', () => {
    expect(redactor(['Bearer abcdef123']).text('got abcdef123')).toBe(`got ${REDACTED}`);
    const basic = `Basic ${Buffer.from('user:hunter22').toString('base64')}`;
    expect(redactor([basic]).text('password hunter22')).toBe(`password ${REDACTED}`);
  });

  test('values that are too short or say nothing are left alone', () => {
    const clean = redactor(['1', 'on', 'true', '']);
    expect(clean.active).toBe(false);
    expect(clean.text('1 is true and on')).toBe('1 is true and on');
  });

  test('characters with a meaning in regular expressions', () => {
    expect(redactor(['a.c*[d]$']).text('abc a.c*[d]$')).toBe(`abc ${REDACTED}`);
  });
});

describe('json', () => {
  const clean = redactor(['12345678', 'secret-value']);

  test('stays JSON when a secret is a number, a key or a part of a string', () => {
    const text = JSON.stringify({ n: 12345678, 'secret-value': ['x secret-value y', true] });
    expect(JSON.parse(clean.json(text))).toEqual({ n: REDACTED, [REDACTED]: [`x ${REDACTED} y`, true] });
  });

  test('comes back byte for byte when nothing is in it', () => {
    const text = '{ "a" :  1.0 }\n';
    expect(clean.json(text)).toBe(text);
  });

  test('what is no JSON is redacted as text', () => {
    expect(clean.json('{"broken": "secret-value')).toBe(`{"broken": "${REDACTED}`);
  });
});

describe('stream', () => {
  test('finds secrets wherever the text is cut', () => {
    const secret = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') }), fc.nat(2)), {
          maxLength: 20,
        }),
        fc.array(fc.nat(7), { minLength: 1 }),
        (secrets, words, cuts) => {
          const text = `${words.map((word) => (typeof word === 'number' ? (secrets[word] ?? '') : word)).join('')}.`;
          const clean = redactor(secrets);
          const stream = clean.stream();
          let out = '';
          for (let at = 0, i = 0; at < text.length; i++) {
            const length = (cuts[i % cuts.length] ?? 0) + 1;
            out += stream.push(text.slice(at, at + length));
            at += length;
          }
          out += stream.end();
          for (const each of secrets) if (each.trim().length >= 4) expect(out).not.toContain(each);
          expect(out).toBe(clean.text(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('finds other spellings wherever the text is cut', () => {
    const secret = 'Zk3/q9+"Lw&8\\x';
    for (const write of [
      php,
      (s: string) => php(php(s)),
      encodeURIComponent,
      (s: string) => s.replace(/./g, unicode),
    ]) {
      const text = `before ${write(secret)} & after %`;
      for (let cut = 1; cut < text.length; cut++) {
        const stream = redactor([secret]).stream();
        const out = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end();
        expect(out).toMatch(/^before ["\\]*\[redacted\]["\\]* & after %$/);
      }
    }
  });

  test('hostile text takes no more than its length in time', () => {
    const clean = redactor(['\\\\host\\&&%%25%25"secret', `${'a+'.repeat(120)}!`, 'x'.repeat(4_000)]);
    for (const piece of ['\\', '&amp;', '%25', '\\\\u005c', 'a%2b', 'a+']) {
      const started = performance.now();
      clean.text(piece.repeat(100_000));
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });

  test('holds nothing back that cannot become a secret', () => {
    const stream = redactor(['secret-value']).stream();
    expect(stream.push('plain line\n')).toBe('plain line\n');
    expect(stream.push('a sec')).toBe('a ');
    expect(stream.push('ond\n')).toBe('second\n');
  });

  test('the beginning of a secret at the very end is redacted too', () => {
    const stream = redactor(['secret-value']).stream();
    stream.push('say secret-va');
    expect(stream.end()).toBe(REDACTED);
  });
});
