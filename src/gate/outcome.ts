import { type Finding, type FindingKind, levelOf } from './finding.ts';
import { OUTCOME_CLASSES, type Outcome, type OutcomeClass } from './verdict.ts';

/** `inconclusive` outranks `fail`, which outranks `pass`. */
export function outcomeOf(findings: readonly Finding[]): Outcome {
  if (findings.some(({ kind }) => levelOf(kind) === 'inconclusive')) return 'inconclusive';
  return findings.length > 0 ? 'fail' : 'pass';
}

/** Who has to act on a finding. */
const CLASS_OF = {
  unclassified: 'regression',
  unreviewed: 'review',
  'status-changed': 'regression',
  'evidence-changed': 'regression',
  'now-passing': 'stale',
  'not-emitted': 'stale',
  'unknown-exception': 'stale',
  'vanished-check': 'stale',
  'capability-changed': 'stale',
  'exception-expired': 'review',
  'pin-mismatch': 'stale',
  'requirements-changed': 'stale',
  'normaliser-changed': 'stale',
  'wrong-baseline': 'stale',
  'no-verdict': 'regression',
  flaky: 'regression',
  'boundary-open': 'regression',
  'port-occupied': 'setup',
  'nothing-applicable': 'setup',
  interrupted: 'setup',
  'target-start-failed': 'target',
  'target-not-ready': 'target',
  'target-mismatch': 'target',
  'target-died': 'target',
  'target-unreachable': 'target',
  'probe-failed': 'target',
  'scenario-timeout': 'target',
  'transport-failure': 'target',
  'stdio-framing': 'target',
  'profile-timeout': 'target',
  'referee-unavailable': 'referee',
  'referee-integrity': 'referee',
  'referee-build-failed': 'referee',
  'referee-crashed': 'referee',
  'exit-code-disagrees': 'referee',
  'harness-error': 'referee',
  'missing-report': 'referee',
  'duplicate-report': 'referee',
  'unknown-scenario': 'referee',
  'unknown-status': 'referee',
  'malformed-report': 'referee',
} as const satisfies Record<FindingKind, OutcomeClass>;

export const classOf = (kind: FindingKind): OutcomeClass => CLASS_OF[kind];

/**
 * The class of what has to be dealt with first: what was not measured, then what broke, then what is out of date, which is
 * the order of the classes.
 */
export function outcomeClassOf(findings: readonly Finding[]): OutcomeClass {
  // A report folder that is not there says nothing of the referee.
  const classes = new Set(
    findings.map((finding) =>
      finding.kind === 'malformed-report' && finding.of === 'gate' ? 'setup' : classOf(finding.kind),
    ),
  );
  return OUTCOME_CLASSES.find((one) => classes.has(one)) ?? 'pass';
}
