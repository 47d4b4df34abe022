import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGate } from '../../src/command/run-gate.ts';
import { loadPlan } from '../../src/config/load-plan.ts';
import type { GivenOptions } from '../../src/config/options.ts';
import type { Plan } from '../../src/config/plan.ts';
import { propose } from '../../src/drift/propose.ts';
import type { DriftIo } from '../../src/drift/run-drift.ts';
import type { Measure } from '../../src/drift/trial.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import type { FakeRegistry } from './fake-registry.ts';

const LOCKS = join(packageRoot(), '__tests__/fixtures/referee-locks');
/** Built referees are kept here between tests and runs. */
const CACHE = join(packageRoot(), 'node_modules', '.cache', 'mcp-conformance-gate');

export interface DriftGate {
  readonly cwd: string;
  plan(referee: string): Promise<Plan>;
  readonly measure: Measure;
  io(overrides?: Partial<DriftIo>): DriftIo;
  /** Writes a baseline from a run with this pin and reviews it: the state that drift starts from. */
  reviewedBaseline(referee: string): Promise<void>;
  /** Puts a date where a person would. */
  review(): Promise<void>;
}

/** A repository with a server under the gate, in a folder of the test's. */
export async function aDriftGate(
  cwd: string,
  registry: FakeRegistry,
  given: GivenOptions,
): Promise<DriftGate> {
  await mkdir(join(cwd, 'baselines'), { recursive: true });
  await cp(LOCKS, join(cwd, 'baselines/referee'), { recursive: true });
  const gateIo = {
    progress: () => {},
    signal: new AbortController().signal,
    environment: process.env,
    cwd,
    now: () => new Date(),
  };
  const measure: Measure = async (plan) => ({
    ...(await runGate(plan, gateIo)),
    folder: plan.output,
  });
  const baselines = join(cwd, 'baselines');
  const plan = (referee: string) => loadPlan({ cache: CACHE, ...given, referee }, cwd, process.env);
  const review = async () => {
    for (const name of (await readdir(baselines)).filter((file) => file.endsWith('.yaml'))) {
      const file = join(baselines, name);
      await writeFile(
        file,
        (await readFile(file, 'utf8')).replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30'),
      );
    }
  };
  return {
    cwd,
    plan,
    measure,
    review,
    io: (overrides = {}) => ({
      ...gateIo,
      environment: registry.env,
      measure,
      lock: () => Promise.reject(new Error('both pins of this test have a lock')),
      // No GitHub: whatever is asked there is not found.
      upstream: { baseUrl: registry.url, secondMs: 1 },
      run: { startedAt: new Date().toISOString(), id: '1' },
      reuse: true,
      trial: 'switched-off',
      failOn: 'false',
      command: 'mcp-conformance-gate',
      ...overrides,
    }),
    async reviewedBaseline(referee) {
      const first = await plan(referee);
      await measure(first);
      const again = { ...first, output: join(cwd, 'again') };
      const { patch } = await propose({
        plan: first,
        folder: first.output,
        root: cwd,
        today: new Date().toISOString().slice(0, 10),
        file: 'unused',
        again: async () => (await measure(again)).folder,
      });
      await applyPatch(cwd, patch);
      await review();
    },
  };
}

/** As a person does it. */
export async function applyPatch(cwd: string, patch: string): Promise<void> {
  const { execa } = await import('execa');
  await execa('git', ['apply', '--unsafe-paths', '-'], { cwd, input: patch, env: { GIT_DIR: '/dev/null' } });
}
