import type { Difference, MeasuredProfileTrial } from '../../src/drift/compare-trial.ts';
import { type DriftReport, makeReport, type ReportInput } from '../../src/drift/report.ts';
import type { Moved, SourceReport, Unknown } from '../../src/drift/source.ts';
import type { MeasuredTrial } from '../../src/drift/trial.ts';

const SHA = { a: 'a'.repeat(40), b: 'b'.repeat(40) };

/** A report of one run; override what the test is about. */
export function aDriftReport(overrides: Partial<ReportInput> = {}): DriftReport {
  return makeReport({
    run: { startedAt: '2026-11-30T03:17:00.000Z', id: '1000' },
    pin: 'npm:0.2.0-alpha.11',
    sources: [aSameSpec()],
    trial: { kind: 'not-needed' },
    ownership: [],
    local: { files: [], scenarios: [], command: 'mcp-conformance-gate' },
    ...overrides,
  });
}

export function aMovedReferee(overrides: Partial<Moved> = {}): Moved {
  return {
    id: 'referee',
    watch: { kind: 'referee' },
    status: 'moved',
    from: { label: '0.2.0-alpha.11' },
    to: { label: '0.2.0-alpha.12' },
    candidate: 'npm:0.2.0-alpha.12',
    value: {
      kind: 'referee',
      adopted: '2026-11-30',
      pin: 'npm:0.2.0-alpha.11',
      newest: 'npm:0.2.0-alpha.12',
    },
    changes: [],
    incomplete: false,
    notes: [],
    ...overrides,
  };
}

export function aMovedSpec(overrides: Partial<Moved> = {}): Moved {
  return {
    id: 'spec',
    watch: { kind: 'spec' },
    status: 'moved',
    from: { label: SHA.a.slice(0, 12) },
    to: { label: SHA.b.slice(0, 12) },
    compareUrl: `https://github.com/modelcontextprotocol/modelcontextprotocol/compare/${SHA.a}...${SHA.b}`,
    value: { kind: 'spec', adopted: '2026-11-30', commit: SHA.b, revisions: [], paths: {} },
    changes: [
      { kind: 'file', path: 'docs/specification/2026-07-28/basic/authorization.mdx', change: 'modified' },
    ],
    incomplete: false,
    notes: [],
    ...overrides,
  };
}

export function aSameSpec(): SourceReport {
  return {
    id: 'spec',
    watch: { kind: 'spec' },
    status: 'same',
    at: { label: SHA.a.slice(0, 12) },
    value: { kind: 'spec', adopted: '2026-11-30', commit: SHA.a, revisions: [], paths: {} },
    notes: [],
  };
}

export function aSameReferee(at = '0.2.0-alpha.11'): SourceReport {
  return {
    id: 'referee',
    watch: { kind: 'referee' },
    status: 'same',
    at: { label: at },
    value: { kind: 'referee', adopted: '2026-11-30', pin: `npm:${at}`, newest: `npm:${at}` },
    notes: [],
  };
}

export function anUnknown(
  source: Pick<SourceReport, 'id' | 'watch'>,
  overrides: Partial<Unknown> = {},
): Unknown {
  return {
    id: source.id,
    watch: source.watch,
    status: 'unknown',
    reason: 'rate-limited',
    message: 'API rate limit exceeded',
    since: '2026-11-28T03:17:00.000Z',
    ...overrides,
  };
}

export function aTrial(overrides: Partial<MeasuredTrial> = {}): MeasuredTrial {
  return {
    kind: 'measured',
    candidate: 'npm:0.2.0-alpha.12',
    current: 'npm:0.2.0-alpha.11',
    folder: '/report/drift/candidate',
    profiles: [aProfileTrial()],
    ...overrides,
  };
}

export function aProfileTrial(overrides: Partial<MeasuredProfileTrial> = {}): MeasuredProfileTrial {
  return {
    kind: 'measured',
    profile: 'server:2025-11-25',
    before: { outcome: 'pass', scored: 30, checks: 120, failing: 0 },
    now: { outcome: 'fail', scored: 30, checks: 121, failing: 0 },
    differences: [aDifference()],
    scenarios: [],
    requirementsChanged: false,
    breaks: [],
    stale: [],
    ...overrides,
  };
}

export function aDifference(): Difference {
  return {
    kind: 'new',
    scenario: 'tools-list',
    check: 'tools-list-deterministic-order',
    scored: true,
    statuses: ['SUCCESS'],
    passes: true,
  };
}
