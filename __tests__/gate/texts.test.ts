import { describe, expect, test } from 'vitest';
import { type Finding, findingSchema } from '../../src/gate/finding.ts';
import { textOf } from '../../src/gate/texts.ts';

const at = { profile: 'server:2025-11-25', scenario: 'tools-list', check: 'tools-name' };
const said = { statuses: ['FAILURE', 'WARNING'], firstLine: 'Expected 404', fingerprint: 'sha256:x' };
const one = [{ scenario: 'a', check: 'b' }];
const two = [...one, { scenario: 'c', check: 'd' }];
const logTail = ['first', 'last'];

/** At least one of each kind, and of each form that changes the words. */
const ALL: readonly Finding[] = [
  { kind: 'unclassified', ...at, ...said },
  { kind: 'unclassified', ...at, ...said, statuses: [] },
  { kind: 'unreviewed', ...at, ...said },
  { kind: 'status-changed', ...at, ...said, expected: ['SKIPPED'] },
  { kind: 'evidence-changed', ...at, ...said, expected: 'sha256:y' },
  { kind: 'evidence-changed', ...at, ...said, expected: 'sha256:y', diff: 'got [-400-]{+500+}\nand more' },
  { kind: 'evidence-changed', ...at, ...said, expected: 'sha256:y', diff: 'got 400' },
  { kind: 'now-passing', ...at, expected: ['FAILURE'] },
  { kind: 'not-emitted', ...at, expected: ['FAILURE'] },
  { kind: 'unknown-exception', ...at, why: 'no-such-scenario', nearest: 'tools-call' },
  { kind: 'unknown-exception', ...at, why: 'no-such-check' },
  { kind: 'unknown-exception', ...at, why: 'not-scored' },
  { kind: 'vanished-check', ...at },
  { kind: 'capability-changed', profile: 'p', before: {}, now: {}, diff: '{+tools: {}+}', consequences: one },
  { kind: 'exception-expired', ...at, expires: '2026-11-30' },
  {
    kind: 'exception-expired',
    ...at,
    expires: '2026-11-30',
    statuses: ['FAILURE', 'FAILURE'],
    firstLine: 'got 400',
  },
  { kind: 'exception-expired', ...at, expires: '2026-11-30', statuses: ['SKIPPED'], firstLine: '' },
  { kind: 'exception-expired', ...at, expires: '2026-11-30', statuses: ['SUCCESS', 'INFO'], firstLine: '' },
  {
    kind: 'exception-expired',
    ...at,
    expires: '2026-11-30',
    statuses: ['SUCCESS', 'FAILURE'],
    firstLine: 'x',
  },
  { kind: 'exception-expired', ...at, expires: '2026-11-30', statuses: [], firstLine: '' },
  { kind: 'pin-mismatch', profile: 'p', reviewed: 'npm:1.0.0', running: 'npm:1.0.1' },
  { kind: 'requirements-changed', profile: 'p', reviewed: 'sha256:a', running: 'none' },
  { kind: 'normaliser-changed', profile: 'p', reviewed: 1, running: 2, consequences: two },
  { kind: 'wrong-baseline', profile: 'p', reviewed: 'server:2026-07-28' },
  { kind: 'no-verdict', profile: 'p', scenario: 's', why: 'empty' },
  { kind: 'no-verdict', profile: 'p', scenario: 's', why: 'info-only' },
  { kind: 'flaky', ...at, first: 'FAILURE', again: 'SUCCESS', ofRuns: 1 },
  { kind: 'flaky', ...at, first: 'FAILURE', again: 'SUCCESS', ofRuns: 3 },
  { kind: 'boundary-open', profile: 'p', without: 200, with: null },
  { kind: 'boundary-open', profile: 'p', without: null, with: 403 },
  { kind: 'port-occupied', port: 3000, owner: 'node (77)' },
  { kind: 'port-occupied', port: 3000 },
  { kind: 'target-start-failed', exitCode: 3, signal: null, afterMs: 120, message: 'no such file', logTail },
  { kind: 'target-start-failed', exitCode: null, signal: 'SIGKILL', afterMs: 12_000, logTail: [] },
  { kind: 'target-not-ready', timeoutMs: 60_000, last: 'connect ECONNREFUSED', logTail },
  { kind: 'target-mismatch', expected: 'mine', found: 'yours' },
  { kind: 'target-died', exitCode: null, signal: null, afterMs: 1500, logTail, consequences: two },
  { kind: 'probe-failed', when: 'before', url: 'http://localhost:1', reason: 'refused', message: 'm' },
  {
    kind: 'probe-failed',
    when: 'after',
    url: 'http://localhost:1',
    reason: 'unauthorised',
    message: 'HTTP 401',
    consequences: one,
  },
  { kind: 'probe-failed', when: 'before', url: 'http://localhost:1', reason: 'not-mcp', message: 'm' },
  { kind: 'probe-failed', when: 'before', url: 'http://localhost:1', reason: 'toString', message: 'm' },
  { kind: 'target-unreachable', reason: 'no-answer', scenarios: 30, of: 30, message: 'm', consequences: two },
  { kind: 'target-unreachable', reason: 'no-connection', scenarios: 28, of: 30, message: 'm' },
  { kind: 'referee-unavailable', pin: 'npm:1.0.0', message: 'offline', remedy: 'Go online.' },
  { kind: 'referee-unavailable', pin: 'npm:1.0.0', message: 'offline' },
  { kind: 'referee-integrity', pin: 'npm:1.0.0', message: 'sha512-a is not sha512-b' },
  { kind: 'referee-build-failed', pin: 'git:abc', step: 'npm run build', logTail },
  { kind: 'referee-crashed', exitCode: 134, signal: null, logTail, consequences: one },
  { kind: 'exit-code-disagrees', exitCode: 1, scoredFailures: 0 },
  { kind: 'exit-code-disagrees', exitCode: null, scoredFailures: 1, scenario: 'tools-list' },
  { kind: 'profile-timeout', timeoutMs: 600_000, notRun: ['a', 'b'] },
  { kind: 'profile-timeout', timeoutMs: 9_940, notRun: [], scope: 'run' },
  { kind: 'scenario-timeout', scenario: 's', message: 'm', consequences: one },
  { kind: 'transport-failure', scenario: 's', message: 'fetch failed' },
  { kind: 'transport-failure', scenario: 's', message: 'Its reason: r', recordedFor: 'c' },
  {
    kind: 'target-died',
    exitCode: 1,
    signal: null,
    afterMs: 1500,
    logTail: [],
    consequences: [...two, { scenario: 's', check: '(no report)' }],
  },
  {
    kind: 'target-died',
    exitCode: 1,
    signal: null,
    afterMs: 1500,
    logTail: [],
    consequences: [
      { scenario: 's', check: '(scenario)' },
      { scenario: 't', check: '(no report)' },
    ],
  },
  { kind: 'harness-error', scenario: 's', message: 'm', consequences: two },
  { kind: 'missing-report', scenario: 's' },
  { kind: 'duplicate-report', scenario: 's', folders: ['a', 'b'] },
  { kind: 'unknown-scenario', scenario: 's', folder: 'f' },
  { kind: 'unknown-status', scenario: 's', check: 'c', status: 'MAYBE' },
  { kind: 'malformed-report', folder: 'f', message: 'is not JSON' },
  { kind: 'malformed-report', folder: 'node-22', message: 'There is no such report folder.', of: 'gate' },
  { kind: 'nothing-applicable' },
  { kind: 'stdio-framing', line: 'Listening', message: 'not JSON' },
  { kind: 'interrupted', signal: 'SIGINT', consequences: two },
];

test('every kind is here', () => {
  const kinds = findingSchema.options.map(({ shape }) => shape.kind.value);
  expect([...new Set(ALL.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
  for (const finding of ALL) expect(findingSchema.parse(finding)).toEqual(finding);
});

test('the words', () => {
  const words = ALL.map((finding) => {
    const { title, detail, remedy } = textOf(finding);
    return [title, ...detail.map((line) => `  ${line}`), ...remedy.map((line) => `  → ${line}`)].join('\n');
  });
  expect(words.join('\n\n')).toMatchSnapshot();
});

describe('form', () => {
  test.each(ALL.map((finding) => [finding.kind, finding] as const))('%s', (_kind, finding) => {
    const { title, detail, remedy } = textOf(finding);
    expect(title).toMatch(/^\S.*[^.\s]$/);
    expect(remedy.length).toBeGreaterThan(0);
    for (const line of remedy) expect(line).toMatch(/^[A-Z].*\.$/);
    for (const line of [title, ...detail, ...remedy]) expect(line).not.toMatch(/[\r\n]|undefined|\[object/);
  });

  test('the same status several times in a row is told once, with its number', () => {
    const statuses = ['FAILURE', 'FAILURE', 'WARNING', 'FAILURE', 'FAILURE', 'FAILURE'];
    expect(textOf({ kind: 'unclassified', ...at, ...said, statuses }).title).toBe(
      'tools-name of tools-list is FAILURE ×2, WARNING, FAILURE ×3 and has no exception',
    );
  });

  test.each([
    [9_999, '10.0 s'],
    [10_000, '10 s'],
    [120, '0.1 s'],
  ])('%i ms are %s', (timeoutMs, words) => {
    expect(textOf({ kind: 'target-not-ready', timeoutMs, last: '' }).title).toBe(
      `The target did not answer within ${words}`,
    );
  });

  test('a lost connection names how many checks hang on it', () => {
    const finding: Finding = { kind: 'transport-failure', scenario: 's', message: 'm', consequences: two };
    expect(textOf(finding).detail).toEqual(['m', '2 checks follow from this.']);
  });

  test.each([
    [[], []],
    [one, ['Not judged because of this: 1 check.']],
    [
      [...two, { scenario: 's', check: '(scenario)' }],
      ['Not judged because of this: 1 scenario and 2 checks.'],
    ],
  ])('what is not judged after an end is counted: %j', (consequences, detail) => {
    const died: Finding = { kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 };
    expect(textOf({ ...died, consequences }).detail).toEqual(detail);
    expect(textOf(died).detail).toEqual([]);
  });

  test('line breaks of the target do not break lines', () => {
    const { title, detail } = textOf({ kind: 'missing-report', scenario: 'a \r\n  ::error::b' });
    expect(title).toBe('a ::error::b had to run and left no report');
    expect(detail).toHaveLength(1);
    expect(textOf({ kind: 'malformed-report', folder: 'f', message: 'a\r\nb\nc' }).detail).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
