import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { aPublication } from '../support/a-publication.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PASS: Verdict = aPublication().verdict;

async function step(verdict: object | string, inputs: Record<string, string> = {}) {
  const folder = await temporaryFolder();
  const file = join(folder, 'verdict.json');
  await writeFile(file, typeof verdict === 'string' ? verdict : JSON.stringify(verdict));
  await writeFile(join(folder, 'output'), '');
  const env: Record<string, string> = {
    GITHUB_OUTPUT: join(folder, 'output'),
    'INPUT_VERDICT-FILE': file,
    INPUT_SUMMARY: 'false',
  };
  for (const [name, value] of Object.entries(inputs)) env[`INPUT_${name.toUpperCase()}`] = value;
  const { exitCode } = await execa(process.execPath, [join(packageRoot(), 'dist/verdict.js')], {
    env,
    reject: false,
  });
  const output = await readFile(join(folder, 'output'), 'utf8');
  return { exitCode, outcome: /^outcome<<(\S+)\n(.*)\n\1$/m.exec(output)?.[2] };
}

test('a verdict of this run passes', async () => {
  expect(PASS.outcome).toBe('pass');
  expect(await step(PASS, { outcome: 'pass', 'gate-status': 'success' })).toEqual({
    exitCode: 0,
    outcome: 'pass',
  });
});

test.each<[string, object | string, Record<string, string>]>([
  ['a file that was rewritten after the gate step', PASS, { outcome: 'fail', 'gate-status': 'success' }],
  ['a gate step that did not end in success', PASS, { 'gate-status': 'failure' }],
  ['pass beside findings', { ...PASS, findings: [{ kind: 'nothing-applicable' }] }, {}],
  ['pass without a profile', { ...PASS, profiles: [] }, {}],
  ['no verdict at all', '{}', {}],
  ['half a file', '{"outcome":"pass"', {}],
])('inconclusive: %s', async (_what, verdict, inputs) => {
  expect(await step(verdict, inputs)).toEqual({ exitCode: 1, outcome: 'inconclusive' });
});
