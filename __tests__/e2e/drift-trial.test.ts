import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GivenOptions } from '../../src/config/options.ts';
import type { Plan } from '../../src/config/plan.ts';
import { type DriftResult, runDrift } from '../../src/drift/run-drift.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { aDriftGate, applyPatch, type DriftGate } from '../support/drift-gate.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The real referees, on real servers: several whole runs of the gate each. */
const SLOW = { timeout: 300_000 };
const OLD = 'npm:0.2.0-alpha.11';
const NEW = 'npm:0.2.0-alpha.12';
const ORDER = 'server:2026-07-28 new tools-list tools-list-deterministic-order';

const root = packageRoot();
const EVERYTHING = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const node = (script: string, rest: string) => `exec '${process.execPath}' '${join(root, script)}' ${rest}`;

/** A gate that passes with the old pin, and what drift says of the new one. */
async function driftOn(given: GivenOptions): Promise<{ gate: DriftGate; drift: DriftResult; patch: string }> {
  const cwd = await temporaryFolder();
  await using registry = await startFakeRegistry();
  registry.publish('@modelcontextprotocol/conformance', ['0.2.0-alpha.11', '0.2.0-alpha.12'], {
    latest: '0.2.0-alpha.11',
  });
  const gate = await aDriftGate(cwd, registry, { url: 'http://127.0.0.1:{port}/mcp', ...given });
  await gate.reviewedBaseline(OLD);
  const plan = await gate.plan(OLD);
  expect((await gate.measure(plan)).verdict).toMatchObject({ outcome: 'pass' });
  const drift = await runDrift(refereeOnly(plan), gate.io({ trial: plan }));
  expect(drift.report).toMatchObject({ status: 'moved', sources: [{ candidate: NEW }] });
  const patch = await readFile(join(plan.output, 'drift/proposal.patch'), 'utf8');
  expect(patch).toBe(drift.report.proposal?.patch);
  return { gate, drift, patch };
}

function refereeOnly(plan: Plan) {
  return { ...plan, watch: [{ kind: 'referee' as const }], revisions: ['2025-11-25', '2026-07-28'] };
}

function differences({ report }: DriftResult): string[] {
  if (report.trial.kind !== 'measured') throw new Error(JSON.stringify(report.trial));
  return report.trial.profiles.flatMap((profile) =>
    profile.kind === 'measured'
      ? profile.differences.map((one) => `${profile.profile} ${one.kind} ${one.scenario} ${one.check}`)
      : [`${profile.profile} not measured`],
  );
}

test(`${OLD} → ${NEW} on the demo server: one new check, which passes`, SLOW, async () => {
  const { gate, drift, patch } = await driftOn({ 'server-command': node('demo/server.ts', '--port {port}') });
  expect(differences(drift)).toEqual([ORDER]);
  expect(drift.report.impact).toBe('harmless');
  expect(drift.markdown).toContain('`tools-list-deterministic-order` (`server:2026-07-28`): passes here');
  await applyPatch(gate.cwd, patch);
  expect((await gate.measure(await gate.plan(NEW))).verdict).toMatchObject({ outcome: 'pass', findings: [] });
});

// The new check belongs to 2026-07-28, which this server does not speak.
test(`${OLD} → ${NEW} on server-everything: nothing differs but the pin`, SLOW, async () => {
  const { gate, drift, patch } = await driftOn({
    'server-command': node(EVERYTHING.slice(root.length), 'streamableHttp'),
    profile: ['server:2025-11-25'],
  });
  expect(differences(drift)).toEqual([]);
  expect(drift.report.impact).toBe('harmless');
  expect(drift.markdown).toContain('Every check came out the same.');
  await applyPatch(gate.cwd, patch);
  expect((await gate.measure(await gate.plan(NEW))).verdict).toMatchObject({ outcome: 'pass', findings: [] });
});

test(
  `${OLD} → ${NEW} on a server that fails the new check: breaking, proposed, and passing once reviewed`,
  SLOW,
  async () => {
    const { gate, drift, patch } = await driftOn({
      'server-command': node('__tests__/support/fake-shuffling-server.ts', '--port {port}'),
      profile: ['server:2026-07-28'],
    });
    expect(differences(drift)).toEqual([ORDER]);
    expect(drift.report.impact).toBe('breaking');
    expect(drift.markdown).toContain(
      'Adopting the newer referee as it is would fail this gate: 1 finding to settle first.',
    );
    expect(drift.markdown).toMatch(/❌ `tools-list` › `tools-list-deterministic-order`.*`WARNING`/);

    await applyPatch(gate.cwd, patch);
    const plan = await gate.plan(NEW);
    const unreviewed = await gate.measure(plan);
    expect(unreviewed.verdict.findings.map((finding) => finding.kind)).toEqual(['unreviewed']);
    await gate.review();
    expect((await gate.measure(plan)).verdict).toMatchObject({ outcome: 'pass', findings: [] });

    // The new pin is the pin now: nothing has moved.
    const file = join(gate.cwd, 'baselines/upstream.json');
    await writeFile(file, '{"schema":1,"sources":{}}');
    await using registry = await startFakeRegistry();
    registry.publish('@modelcontextprotocol/conformance', ['0.2.0-alpha.12'], { latest: '0.2.0-alpha.12' });
    const settled = await runDrift(
      refereeOnly(plan),
      gate.io({
        trial: plan,
        environment: registry.env,
        measure: () => Promise.reject(new Error('no trial is needed')),
      }),
    );
    expect(settled.report).toMatchObject({ status: 'same', impact: 'none', trial: { kind: 'not-needed' } });
  },
);
