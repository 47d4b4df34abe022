import { expect, test } from 'vitest';
import type { TargetSpec } from '../../../src/config/plan.ts';
import { judgesBridge } from '../../../src/target/stdio/transport-checks.ts';
import { aServerCommand, EVERYTHING, everything, run } from '../../support/a-run.ts';
import { judgeRun } from '../../support/judge-run.ts';

function stdio(command: string): TargetSpec {
  return {
    kind: 'stdio',
    command: `exec '${process.execPath}' ${command}`,
    cwd: process.cwd(),
    env: {},
    ready: { timeoutMs: 30_000 },
    headers: [],
    boundary: 'observe',
  };
}

/** Every check with its statuses and its evidence, as the judge compares them; without those that judge the bridge. */
async function results(target: TargetSpec, profile: string): Promise<string[]> {
  const ran = await run(target, { profile });
  expect(ran.metadata.faults).toEqual([]);
  const { checks } = await judgeRun(ran);
  return checks
    .filter(({ scenario, check }) => !judgesBridge(scenario, check))
    .map(({ scenario, check, statuses, evidence }) => `${scenario} ${check}: ${statuses} ${evidence ?? ''}`);
}

const demo = aServerCommand(`exec '${process.execPath}' demo/server.ts`);

test.each([
  ['server-everything', 'server:2025-11-25', everything(), stdio(`'${EVERYTHING}' stdio`), 50],
  ['a server of both revisions', 'server:2026-07-28', demo, stdio('__tests__/support/stdio-server.ts'), 80],
] as const)(
  '%s on %s: the same over stdio as over HTTP',
  { timeout: 180_000 },
  async (_, profile, http, bridged, atLeast) => {
    const over = { http: await results(http, profile), stdio: await results(bridged, profile) };
    expect(over.http.length).toBeGreaterThan(atLeast);
    expect(over.stdio).toEqual(over.http);
  },
);

test('which checks judge the bridge', () => {
  expect(judgesBridge('dns-rebinding-protection', 'localhost-host-rebinding-rejected')).toBe(true);
  expect(judgesBridge('server-initialize', 'server-session-id-visible-ascii')).toBe(true);
  expect(judgesBridge('server-stateless', 'sep-2575-http-server-method-not-found-404')).toBe(true);
  expect(judgesBridge('server-initialize', 'server-initialize')).toBe(false);
  expect(judgesBridge('tools-list', 'tools-list')).toBe(false);
  // Messages pass unchanged, so what they look like is the product's.
  expect(judgesBridge('server-sse-polling', 'wire-schema-valid')).toBe(false);
});
