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
