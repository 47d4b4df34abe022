import fc from 'fast-check';
import type { Baseline, Exception } from '../../src/baseline/baseline.ts';
import type { JudgeInput } from '../../src/gate/judge.ts';
import type { Check, Report } from '../../src/reports/report.ts';
import type { RunMetadata } from '../../src/run/metadata.ts';
import { aCheck, aFailure, aReport } from './a-report.ts';
import { aFailedProbe } from './some-metadata.ts';

/** A passing pair of a run and its baseline. */
export interface Pair {
  readonly input: JudgeInput;
  readonly baseline: Baseline;
}

/** One change to a passing pair, and what the findings must name. */
export interface Mutation {
  readonly what: string;
  readonly pair: Pair;
  readonly names: readonly string[];
}

type Arbitrary = fc.Arbitrary<Mutation>;

const withReports = (pair: Pair, reports: readonly Report[]): Pair => ({
  ...pair,
  input: { ...pair.input, reports },
});
const withMetadata = (pair: Pair, change: Partial<RunMetadata>): Pair => ({
  ...pair,
  input: { ...pair.input, metadata: { ...pair.input.metadata, ...change } },
});
const withBaseline = (pair: Pair, change: Partial<Baseline>): Pair => ({
  ...pair,
  baseline: { ...pair.baseline, ...change },
});
const replaceAt = <T>(items: readonly T[], n: number, ...by: T[]): T[] => [
  ...items.slice(0, n),
  ...by,
  ...items.slice(n + 1),
];
const isVerdict = ({ status }: Check) => status !== 'INFO';

interface At {
  readonly r: number;
  readonly c: number;
  readonly report: Report;
  readonly check: Check;
  /** How often the id occurs in the report. */
  readonly times: number;
}

/** Every check of every scored report. */
function scoredChecks({ input }: Pair): At[] {
  const scored = new Set(input.metadata.scenarios.scored);
  return input.reports.flatMap((report, r) =>
    scored.has(report.scenario)
      ? report.checks.map((check, c) => ({
          r,
          c,
          report,
          check,
          times: report.checks.filter(({ id }) => id === check.id).length,
        }))
      : [],
  );
}

const replaceCheck = (pair: Pair, { r, c, report }: At, ...by: Check[]): Pair =>
  withReports(
    pair,
    replaceAt(pair.input.reports, r, { ...report, checks: replaceAt(report.checks, c, ...by) }),
  );

/** Drop, add, duplicate or rename a report. */
function reportMutations(pair: Pair): Arbitrary {
  const { reports } = pair.input;
  return fc
    .tuple(fc.constantFrom('drop', 'add', 'duplicate', 'rename'), fc.nat(reports.length - 1))
    .map(([how, n]): Mutation => {
      const report = reports[n] as Report;
      const made = {
        drop: [],
        duplicate: [report, report],
        rename: [{ ...report, scenario: 'renamed-one' }],
      };
      if (how === 'add') {
        const added = withReports(pair, replaceAt(reports, n, report, aReport({ scenario: 'added-one' })));
        return { what: 'add report', pair: added, names: ['added-one'] };
      }
      const by = made[how as keyof typeof made];
      return {
        what: `${how} report`,
        pair: withReports(pair, replaceAt(reports, n, ...by)),
        names: how === 'rename' ? [report.scenario, 'renamed-one'] : [report.scenario],
      };
    });
}

/** Drop, add, duplicate or rename a check. Passing checks may be added: they are listed, not findings. */
function checkMutations(pair: Pair): Arbitrary {
  const checks = scoredChecks(pair);
  // One of several successes with the same id may come or go: how often a client asks is its own affair.
  const pinned = ({ check, report }: At) =>
    isVerdict(check) &&
    report.checks.some((one) => one.id === check.id && isVerdict(one) && one.status !== 'SUCCESS');
  const once = checks.filter((at) => at.times === 1 || pinned(at));
  const failing = checks.filter(({ check }) => isVerdict(check) && check.status !== 'SUCCESS');
  return fc.oneof(
    fc.constantFrom(...once).map((at) => ({
      what: 'drop check',
      pair: replaceCheck(pair, at),
      names: [at.report.scenario],
    })),
    fc.constantFrom(...once).map((at) => ({
      what: 'rename check',
      pair: replaceCheck(pair, at, { ...at.check, id: 'renamed-check' }),
      names: [at.report.scenario],
    })),
    fc.constantFrom(...failing).map((at) => ({
      what: 'duplicate check',
      pair: replaceCheck(pair, at, at.check, at.check),
      names: [at.report.scenario, at.check.id],
    })),
    fc
      .tuple(fc.constantFrom(...checks), fc.constantFrom('FAILURE', 'WARNING', 'SKIPPED', 'FROBNICATED'))
      .map(([at, status]) => ({
        what: 'add check',
        pair: replaceCheck(pair, at, at.check, aCheck({ id: 'added-check', status })),
        names: [at.report.scenario, 'added-check'],
      })),
  );
}

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO', 'success', 'PASSED', ''];

/** Change a status. INFO entries that turn into SUCCESS are new passing checks. */
function statusMutations(pair: Pair): Arbitrary {
  return fc
    .tuple(fc.constantFrom(...scoredChecks(pair)), fc.constantFrom(...STATUSES))
    .filter(([{ check }, status]) => check.status !== status)
    .filter(([{ check, report, times }, status]) => {
      const newlyPassing = check.status === 'INFO' && status === 'SUCCESS' && report.checks.length > 1;
      const oneOfSeveral = check.status === 'SUCCESS' && status === 'INFO' && times > 1;
      return !newlyPassing && !oneOfSeveral;
    })
    .map(([at, status]) => ({
      what: `status ${at.check.status} → ${status}`,
      pair: replaceCheck(pair, at, { ...at.check, status }),
      names: [at.report.scenario, at.check.id],
    }));
}

/** Where evidence is not normalised: paths to strings and numbers that carry meaning. */
function freeLeaves(check: Check): (string | number)[][] {
  const paths: (string | number)[][] = [];
  const visit = (value: unknown, path: (string | number)[]): void => {
    const key = String(path.at(-1) ?? '');
    if (key === 'version' && /Info$/.test(String(path.at(-2)))) return;
    if (/session|^id$|^port$|^message$|messagesValidated|^date$|At$/i.test(key)) return;
    if (typeof value === 'string' || typeof value === 'number') paths.push(path);
    else if (typeof value === 'object' && value !== null) {
      for (const [inner, child] of Object.entries(value)) visit(child, [...path, inner]);
    }
  };
  visit(check.details ?? {}, ['details']);
  // The message of a wire-schema check repeats its violations, and is dropped for them.
  if (check.errorMessage !== undefined && check.id !== 'wire-schema-valid') paths.push(['errorMessage']);
  return paths;
}

function changeAt(
  value: unknown,
  path: readonly (string | number)[],
  change: (leaf: unknown) => unknown,
): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[head] = changeAt(
    (value as Record<string | number, unknown>)[head],
    rest,
    change,
  );
  return copy;
}

/** The part of a text that a calibration mask covers may change freely. */
const MASKED = /tok_[0-9a-z]+/;

/** Change one character or number in evidence, outside of what is normalised or masked. */
function evidenceMutations(pair: Pair): Arbitrary {
  const places = scoredChecks(pair)
    .filter(
      ({ check, report }) => (isVerdict(check) && check.status !== 'SUCCESS') || report.scenario === 'silent',
    )
    .flatMap((at) => freeLeaves(at.check).map((path) => ({ at, path })));
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.integer({ min: 1, max: 1_000_000 }),
    )
    .map(([{ at, path }, where, character, delta]): Mutation | undefined => {
      let changed = true;
      const check = changeAt(at.check, path, (leaf) => {
        if (typeof leaf === 'number') return leaf + delta;
        const text = String(leaf);
        const n = Math.floor(where * text.length);
        const result = text.slice(0, n) + character + text.slice(n + 1);
        // A mask covers its word, whatever the word is.
        const masked = MASKED.exec(text);
        const inMask = masked !== null && n >= masked.index && n < masked.index + masked[0].length;
        changed = result !== text && !inMask;
        // A line end in front of a line feed is CRLF, which is LF.
        if (character === '\r' && text[n + 1] === '\n') changed = false;
        return result;
      }) as Check;
      if (!changed) return undefined;
      return {
        what: `evidence ${path.join('.')}`,
        pair: replaceCheck(pair, at, check),
        names: [at.report.scenario, at.check.id],
      };
    })
    .filter((mutation) => mutation !== undefined);
}

/** Drop, add or edit an exception. Words for people (reason, reference, observed) are theirs to edit. */
function exceptionMutations(pair: Pair): Arbitrary {
  const { exceptions } = pair.baseline;
  const set = (n: number, ...by: Exception[]) =>
    withBaseline(pair, { exceptions: replaceAt(exceptions, n, ...by) });
  const some = fc.nat(exceptions.length - 1);
  const one = (n: number) => exceptions[n] as Exception;
  const hex = fc.nat(63);
  const edit = (what: string, change: (old: Exception) => Partial<Exception>): Arbitrary =>
    some.map((n) => {
      const changed = { ...one(n), ...change(one(n)) };
      const { scenario, check } = changed;
      return { what: `edit ${what}`, pair: set(n, changed), names: [scenario, check] };
    });
  const unreviewed = ({ reviewed: _gone, ...rest }: Exception): Exception => rest;
  return fc.oneof(
    some.map((n) => ({ what: 'drop exception', pair: set(n), names: [one(n).scenario] })),
    some.map((n) => ({
      what: 'add exception for a passing check',
      pair: set(n, one(n), { ...one(n), scenario: 'plain', check: 'plain-ok' }),
      names: ['plain', 'plain-ok'],
    })),
    some.map((n) => ({
      what: 'add exception for an unknown check',
      pair: set(n, one(n), { ...one(n), check: 'no-such-check' }),
      names: [one(n).scenario, 'no-such-check'],
    })),
    some.map((n) => ({
      what: 'add exception for an unknown scenario',
      pair: set(n, one(n), { ...one(n), scenario: 'no-such-scenario' }),
      names: ['no-such-scenario'],
    })),
    some.map((n) => ({
      what: 'add exception for a scenario that is not scored',
      pair: set(n, one(n), { ...one(n), scenario: 'extension', check: 'extension-bad' }),
      names: ['extension', 'extension-bad'],
    })),
    edit('scenario', () => ({ scenario: 'edited-scenario' })),
    edit('check', () => ({ check: 'edited-check' })),
    edit('expiry', () => ({ expires: '2026-11-30' })),
    edit('class', () => ({ class: 'inconclusive-infrastructure' })),
    edit('statuses', ({ statuses }) => ({ statuses: [...statuses, 'FAILURE'] })),
    edit('status', ({ statuses }) => ({
      statuses: [statuses[0] === 'WARNING' ? 'FAILURE' : 'WARNING', ...statuses.slice(1)],
    })),
    fc.tuple(some, hex).map(([n, at]) => {
      const { evidence } = one(n);
      const position = 'sha256:'.length + at;
      const digit = evidence[position] === '0' ? '1' : '0';
      const changed = evidence.slice(0, position) + digit + evidence.slice(position + 1);
      return { what: 'edit evidence', pair: set(n, { ...one(n), evidence: changed }), names: [one(n).check] };
    }),
    some.map((n) => ({
      what: 'remove review',
      pair: set(n, unreviewed(one(n))),
      names: [one(n).scenario, one(n).check],
    })),
    some.map((n) => ({
      what: 'edit masks',
      pair: set(n, {
        ...one(n),
        masked: one(n).masked.length > 0 ? [] : ['errorMessage', 'details.message', '[1] errorMessage'],
      }),
      names: [one(n).scenario, one(n).check],
    })),
  );
}

/** Change what the baseline was reviewed against, or what it expects to be checked. */
function baselineMutations(pair: Pair): Arbitrary {
  const { baseline } = pair;
  const lists = [...baseline.inventory.keys()];
  return fc.oneof(
    fc.constantFrom(...lists).map((scenario) => ({
      what: 'add to the inventory',
      pair: withBaseline(pair, {
        inventory: new Map([
          ...baseline.inventory,
          [scenario, [...(baseline.inventory.get(scenario) ?? []), 'lost-check']],
        ]),
      }),
      names: [scenario, 'lost-check'],
    })),
    fc
      .constantFrom<[string, Partial<Baseline>, string]>(
        ['profile', { profile: 'server:2026-07-28' }, 'server:2026-07-28'],
        ['pin', { referee: { ...baseline.referee, pin: 'npm:0.2.0-alpha.11' } }, 'alpha.11'],
        ['integrity', { referee: { ...baseline.referee, integrity: 'sha512-other' } }, 'sha512-other'],
        ['requirements', { requirements: `sha256:${'3'.repeat(64)}` }, '3333'],
        ['normaliser', { normaliser: 99 }, '99'],
        [
          'capabilities',
          { capabilities: { tools: { listChanged: false }, prompts: {} } },
          'capability-changed',
        ],
        ['no capabilities', { capabilities: null }, 'capability-changed'],
      )
      .map(([what, change, name]) => ({ what, pair: withBaseline(pair, change), names: [name] })),
  );
}

/** Change what the run says of itself: capabilities, exit code, probes, faults, what had to run. */
function runMutations(pair: Pair): Arbitrary {
  const { metadata } = pair.input;
  const [run] = metadata.runs;
  const { before } = metadata.probes;
  if (run === undefined || before?.answered !== true) throw new Error('the pair has no run');
  const capability = fc.constantFrom<{ [name: string]: unknown } | null>(
    null,
    {},
    { tools: { listChanged: true } },
    { ...before.capabilities, resources: {} },
    { ...before.capabilities, tools: { listChanged: false } },
  );
  const ending = fc.constantFrom(
    { exitCode: 0 },
    { exitCode: 2 },
    { exitCode: 137 },
    { exitCode: null, signal: 'SIGKILL' },
    { exitCode: null, timedOut: true },
  );
  const { scored, notScored } = metadata.scenarios;
  return fc.oneof(
    capability.map((capabilities) => ({
      what: 'capabilities now',
      pair: withMetadata(pair, { probes: { ...metadata.probes, before: { ...before, capabilities } } }),
      names: ['capability-changed'],
    })),
    ending.map((end) => ({
      what: `end ${JSON.stringify(end)}`,
      pair: withMetadata(pair, { runs: [{ ...run, ...end }] }),
      names: [
        end.exitCode === 0
          ? 'exit-code-disagrees'
          : 'timedOut' in end
            ? 'profile-timeout'
            : 'referee-crashed',
      ],
    })),
    fc.constantFrom('before' as const, 'after' as const).map((when) => ({
      what: `probe ${when}`,
      pair: withMetadata(pair, { probes: { ...metadata.probes, [when]: aFailedProbe() } }),
      names: ['probe-failed', when],
    })),
    fc.constant({
      what: 'fault',
      pair: withMetadata(pair, {
        faults: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 10 }],
      }),
      names: ['target-died'],
    }),
    fc.constant({
      what: 'scenario that had to run',
      pair: withMetadata(pair, { scenarios: { scored: [...scored, 'never-run'], notScored } }),
      names: ['never-run'],
    }),
    fc.constantFrom(...scored).map((scenario) => ({
      what: 'scenario that is not in the list',
      pair: withMetadata(pair, {
        scenarios: { scored: scored.filter((one) => one !== scenario), notScored },
      }),
      names: [scenario],
    })),
  );
}

/** A not-scored scenario decides nothing, except when it says that the infrastructure broke. */
function notScoredMutations(pair: Pair): Arbitrary {
  const bad = fc.constantFrom(
    aFailure('some-check', 'Failed: fetch failed'),
    aFailure('scenario-timeout', 'did not complete within 2000ms'),
    aFailure('wire-schema-harness-error', 'HARNESS ERROR'),
  );
  return fc.tuple(fc.constantFrom('extension', 'pending'), bad).map(([scenario, check]) => ({
    what: `infrastructure in ${scenario}`,
    pair: withReports(
      pair,
      pair.input.reports.map((report) =>
        report.scenario === scenario ? { ...report, checks: [...report.checks, check] } : report,
      ),
    ),
    names: [scenario],
  }));
}

/** Any one change to what the referee reported. */
export const anyReportMutation = (pair: Pair): Arbitrary =>
  fc
    .oneof(reportMutations(pair), checkMutations(pair), statusMutations(pair), evidenceMutations(pair))
    .map((mutation) => ({ ...mutation, [fc.toStringMethod]: () => mutation.what }));

/** Any one mutation that a gate which cannot be fooled must notice. */
export const anyMutation = (pair: Pair): Arbitrary =>
  allMutations(pair).map((mutation) => ({ ...mutation, [fc.toStringMethod]: () => mutation.what }));

const allMutations = (pair: Pair): Arbitrary =>
  fc.oneof(
    reportMutations(pair),
    checkMutations(pair),
    statusMutations(pair),
    { arbitrary: evidenceMutations(pair), weight: 4 },
    { arbitrary: exceptionMutations(pair), weight: 2 },
    baselineMutations(pair),
    runMutations(pair),
    notScoredMutations(pair),
  );
