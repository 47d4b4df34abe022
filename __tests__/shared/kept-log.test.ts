import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepLog } from '../../src/shared/kept-log.ts';
import { redactor } from '../../src/shared/redact.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function aLogFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'gate-log-')), 'target.log');
}

test('is written as it comes', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor([]));
  log.source().write(bytes('first line\n'));
  expect(await readFile(file, 'utf8')).toBe('first line\n');
  log.close();
});

test('puts characters and secrets together again that a chunk border cut', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor(['geheimnis']));
  const source = log.source();
  const all = bytes('schön: geheimnis!\n');
  for (const byte of all) source.write(Uint8Array.of(byte));
  log.close();
  expect(await readFile(file, 'utf8')).toBe('schön: [redacted]!\n');
});

test('two sources do not tear each other apart', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor(['geheimnis']));
  const [out, err] = [log.source(), log.source()];
  out.write(bytes('geheim'));
  err.write(bytes('something else\n'));
  out.write(bytes('nis\n'));
  log.close();
  expect(await readFile(file, 'utf8')).toBe('something else\n[redacted]\n');
});

test('bytes that are no UTF-8 do no harm', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor([]));
  log.source().write(Uint8Array.of(0xff, 0xfe, 0x41, 0x0a));
  log.close();
  expect(await readFile(file, 'utf8')).toBe('\uFFFD\uFFFDA\n');
});

test('keeps the beginning and the end of a hundred megabytes, and says what is missing', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor([]));
  const source = log.source();
  source.write(bytes('the beginning\n'));
  const chunk = new Uint8Array(1024 * 1024).fill(0x78);
  for (let i = 0; i < 100; i++) source.write(chunk);
  source.write(bytes('\nthe end\n'));
  log.close();
  expect((await stat(file)).size).toBeLessThan(12 * 1024 * 1024);
  const text = await readFile(file, 'utf8');
  expect(text.startsWith('the beginning\n')).toBe(true);
  expect(text.endsWith('\nthe end\n')).toBe(true);
  expect(text).toMatch(/\[gate\] \d{8} bytes left out here/);
  expect(log.tail(1)).toEqual(['the end']);
});

test('a block stays in one piece', async () => {
  const file = await aLogFile();
  const log = keepLog(file, redactor([]));
  const [one, two] = [log.block(), log.block((text) => text.toUpperCase())];
  const [first, second] = [one.source(), two.source()];
  first.write(bytes('one '));
  second.write(bytes('two '));
  first.write(bytes('one\n'));
  second.write(bytes('two'));
  two.end();
  one.end();
  log.close();
  expect(await readFile(file, 'utf8')).toBe('TWO TWO\none one\n');
});
