import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import type { Baseline } from '../baseline/baseline.ts';
import { advertised } from '../evidence/capabilities.ts';
import { type Evidence, NORMALISER_VERSION } from '../evidence/normalise.ts';
import { readableEvidence } from '../evidence/readable.ts';
import { wordDiff } from '../evidence/word-diff.ts';
import type { Profile } from '../profile.ts';
import type { RefereeFacts, RunMetadata } from '../run/metadata.ts';
import { nearest } from '../shared/nearest.ts';
import type { CheckRef, Finding } from './finding.ts';
import type { Measurement } from './measurement.ts';

/**
 * Holds the baseline as a whole against the run: was it reviewed for this profile, referee, requirement set, normaliser and
 * these capabilities, and does every exception name something that the profile contains?
 */
export function judgeBaseline(
  profile: Profile,
  metadata: RunMetadata,
  measurement: Measurement,
  baseline: Baseline,
): Finding[] {
  const at = { profile: profile.id };
  if (baseline.profile !== profile.id) {
    return [{ kind: 'wrong-baseline', ...at, reviewed: baseline.profile }];
  }
  return [
    ...refereeFindings(at, metadata.referee, baseline),
    ...normaliserFindings(at, baseline),
    // A run that something ended before the probe never asked for capabilities, and that something is the finding.
    ...(metadata.probes.before === null && metadata.faults.length > 0
      ? []
      : capabilityFindings(at, profile, metadata, baseline)),
    ...misplacedExceptions(at, measurement, baseline),
    ...removedScenarios(at, metadata, measurement, baseline),
  ];
}

interface At {
  readonly profile: string;
}

function refereeFindings(at: At, running: RefereeFacts, baseline: Baseline): Finding[] {
  const findings: Finding[] = [];
  const reviewed = baseline.referee;
  const different = samePin(reviewed.pin, running.pin)
    ? differ(reviewed.integrity, running.integrity) || differ(reviewed.commit, running.commit)
    : ([reviewed.pin, running.pin] as const);
  if (different !== false) {
    findings.push({ kind: 'pin-mismatch', ...at, reviewed: different[0], running: different[1] });
  }
  if (baseline.requirements !== running.requirements) {
    findings.push({
      kind: 'requirements-changed',
      ...at,
      reviewed: baseline.requirements ?? 'none',
      running: running.requirements ?? 'none',
    });
  }
  return findings;
}

/** Pins of checkouts name the folder too, which differs from machine to machine; the commit is the pin. */
function samePin(reviewed: string, running: string): boolean {
  const commit = (pin: string) => /^(?:git:|path:.*@)([0-9a-f]{40})$/.exec(pin)?.[1];
  const a = commit(reviewed);
  return reviewed === running || (a !== undefined && a === commit(running));
}

const differ = (reviewed: string | undefined, running: string | undefined): [string, string] | false =>
  reviewed !== undefined && running !== undefined && reviewed !== running ? [reviewed, running] : false;

function normaliserFindings(at: At, baseline: Baseline): Finding[] {
  if (baseline.normaliser === NORMALISER_VERSION) return [];
  return [
    {
      kind: 'normaliser-changed',
      ...at,
      reviewed: baseline.normaliser,
      running: NORMALISER_VERSION,
      consequences: baseline.exceptions.map(refOf),
    },
  ];
}

function capabilityFindings(at: At, profile: Profile, metadata: RunMetadata, baseline: Baseline): Finding[] {
  if (baseline.capabilities === undefined || profile.leg === 'client') return [];
  const now = advertised(metadata, profile.leg);
  if (isDeepStrictEqual(plain(baseline.capabilities), plain(now))) return [];
  const before = baseline.capabilities;
  return [
    {
      kind: 'capability-changed',
      ...at,
      before,
      now,
      diff: wordDiff(spread(before), spread(now)),
      consequences: baseline.exceptions.filter((one) => one.class === 'optional-capability').map(refOf),
    },
  ];
}

/** Same members in the same order on both sides: the order of capabilities means nothing. */
const plain = (value: unknown): unknown => JSON.parse(canonicalize(value) ?? 'null');
const spread = (value: NonNullable<Baseline['capabilities']> | null) =>
  value === null ? 'none' : readableEvidence([plain(value) as Evidence]).join('\n');

/** Exceptions for scenarios that this profile does not have, or does not score. */
function misplacedExceptions(at: At, measurement: Measurement, baseline: Baseline): Finding[] {
  return baseline.exceptions.flatMap((exception): Finding[] => {
    if (measurement.scored.has(exception.scenario)) return [];
    const notScored = measurement.notScored.has(exception.scenario);
    const near = nearest(exception.scenario, [...measurement.scored]);
    return [
      {
        kind: 'unknown-exception',
        ...at,
        scenario: exception.scenario,
        check: exception.check,
        why: notScored ? 'not-scored' : 'no-such-scenario',
        ...(near === undefined || notScored ? {} : { nearest: near }),
        ...(exception.place === undefined ? {} : { place: exception.place }),
      },
    ];
  });
}

/** Scenarios that were reviewed and are no longer scored: suites are not frozen, and lose scenarios without a word. */
function removedScenarios(
  at: At,
  metadata: RunMetadata,
  measurement: Measurement,
  baseline: Baseline,
): Finding[] {
  // A changed requirement set says so itself.
  if (baseline.requirements !== metadata.referee.requirements) return [];
  return [...baseline.inventory].flatMap(([scenario, checks]): Finding[] =>
    measurement.scored.has(scenario)
      ? []
      : checks.map((check) => ({ kind: 'vanished-check', ...at, scenario, check })),
  );
}

const refOf = ({ scenario, check }: { scenario: string; check: string }): CheckRef => ({ scenario, check });
