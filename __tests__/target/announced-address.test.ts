import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/shared/errors.ts';
import { announcedInFile, announcedInLog } from '../../src/target/announced-address.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['a URL', String.raw`on (http\S+)`, 'Listening on http://127.0.0.1:81/x.\n', 'http://127.0.0.1:81/x'],
  [
    'a URL in colours',
    String.raw`on (http\S+)`,
    'on \u001b[36mhttp://localhost:81/\u001b[39m\n',
    'http://localhost:81/',
  ],
  ['a port alone', String.raw`port (\d+)`, 'port 4321\n', 'http://127.0.0.1:4321/mcp'],
  ['host and port', String.raw`at (\S+)`, 'at localhost:81/mcp\n', 'http://localhost:81/mcp'],
  ['everywhere', String.raw`(http\S+)`, 'http://0.0.0.0:81/mcp\n', 'http://127.0.0.1:81/mcp'],
  ['everywhere, version 6', String.raw`(http\S+)`, 'http://[::]:81/mcp\n', 'http://127.0.0.1:81/mcp'],
  ['no group', String.raw`http\S+`, 'http://127.0.0.1:81/\n', 'http://127.0.0.1:81/'],
])('%s', async (_, regex, printed, address) => {
  const announcement = announcedInLog(regex);
  // Byte by byte: a line counts when it is whole.
  for (const byte of bytes(printed.slice(0, -1))) announcement.watch(Uint8Array.of(byte));
  expect(await announcement.address()).toBeUndefined();
  announcement.watch(bytes('\n'));
  expect(await announcement.address()).toBe(address);
  // The first one counts.
  announcement.watch(bytes('on http://127.0.0.1:9/ port 9 at x:9\n'));
  expect(await announcement.address()).toBe(address);
});

test('an expression that is none is the user’s mistake', () => {
  expect(() => announcedInLog('(')).toThrow(ConfigError);
});

test('a file of an earlier run does not count', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'address'), 'http://127.0.0.1:1/old\n');
  const announcement = await announcedInFile('address', folder);
  expect(await announcement.address()).toBeUndefined();
  await writeFile(join(folder, 'address'), 'http://127.0.0.1:2/new\nsomething else\n');
  expect(await announcement.address()).toBe('http://127.0.0.1:2/new');
});
