import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadBaseline } from '../../src/baseline/load.ts';
import { readReport } from '../../src/command/read-report.ts';
import { loadMemory } from '../../src/drift/memory.ts';
import { readManifest } from '../../src/referee/cache-entry.ts';
import { isOurs } from '../../src/report-folder.ts';
import { readChecks } from '../../src/reports/read-checks.ts';
import { readRegularFile, readRegularText } from '../../src/shared/read-regular-file.ts';
import { announcedInFile } from '../../src/target/announced-address.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function withPipe(name: string): Promise<string> {
  const folder = await temporaryFolder();
  execFileSync('mkfifo', [join(folder, name)]);
  return folder;
}

describe('a whole file', () => {
  test('is read, through a link too', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a'), 'grüß');
    await symlink('a', join(folder, 'b'));
    expect(await readRegularText(join(folder, 'b'))).toBe('grüß');
  });

  test('may have exactly as many bytes as allowed', async () => {
    const file = join(await temporaryFolder(), 'a');
    await writeFile(file, '');
    await truncate(file, 10);
    expect(await readRegularFile(file, 10)).toHaveLength(10);
    await expect(readRegularFile(file, 9)).rejects.toThrow('has 10 bytes; the limit is 9');
  });

  test('that is not there is told as the file system does it', async () => {
    await expect(readRegularFile(join(await temporaryFolder(), 'a'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('a pipe in the place of a file keeps nobody waiting', () => {
  test.each<[string, string, (folder: string) => Promise<unknown>]>([
    ['a file', 'a', (folder) => readRegularFile(join(folder, 'a'))],
    ['a verdict', 'verdict.json', (folder) => readReport(folder)],
    ['a baseline', 'b.yaml', (folder) => loadBaseline(join(folder, 'b.yaml'))],
  ])('%s', async (_what, name, read) => {
    await expect(read(await withPipe(name))).rejects.toThrow('is not a file');
  });

  test('a report of the referee', async () => {
    const folder = await withPipe('checks.json');
    expect(await readChecks(join(folder, 'checks.json'))).toEqual({ ok: false, message: 'is not a file' });
  });

  test('the manifest of a cached referee', async () => {
    expect(readManifest(await withPipe('manifest.json'))).toBeUndefined();
  });

  test('the marker of a report folder', async () => {
    expect(await isOurs(await withPipe('.mcp-conformance-report'))).toBe(false);
  });

  test('what drift remembers', async () => {
    expect(await loadMemory(join(await withPipe('m.json'), 'm.json'))).toMatchObject({ sources: {} });
  });

  test('the address that a server writes', async () => {
    const folder = await temporaryFolder();
    const { address } = await announcedInFile('url', folder);
    execFileSync('mkfifo', [join(folder, 'url')]);
    expect(await address()).toBeUndefined();
  });
});
