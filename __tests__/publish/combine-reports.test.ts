import { describe, expect, test } from 'vitest';
import { combineReports, type PartReport } from '../../src/publish/combine-reports.ts';
import { renderPage } from '../../src/publish/page.ts';
import { aCheck, aPublication } from '../support/a-publication.ts';

const part = (label: string, profile: string, status = 'SUCCESS', name?: string): PartReport => {
  const p = aPublication({
    checks: { [profile]: [aCheck({ status })] },
    ...(name ? { more: { name } } : {}),
  });
  return { label, verdict: p.verdict, checks: p.checks };
};

describe('combineReports', () => {
  test('passes when every part passes', () => {
    const { verdict, checks } = combineReports(
      [part('a', 'server:2025-11-25'), part('b', 'server:2026-07-28')],
      '1',
    );
    expect(verdict).toMatchObject({ outcome: 'pass', findings: [] });
    expect(verdict.profiles.map(({ profile }) => profile)).toEqual([
      'server:2025-11-25',
      'server:2026-07-28',
    ]);
    expect(Object.keys(checks)).toEqual(['server:2025-11-25', 'server:2026-07-28']);
  });

  test('fails with the findings of a part that fails', () => {
    const { verdict } = combineReports(
      [part('a', 'server:2025-11-25', 'FAILURE'), part('b', 'server:2026-07-28')],
      '1',
    );
    expect(verdict).toMatchObject({
      outcome: 'fail',
      findings: [{ kind: 'unclassified', profile: 'server:2025-11-25' }],
    });
  });

  test('the same profile in several parts stays apart, with its findings', () => {
    const { verdict, checks } = combineReports(
      [
        part('node-20', 'server:2025-11-25'),
        part('node-24', 'server:2025-11-25', 'FAILURE'),
        part('node-24', 'client:2025-11-25'),
      ],
      '1',
    );
    expect(verdict.profiles.map(({ profile, slug }) => [profile, slug])).toEqual([
      ['node-20 server:2025-11-25', 'node-20-server-2025-11-25'],
      ['node-24 server:2025-11-25', 'node-24-server-2025-11-25'],
      ['client:2025-11-25', 'client-2025-11-25'],
    ]);
    expect(verdict.findings.map(({ profile }) => profile)).toEqual(['node-24 server:2025-11-25']);
    expect(checks['node-24 server:2025-11-25']?.[0]?.disposition).toBe('finding');
    expect(renderPage({ verdict, checks })).toContain('node-20 server:2025-11-25');
  });

  test('a folder without a verdict makes the whole inconclusive', () => {
    const { verdict } = combineReports(
      [part('a', 'server:2025-11-25'), { label: 'b', problem: 'no verdict.json' }],
      '1',
    );
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      findings: [{ kind: 'malformed-report', folder: 'b', of: 'gate' }],
    });
  });

  test('two folders of one name and profile do not cover each other', () => {
    const { verdict } = combineReports(
      [part('x', 'server:2025-11-25', 'SUCCESS', 'gate'), part('y', 'server:2025-11-25', 'SUCCESS', 'gate')],
      '1',
    );
    expect(verdict.profiles.map(({ profile }) => profile)).toEqual([
      'gate server:2025-11-25',
      'gate (2) server:2025-11-25',
    ]);
    expect(verdict.name).toBe('gate');
  });
});
