import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/shared/package-root.ts';

test('finds this package from its own source', () => {
  expect(packageRoot()).toBe(join(import.meta.dirname, '..', '..'));
});

test('walks past foreign and broken package.json files, and says when there is none', async () => {
  const root = await mkdtemp(join(tmpdir(), 'package-root-'));
  const inner = join(root, 'dist', 'inner');
  await mkdir(inner, { recursive: true });
  await writeFile(join(inner, 'package.json'), 'not JSON');
  await writeFile(join(root, 'dist', 'package.json'), '{"name":"somebody-else"}');
  expect(() => packageRoot(inner)).toThrow(`at or above ${inner}`);
  await writeFile(join(root, 'package.json'), '{"name":"mcp-conformance-gate"}');
  expect(packageRoot(inner)).toBe(root);
  await rm(root, { recursive: true });
});
