import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/shared/package-root.ts';

const DIST = join(packageRoot(), 'dist');
const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

test('every committed file can be parsed', async () => {
  expect(files.length).toBeGreaterThan(6);
  const broken: string[] = [];
  for (const file of files) {
    const { exitCode } = await execa(process.execPath, ['--check', file], { reject: false });
    if (exitCode !== 0) broken.push(file);
  }
  expect(broken).toEqual([]);
});

test('what a file loads is there, and everything that is there is loaded by one', () => {
  const loaded = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g)].map(
      (match) => join(dirname(file), match[1] ?? ''),
    ),
  );
  const chunks = files.filter((file) => dirname(file) !== DIST);
  expect(new Set(loaded)).toEqual(new Set(chunks));
});
