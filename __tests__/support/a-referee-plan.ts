import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { RefereePlan } from '../../src/config/plan.ts';
import { pinReferee } from '../../src/referee/commands/pin.ts';
import { lockFolder } from '../../src/referee/lock.ts';
import { parsePin } from '../../src/referee/parse-pin.ts';
import type { PrepareIo } from '../../src/referee/recipe.ts';
import type { ProgressEvent } from '../../src/shared/progress.ts';
import { type FakePackageRegistry, startFakePackageRegistry } from './fake-package-registry.ts';
import { FAKE_VERSION, fakeDependency, fakeRefereePackage } from './fake-referee-package.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A plan whose cache and locks are fresh folders. */
export async function aRefereePlan(overrides: Partial<RefereePlan> = {}): Promise<RefereePlan> {
  return {
    pin: parsePin(`npm:${FAKE_VERSION}`),
    repository: 'unused',
    locks: await temporaryFolder('referee-locks-'),
    cache: await temporaryFolder('referee-cache-'),
    offline: false,
    ...overrides,
  };
}

/** Progress that is remembered, and a signal that nobody aborts unless the test does. */
export function watched(controller = new AbortController()): PrepareIo & {
  readonly said: ProgressEvent[];
  readonly abort: (reason: unknown) => void;
} {
  const said: ProgressEvent[] = [];
  return {
    said,
    progress: (event) => said.push(event),
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
  };
}

/** Points npm, and with it the gate, to a registry for the rest of the test. */
export function useRegistry(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

/** A registry that holds the fake referee, npm pointed to it, and a plan whose lock `referee pin` wrote. */
export async function aPinnedFake(
  publish: readonly Readonly<Record<string, string>>[] = [fakeRefereePackage(), fakeDependency()],
): Promise<{ registry: FakePackageRegistry; plan: RefereePlan }> {
  const registry = await startFakePackageRegistry();
  onTestFinished(() => registry[Symbol.asyncDispose]());
  for (const files of publish) await registry.publish(files);
  useRegistry(registry.env);
  const plan = await aRefereePlan();
  await writeLock(plan.locks, JSON.stringify(publish), plan);
  return { registry, plan };
}

/** The same packages make the same lock, whatever port the registry has: it holds no addresses. */
const locked = new Map<string, string>();

async function writeLock(locks: string, packages: string, plan: RefereePlan): Promise<void> {
  const known = locked.get(packages);
  if (known === undefined) {
    const { file } = await pinReferee(plan, watched());
    locked.set(packages, await readFile(file ?? '', 'utf8'));
    return;
  }
  const folder = join(locks, lockFolder(FAKE_VERSION));
  await mkdir(folder);
  await writeFile(join(folder, 'package-lock.json'), known);
}
