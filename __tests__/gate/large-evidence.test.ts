import { expect, test } from 'vitest';
import { judgeProfile } from '../../src/gate/judge.ts';
import { aFailure, aReport } from '../support/a-report.ts';
import { aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

function kindsFor(message: string): string[] {
  const { findings } = judgeProfile({
    profile: aProfile(),
    metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })] }),
    reports: [aReport({ checks: [aFailure('bad', message)] })],
    reportFindings: [],
    reruns: [],
    baseline: undefined,
    baselineFile: 'baselines/server-2025-11-25.yaml',
    today: '2026-12-01',
    strictInfrastructure: false,
  });
  return findings.map(({ kind }) => kind);
}

test('a message of many megabytes is judged in no time', () => {
  for (const part of [
    'got ',
    ': fetch failed',
    ' ',
    '\n',
    'connect E',
    'A',
    '1',
    '12:34:56 ',
    'MCP error ',
  ]) {
    const message = `Expected x, ${part.repeat(5_000_000 / part.length)}!`;
    const before = performance.now();
    expect(kindsFor(message)).toEqual(['unclassified']);
    expect(performance.now() - before).toBeLessThan(10_000);
  }
}, 120_000);
