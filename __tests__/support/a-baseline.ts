import type { Baseline, Exception } from '../../src/baseline/baseline.ts';
import { groupChecks } from '../../src/evidence/evaluate-check.ts';
import { NORMALISER_VERSION } from '../../src/evidence/normalise.ts';
import { textNormaliser } from '../../src/evidence/normalise-text.ts';
import { contextOfRun } from '../../src/evidence/run-context.ts';
import type { Report } from '../../src/reports/report.ts';
import { someMetadata } from './some-metadata.ts';

/** A reviewed exception; its evidence matches nothing unless told otherwise. */
export function anException(overrides: Partial<Exception> = {}): Exception {
  return {
    scenario: 'some-scenario',
    check: 'bad',
    statuses: ['FAILURE'],
    evidence: `sha256:${'a'.repeat(64)}`,
    class: 'genuine-protocol-failure',
    reason: 'Known.',
    reviewed: '2026-11-30',
    flaky: false,
    masked: [],
    ...overrides,
  };
}

/** A reviewed exception for a check exactly as it is in a report. */
export function exceptionFor(report: Report, check: string, overrides: Partial<Exception> = {}): Exception {
  const text = textNormaliser(contextOfRun(someMetadata(), 'server'));
  const group = groupChecks(report, text).find((one) => one.check === check);
  if (group === undefined) throw new Error(`${report.scenario} has no ${check}`);
  return anException({
    scenario: report.scenario,
    check,
    statuses: group.statuses,
    evidence: group.fingerprint(overrides.masked),
    observed: group.readable(overrides.masked).join('\n'),
    ...overrides,
  });
}

/** A baseline that was reviewed against exactly the run of someMetadata(); it expects nothing. */
export function aBaseline(overrides: Partial<Baseline> = {}): Baseline {
  const { referee, probes } = someMetadata();
  return {
    profile: 'server:2025-11-25',
    referee: { pin: referee.pin, integrity: referee.integrity ?? '' },
    requirements: referee.requirements ?? '',
    normaliser: NORMALISER_VERSION,
    capabilities: probes.before?.answered === true ? probes.before.capabilities : null,
    exceptions: [],
    inventory: new Map(),
    information: new Map(),
    ...overrides,
  };
}
