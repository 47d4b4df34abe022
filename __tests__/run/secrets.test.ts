import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spellings } from '../support/guarded-server.ts';
import { startGate } from '../support/run-source.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, '..', 'support', 'guarded-server.ts');
const TOKEN = 'tok-9f/3+Kq=Zw&77-secret';

interface Kept {
  readonly files: ReadonlyMap<string, string>;
  /** `scenario check: statuses`, in order. */
  readonly checks: readonly string[];
  readonly said: string;
  readonly code: number | null;
}

async function gate(args: readonly string[], command: string): Promise<Kept> {
  const cwd = await temporaryFolder();
  const run = startGate(['--server-command', command, ...args], { cwd });
  const code = await run.ended;
  const report = join(cwd, 'conformance-report');
  const files = new Map<string, string>();
  for (const entry of await readdir(report, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(file.slice(report.length + 1), await readFile(file, 'utf8'));
  }
  const checks = ['server-2025-11-25', 'server-2026-07-28'].flatMap((slug) => {
    const text = files.get(`profiles/${slug}/checks.json`) ?? '[]';
    const results = JSON.parse(text) as { scenario: string; check: string; statuses: string[] }[];
    return results.map(({ scenario, check, statuses }) => `${slug} ${scenario} ${check}: ${statuses}`);
  });
  return { files, checks, said: run.said(), code };
}

test('a server behind a token: the same results as the open one, and the token is nowhere', {
  timeout: 180_000,
}, async () => {
  const command = `exec '${process.execPath}' '${SCRIPT}'`;
  const open = await gate([], command);
  const guarded = await gate(['--header', `Authorization: Bearer ${TOKEN}`], `TOKEN='${TOKEN}' ${command}`);
  expect(guarded.code, guarded.said).toBe(1);
  expect(open.code).toBe(1);
  expect(guarded.checks.length).toBeGreaterThan(100);
  expect(guarded.checks).toEqual(open.checks);

  const metadata = guarded.files.get('profiles/server-2025-11-25/metadata.json') ?? '{}';
  expect(JSON.parse(metadata)).toMatchObject({ probes: { boundary: { without: 401, with: 200 } } });

  // What was said was kept, so there was something to redact: in the log, in the evidence, in the summary.
  expect(open.files.get('profiles/server-2025-11-25/target.log')).toContain('nothing-was-given');
  expect(open.files.get('profiles/server-2025-11-25/checks.json')).toContain('nothing-was-given');
  expect(guarded.files.get('profiles/server-2025-11-25/target.log')).toContain('[redacted]');
  expect(guarded.files.get('profiles/server-2025-11-25/checks.json')).toContain('[redacted]');

  const everything = [...guarded.files].map(([name, text]) => `${name}\n${text}`);
  for (const text of [...everything, guarded.said]) {
    for (const each of spellings(TOKEN)) expect(text).not.toContain(each);
    // Not even a good part of it.
    expect(text).not.toContain(TOKEN.slice(0, 12));
    expect(text).not.toContain(TOKEN.slice(-12));
  }
});
