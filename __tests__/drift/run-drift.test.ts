import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/config/plan.ts';
import { emptyMemory, loadMemory, saveMemory } from '../../src/drift/memory.ts';
import { type DriftIo, runDrift } from '../../src/drift/run-drift.ts';
import type { Measured } from '../../src/drift/trial.ts';
import { prepareReportFolder, writeJson } from '../../src/report-folder.ts';
import { MeasurementFault } from '../../src/shared/errors.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { aDriftGate } from '../support/drift-gate.ts';
import { type FakeRegistry, startFakeRegistry } from '../support/fake-registry.ts';
import { aMeasured, PROFILE } from '../support/measured.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REFEREE = '@modelcontextprotocol/conformance';

/** A gate whose runs are not made but answered, and what was asked for. */
async function aGate(registry: FakeRegistry, newest: string) {
  registry.publish(REFEREE, ['0.2.0-alpha.11', newest], { latest: newest });
  const cwd = await temporaryFolder();
  const gate = await aDriftGate(cwd, registry, {
    url: 'http://127.0.0.1:9/mcp',
    profile: [PROFILE],
    cache: join(cwd, 'cache'),
  });
  const plan = await gate.plan('npm:0.2.0-alpha.11');
  const asked: Plan[] = [];
  const measure = async (one: Plan): Promise<Measured> => {
    asked.push(one);
    return { ...aMeasured(), folder: one.output };
  };
  const drift = (overrides: Partial<DriftIo> = {}) =>
    runDrift(
      { ...plan, watch: [{ kind: 'referee' }], revisions: ['2025-11-25'] },
      gate.io({ trial: plan, measure, ...overrides }),
    );
  return { cwd, plan, asked, drift };
}

test('a candidate without a lock is locked into the report folder and run from there', async () => {
  await using registry = await startFakeRegistry();
  const { plan, asked, drift } = await aGate(registry, '0.2.0-alpha.99');
  const locked: string[] = [];
  const { report, markdown } = await drift({
    reuse: false,
    lock: async (referee) => {
      locked.push(`${referee.pin.text} ${referee.locks}`);
    },
  });
  const locks = join(plan.output, 'drift/referee');
  expect(locked).toEqual([`npm:0.2.0-alpha.99 ${locks}`]);
  expect(asked.map((one) => [one.referee.pin.text, one.output, one.referee.locks])).toEqual([
    ['npm:0.2.0-alpha.11', join(plan.output, 'drift/current'), plan.referee.locks],
    ['npm:0.2.0-alpha.99', join(plan.output, 'drift/candidate'), locks],
  ]);
  expect(report).toMatchObject({ status: 'moved', impact: 'harmless', needsLock: true });
  expect(markdown).toContain('`mcp-conformance-gate referee pin npm:0.2.0-alpha.99`');
  expect(JSON.parse(await readFile(join(plan.output, 'drift/drift.json'), 'utf8'))).toMatchObject({
    schemaVersion: 1,
  });
  expect(await readFile(join(plan.output, 'drift/drift.md'), 'utf8')).toBe(markdown);
});

test("the same job's run is used when it is about this referee and these profiles, and not otherwise", async () => {
  await using registry = await startFakeRegistry();
  const { plan, asked, drift } = await aGate(registry, '0.2.0-alpha.12');
  await prepareReportFolder(plan.output);
  const measured = aMeasured();
  const facts = {
    pin: 'npm:0.2.0-alpha.11',
    lock: 'sha256:0',
    node: 'v24.0.0',
    cache: 'hit',
    prepareMs: 1,
    buildMs: 1,
  };
  const verdict = {
    ...measured.verdict,
    profiles: measured.verdict.profiles.map((one) => ({ ...one, referee: facts })),
  };
  await writeJson(join(plan.output, 'verdict.json'), verdict);
  await mkdir(join(plan.output, 'profiles/server-2025-11-25'), { recursive: true });
  await writeJson(join(plan.output, 'profiles/server-2025-11-25/checks.json'), measured.checks[PROFILE]);
  const { report } = await drift();
  expect(asked.map((one) => one.referee.pin.text)).toEqual(['npm:0.2.0-alpha.12']);
  expect(report).toMatchObject({
    needsLock: false,
    trial: { kind: 'measured', profiles: [{ differences: [] }] },
  });

  const other = {
    ...verdict,
    profiles: verdict.profiles.map((one) => ({ ...one, referee: { ...facts, pin: 'npm:0.1.16' } })),
  };
  await writeJson(join(plan.output, 'verdict.json'), other);
  asked.splice(0);
  await drift();
  expect(asked.map((one) => one.referee.pin.text)).toEqual(['npm:0.2.0-alpha.11', 'npm:0.2.0-alpha.12']);
});

test('a candidate that cannot be locked is not measured, and everything else is told', async () => {
  await using registry = await startFakeRegistry();
  const { drift } = await aGate(registry, '0.2.0-alpha.99');
  const fault = new MeasurementFault({
    kind: 'referee-unavailable',
    pin: 'npm:0.2.0-alpha.99',
    message: 'no answer',
  });
  const result = await drift({ lock: () => Promise.reject(fault), failOn: 'breaking' });
  expect(result.report).toMatchObject({
    status: 'moved',
    impact: 'not-measured',
    trial: { kind: 'not-measured' },
  });
  expect(result.outcome).toBe('inconclusive');
  expect(result.markdown).toContain('could not be measured');
});

test('without a target, or when asked not to, nothing is run and nothing is left', async () => {
  await using registry = await startFakeRegistry();
  const { cwd, plan, asked, drift } = await aGate(registry, '0.2.0-alpha.12');
  for (const trial of ['no-target', 'switched-off'] as const) {
    const { report, markdown } = await drift({ trial });
    expect(report).toMatchObject({ impact: 'not-measured', trial: { kind: 'not-tried', why: trial } });
    expect(markdown).toContain('was not tried');
  }
  expect(asked).toEqual([]);
  await expect(readFile(join(plan.output, 'drift/drift.md'))).rejects.toThrow('ENOENT');
  expect(cwd).not.toBe('');
});

test('a report folder of someone else is refused, never emptied', async () => {
  await using registry = await startFakeRegistry();
  const { plan, drift } = await aGate(registry, '0.2.0-alpha.12');
  await mkdir(plan.output, { recursive: true });
  await writeFile(join(plan.output, 'thesis.txt'), 'mine');
  await expect(drift()).rejects.toMatchObject({ name: 'ConfigError' });
  expect(await readFile(join(plan.output, 'thesis.txt'), 'utf8')).toBe('mine');
});

test('what is remembered between runs survives, and a damaged file is an empty one', async () => {
  const file = join(await temporaryFolder(), 'deep/drift-memory.json');
  expect(await loadMemory(file)).toEqual(emptyMemory());
  const memory = { ...emptyMemory(), sources: { spec: { unknownSince: '2026-11-28T03:17:00.000Z' } } };
  expect(await saveMemory(file, memory)).toBe(true);
  expect(await loadMemory(file)).toEqual(memory);
  await writeFile(file, '{"schema":1,"answers":7}');
  expect(await loadMemory(file)).toEqual(emptyMemory());
  expect(await saveMemory(join(packageRoot(), 'package.json', 'x'), memory)).toBe(false);
});

test("the project's own upstream.json is of the format", async () => {
  const { loadUpstream, formatUpstream } = await import('../../src/drift/state.ts');
  const file = join(packageRoot(), 'baselines/demo/upstream.json');
  const upstream = await loadUpstream(file);
  expect(Object.keys(upstream?.sources ?? {})).toEqual(['referee', 'spec']);
  expect(upstream === undefined ? '' : formatUpstream(upstream)).toBe(await readFile(file, 'utf8'));
});
