import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptProfile } from '../../src/baseline/accept.ts';
import { parseBaseline } from '../../src/baseline/parse.ts';
import { judgeProfile } from '../../src/gate/judge.ts';
import { anyReportMutation } from '../support/mutations.ts';
import { judgeInput, unpack } from '../support/recording.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BOTH = ['server:2025-11-25', 'server:2026-07-28'];

async function read(name: string, profile: string, probed?: 'answered' | 'failed' | 'none') {
  return judgeInput(await unpack(name, profile, await temporaryFolder(), probed));
}

/** Accepts a run and lets a person review everything. */
function reviewed(input: Awaited<ReturnType<typeof read>>) {
  const accepted = acceptProfile({ ...input, calibrations: [], previous: undefined });
  if (!accepted.accepted) throw new Error(JSON.stringify(accepted.findings));
  return accepted.yaml.replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30');
}

describe.each(BOTH)('recorded runs of %s', (profile) => {
  test.each(['everything', 'reference'])(
    '%s: what was accepted in one run passes in another',
    async (name) => {
      const first = await read(`${name}/run-a`, profile);
      const second = await read(`${name}/run-b`, profile);
      const baseline = parseBaseline(reviewed(first), 'baseline.yaml', first.profile);
      expect(judgeProfile({ ...first, baseline }).findings).toEqual([]);
      expect(judgeProfile({ ...second, baseline }).findings).toEqual([]);
    },
  );

  test('one change anywhere in a recorded run is noticed and named', async () => {
    const input = await read('everything/run-a', profile);
    const baseline = parseBaseline(reviewed(input), 'baseline.yaml', input.profile);
    fc.assert(
      fc.property(anyReportMutation({ input, baseline }), ({ pair, names }) => {
        const { verdict, findings } = judgeProfile({ ...pair.input, baseline });
        const text = JSON.stringify(findings);
        return verdict.outcome !== 'pass' && names.every((name) => text.includes(name));
      }),
      { numRuns: 500 },
    );
  });

  test.each(['nobody-listens', 'answers-html', 'wants-a-token'])('%s is one root cause', async (name) => {
    const { findings, verdict } = judgeProfile(await read(name, profile, 'failed'));
    expect(verdict.outcome).toBe('inconclusive');
    expect(findings.map(({ kind }) => kind)).toEqual(['probe-failed']);
  });

  test('nobody-listens is recognised without a probe', async () => {
    const { findings } = judgeProfile(await read('nobody-listens', profile, 'none'));
    expect(findings).toMatchObject([{ kind: 'target-unreachable', reason: 'no-connection' }]);
  });
});

describe('other recordings', () => {
  test('a target that never answers is one root cause, with and without a probe', async () => {
    const probed = judgeProfile(await read('never-answers', 'server:2025-11-25', 'failed'));
    expect(probed.findings.map(({ kind }) => kind)).toEqual(['probe-failed']);
    const { findings, verdict } = judgeProfile(await read('never-answers', 'server:2025-11-25', 'none'));
    expect(findings).toMatchObject([
      { kind: 'target-unreachable', reason: 'no-answer', scenarios: 30, of: 30 },
    ]);
    expect(findings[0]?.consequences).toHaveLength(33);
    expect(verdict.outcome).toBe('inconclusive');
  });

  test('an older referee names the check that it does not have', async () => {
    const older = async (profile: string) => {
      const baseline = parseBaseline(reviewed(await read('reference/run-a', profile)), 'baseline.yaml');
      return judgeProfile({ ...(await read('reference/referee-alpha.11', profile)), baseline }).findings;
    };
    const pin = { kind: 'pin-mismatch', reviewed: 'npm:0.2.0-alpha.12', running: 'npm:0.2.0-alpha.11' };
    expect(await older('server:2025-11-25')).toMatchObject([pin]);
    expect(await older('server:2026-07-28')).toMatchObject([
      pin,
      { kind: 'vanished-check', scenario: 'tools-list', check: 'tools-list-deterministic-order' },
    ]);
  });

  test('a 2025-only server makes a scenario of 2026-07-28 throw: reported, not blocking', async () => {
    const input = await read('everything/run-a', 'server:2026-07-28');
    const judged = judgeProfile(input);
    expect(judged.verdict.notes).toEqual([
      'tasks-capability-negotiation (not scored) threw instead of reporting: Bad Request: Server not initialized',
    ]);
    expect(judged.verdict.outcome).toBe('fail');
    expect(new Set(judged.findings.map(({ kind }) => kind))).toEqual(new Set(['unclassified']));
  });

  test('everything has one finding per check of scored scenarios that is not a success', async () => {
    const input = await read('everything/run-a', 'server:2025-11-25');
    const { findings } = judgeProfile(input);
    const scored = new Set(input.metadata.scenarios.scored);
    const expected = input.reports
      .filter(({ scenario }) => scored.has(scenario))
      .flatMap(({ scenario, checks }) =>
        checks
          .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
          .map(({ id }) => `${scenario}/${id}`),
      );
    expect(findings.map((finding) => 'check' in finding && `${finding.scenario}/${finding.check}`)).toEqual(
      expected,
    );
    expect(expected).toHaveLength(19);
  });

  test('client scenarios nest and their reports are read', async () => {
    const input = await read('reference-client', 'client:2025-11-25');
    expect(input.reports).toHaveLength(25);
    expect(input.reportFindings).toEqual([]);
    expect(input.reports.filter(({ scenario }) => scenario.startsWith('auth/'))).toHaveLength(20);
    const accepted = acceptProfile({ ...input, calibrations: [] });
    expect(accepted).toMatchObject({
      accepted: true,
      added: expect.arrayContaining([{ scenario: 'sse-retry', check: 'client-sse-graceful-reconnect' }]),
    });
  });
});
