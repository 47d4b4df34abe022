import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/gate/finding.ts';
import { annotations } from '../../src/publish/annotations.ts';
import { aCheck, aPublication } from '../support/a-publication.ts';
import { aRichPublication } from '../support/a-rich-publication.ts';

const failing = (count: number) =>
  aPublication({
    checks: {
      'server:2025-11-25': Array.from({ length: count }, (_, n) =>
        aCheck({ scenario: `s${n}`, check: `c${n}`, status: 'FAILURE' }),
      ),
    },
  });

describe('annotations', () => {
  test('point at the line of the baseline', () => {
    expect(annotations(aRichPublication()).map(({ file, line }) => file && `${file}:${line}`)).toEqual([
      undefined,
      undefined,
      'baselines/server-2026-07-28.yaml:41',
      'baselines/server-2025-11-25.yaml:63',
    ]);
  });

  test.each([
    [0, 0],
    [1, 1],
    [9, 9],
    [10, 10],
    [11, 10],
    [500, 10],
  ])('%i findings are %i annotations', (findings, count) => {
    const list = annotations(failing(findings));
    expect(list).toHaveLength(count);
    expect(
      list.filter(({ title }) => title.endsWith('more findings') || title === '1 more finding'),
    ).toHaveLength(findings > 9 ? 1 : 0);
    if (findings > 9)
      expect(list.at(-1)?.title).toBe(findings === 10 ? '1 more finding' : `${findings - 9} more findings`);
  });

  test('what could not be measured is a warning and comes first', () => {
    const dead: Finding = {
      kind: 'target-died',
      profile: 'server:2025-11-25',
      exitCode: 1,
      signal: null,
      afterMs: 400,
    };
    const p = failing(1);
    const list = annotations({ ...p, verdict: { ...p.verdict, findings: [...p.verdict.findings, dead] } });
    expect(list.map(({ level }) => level)).toEqual(['warning', 'error']);
  });
});
