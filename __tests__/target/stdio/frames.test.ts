import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineCutter, readLine } from '../../../src/target/stdio/frames.ts';

test('a line is a message, nothing, or a breach of the framing', () => {
  expect(readLine('{"jsonrpc":"2.0","id":1}\r')).toEqual({ kind: 'frame', frame: { jsonrpc: '2.0', id: 1 } });
  expect(readLine('  ')).toEqual({ kind: 'empty' });
  expect(readLine('Server started')).toMatchObject({ kind: 'broken', line: 'Server started' });
  expect(readLine('[{"id":1}]')).toMatchObject({ kind: 'broken', message: expect.stringContaining('array') });
  expect(readLine('42')).toMatchObject({ kind: 'broken', message: expect.stringContaining('number') });
  expect(readLine('x'.repeat(10_000))).toMatchObject({ kind: 'broken', line: 'x'.repeat(200) });
});

test('lines come out whole however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n', ' ') })), (pieces) => {
      const lines: string[] = [];
      const cut = lineCutter((line) => lines.push(line));
      for (const piece of pieces) cut(piece);
      expect(lines).toEqual(pieces.join('').split('\n').slice(0, -1));
    }),
  );
});

test('a line of fifty megabytes costs no more than its length', () => {
  let length = 0;
  const cut = lineCutter((line) => {
    length = line.length;
  });
  const started = performance.now();
  const piece = 'x'.repeat(64 * 1024);
  for (let i = 0; i < 800; i++) cut(piece);
  cut('\n');
  expect(length).toBe(800 * 64 * 1024);
  expect(performance.now() - started).toBeLessThan(5_000);
});
