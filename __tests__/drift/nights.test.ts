import fc from 'fast-check';
import { expect, test } from 'vitest';
import { syncIssue } from '../../src/drift/issue/sync-issue.ts';
import type { DriftReport } from '../../src/drift/report.ts';
import type { SourceReport } from '../../src/drift/source.ts';
import {
  aDriftReport,
  aMovedReferee,
  aMovedSpec,
  anUnknown,
  aSameReferee,
  aSameSpec,
  aTrial,
} from '../support/drift-report.ts';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';

const ISSUES = '/repos/gate/server/issues';
interface Issue {
  number: number;
  body: string;
  state: string;
}

/** How a source stands on one night: as adopted, silent, or moved to its first or second next state. */
const standing = fc.constantFrom('same', 'unknown', 'one', 'two');
const night = fc.record({
  referee: standing,
  spec: standing,
  /** What a person does to the open or last issue before the night. */
  person: fc.constantFrom('nothing', 'nothing', 'nothing', 'closes', 'reopens', 'writes'),
});

function reportOf(day: number, { referee, spec }: { referee: string; spec: string }): DriftReport {
  const one = (how: string, same: SourceReport, moved: (to: string) => SourceReport): SourceReport =>
    how === 'same' ? same : how === 'unknown' ? anUnknown(same) : moved(how);
  const sources = [
    one(referee, aSameReferee(), (to) =>
      aMovedReferee({ to: { label: `referee-${to}` }, candidate: `npm:${to}` }),
    ),
    one(spec, aSameSpec(), (to) => aMovedSpec({ to: { label: `spec-${to}` } })),
  ];
  return aDriftReport({
    run: { startedAt: new Date(Date.UTC(2026, 10, 1 + day, 3)).toISOString(), id: String(day) },
    sources,
    ...(['one', 'two'].includes(referee) ? { trial: aTrial({ candidate: `npm:${referee}` }) } : {}),
  });
}

function sync(github: FakeGitHub, report: DriftReport) {
  return syncIssue(report, github.client(), {
    repository: { owner: 'gate', repo: 'server' },
    labels: [],
    assignees: [],
    now: () => new Date(),
  });
}

test('on whatever nights: one open issue at most, silence writes nothing, a repetition writes nothing, drift is told', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(night, { minLength: 2, maxLength: 7 }), async (nights) => {
      await using github = await startFakeGitHub();
      for (const [day, plan] of nights.entries()) {
        const all = (await github.api('gate', 'GET', `${ISSUES}?state=all`)) as Issue[];
        const last = all.toSorted((a, b) => b.number - a.number)[0];
        if (last !== undefined) await act(github, last, plan.person);
        const report = reportOf(day, plan);
        github.proxy.forget();
        const result = await sync(github, report);
        const writes = github.proxy.writes().length;
        if (plan.referee === 'unknown' && plan.spec === 'unknown') expect(writes).toBe(0);
        if (['none', 'unchanged', 'dismissed'].includes(result.kind)) expect(writes).toBe(0);

        const open = (await github.api('gate', 'GET', `${ISSUES}?state=open`)) as Issue[];
        expect(open.length).toBeLessThanOrEqual(1);
        for (const [name, how] of Object.entries({ referee: plan.referee, spec: plan.spec })) {
          if (how !== 'one' && how !== 'two') continue;
          if (result.kind === 'dismissed') continue;
          expect(open[0]?.body).toContain(`${name}-${how}`);
        }
        if (last?.body.includes('A person wrote this.')) {
          const kept = (await github.api('gate', 'GET', `${ISSUES}/${last.number}`)) as Issue;
          expect(kept.body).toContain('A person wrote this.');
        }
        github.proxy.forget();
        await sync(github, {
          ...report,
          run: { startedAt: new Date(Date.UTC(2026, 10, 1 + day, 4)).toISOString(), id: 'again' },
        });
        expect(github.proxy.writes()).toEqual([]);
      }
    }),
    { numRuns: 8, interruptAfterTimeLimit: 60_000 },
  );
});

async function act(github: FakeGitHub, issue: Issue, how: string): Promise<void> {
  const patch = {
    nothing: undefined,
    closes: { state: 'closed', state_reason: 'not_planned' },
    reopens: { state: 'open' },
    writes: { body: `${issue.body}\n\nA person wrote this.` },
  }[how];
  if (patch !== undefined) await github.api('gate', 'PATCH', `${ISSUES}/${issue.number}`, patch);
}
