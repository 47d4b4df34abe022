import { describe, expect, test } from 'vitest';
import type { AcceptInput } from '../../src/baseline/accept.ts';
import { importKnownFailures, type KnownFailure, readKnownFailures } from '../../src/baseline/import.ts';
import { parseBaseline } from '../../src/baseline/parse.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { aFailedProbe, aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

const SERVER = aProfile();
const read = (text: string, profile = SERVER) => readKnownFailures(text, 'known.yaml', profile);

function refused(text: string): ConfigError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('was read');
}

describe("the referee's expected-failures file", () => {
  const text = 'server:\n  - whole\n  - tools-list:some-check\nclient:\n  - auth/basic:other-check\n';

  test('has a list per leg', () => {
    expect(read(text)).toStrictEqual([
      { scenario: 'whole' },
      { scenario: 'tools-list', check: 'some-check' },
    ]);
    expect(read(text, aProfile('client:2025-11-25'))).toEqual([
      { scenario: 'auth/basic', check: 'other-check' },
    ]);
  });

  test('may hold braces', () => {
    expect(read('server:\n  - whole # { for now }\n')).toEqual([{ scenario: 'whole' }]);
  });

  test('an absent or empty list is none', () => {
    expect(read('client: []\n')).toEqual([]);
    expect(read('server:\n')).toEqual([]);
  });

  test.each<[string, string, number, string]>([
    ['an unknown leg', 'servers: []\n', 1, 'Unknown key "servers"'],
    ['no check', 'server:\n  - "a:"\n', 2, '"a:" is neither a scenario nor scenario:check'],
    ['no scenario', 'server:\n  - ok\n  - ":b"\n', 3, '":b" is neither'],
    ['a wildcard', 'server:\n  - tools-*\n', 2, '"tools-*" is neither'],
    ['white space', 'server:\n  - "a b"\n', 2, '"a b" is neither'],
    ['two colons', 'server:\n  - a:b:c\n', 2, '"a:b:c" is neither'],
    ['a mapping', 'server:\n  - a: b\n', 2, 'server[0]'],
    ['a list', '- a\n', 1, 'The list of expected failures'],
  ])('%s is refused with its line', (_what, given, line, message) => {
    const error = refused(given);
    expect(error.message).toContain(message);
    expect(error.place).toMatchObject({ file: 'known.yaml', line });
  });
});

describe('a JSON baseline with classifications by revision', () => {
  const entry = (rest: object) => ({
    scenario: 's',
    check_id: 'c',
    expected_status: 'FAILURE',
    evidence_sha256: 'x',
    ...rest,
  });
  const json = (entries: object[], profile = '2025-11-25') =>
    JSON.stringify(
      {
        schema_version: 2,
        harness_commit: 'b',
        profiles: { [profile]: { expected_server_capabilities: {}, classifications: entries } },
      },
      null,
      1,
    );

  test.each<[string, object, object]>([
    [
      'a protocol failure',
      { classification: 'genuine_protocol_failure', reason: 'R', evidence: 'section 3' },
      { class: 'genuine-protocol-failure', reason: 'R section 3' },
    ],
    [
      'a missing fixture',
      { classification: 'missing_harness_fixture', reason: 'R' },
      { class: 'missing-harness-fixture', reason: 'R' },
    ],
    ['a limitation', { classification: 'harness_limitation_pending' }, { class: 'harness-limitation' }],
    [
      'infrastructure',
      { classification: 'inconclusive_infrastructure' },
      { class: 'inconclusive-infrastructure' },
    ],
    [
      'an optional capability with an address',
      {
        classification: 'optional_capability_not_implemented',
        reason: 'R',
        evidence: 'https://example.com/spec',
      },
      { class: 'optional-capability', reason: 'R', reference: 'https://example.com/spec' },
    ],
    [
      'an address without encryption',
      { reason: 'R', evidence: 'http://example.com/spec' },
      { reason: 'R', reference: 'http://example.com/spec' },
    ],
    [
      'an address among words',
      { classification: 'genuine_protocol_failure', evidence: 'see https://example.com/spec for it' },
      {
        class: 'genuine-protocol-failure',
        reason: 'see https://example.com/spec for it',
        reference: 'https://example.com/spec',
      },
    ],
    [
      'an optional capability without the address that it needs',
      { classification: 'optional_capability_not_implemented', reason: 'R', evidence: 'MCP section' },
      { reason: '(optional_capability_not_implemented) R MCP section' },
    ],
    ['a class that nobody knows', { classification: 'because', reason: ' ' }, {}],
    ['a class that every object has', { classification: 'constructor' }, {}],
    ['nothing but names', {}, {}],
  ])('%s', (_what, rest, expected) => {
    expect(read(json([entry(rest)]))).toStrictEqual([
      { scenario: 's', check: 'c', status: 'FAILURE', ...expected },
    ]);
  });

  test('is known by its first brace', () => {
    expect(read(`\n\t ${json([entry({})])}`)).toHaveLength(1);
  });

  test('the status may be unknown', () => {
    expect(read(json([entry({ expected_status: undefined })]))).toStrictEqual([
      { scenario: 's', check: 'c' },
    ]);
  });

  test('profiles may be called by revision or by their whole name, which wins', () => {
    expect(read(json([entry({})], 'server:2025-11-25'))).toHaveLength(1);
    const both = JSON.stringify({
      profiles: {
        '2025-11-25': { classifications: [] },
        'server:2025-11-25': { classifications: [entry({})] },
      },
    });
    expect(read(both)).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['another revision', json([], '2026-07-28'), 'has no profile 2025-11-25'],
    ['no profiles', '{ "baseline": 1 }', 'profiles: is missing'],
    [
      'an entry without a check',
      JSON.stringify({ profiles: { '2025-11-25': { classifications: [{ scenario: 's' }] } } }),
      'check_id: is missing',
    ],
    ['broken JSON', '{ "profiles": ', 'The baseline to import is not valid YAML'],
  ])('%s is refused', (_what, text, message) => {
    expect(refused(text).message).toContain(message);
    expect(refused(text).place).toMatchObject({ file: 'known.yaml' });
  });

  test('another revision names those that are there, and where', () => {
    const { hint, place } = refused(
      '{\n  "profiles": { "2026-07-28": { "classifications": [] }, "client:2025-11-25": { "classifications": [] } }\n}',
    );
    expect(hint).toBe('It has: 2026-07-28, client:2025-11-25.');
    expect(place).toEqual({ file: 'known.yaml', line: 2, column: 3 });
  });
});

describe('importKnownFailures', () => {
  const run: Omit<AcceptInput, 'proposed'> = {
    profile: SERVER,
    metadata: someMetadata({
      runs: [aRefereeRun({ exitCode: 1 })],
      scenarios: { scored: ['a', 'b'], notScored: [] },
    }),
    reports: [
      aReport({ scenario: 'a', checks: [aCheck({ id: 'ok' }), aFailure('one', 'x'), aFailure('two', 'y')] }),
      aReport({ scenario: 'b', checks: [aFailure('one', 'z'), aCheck({ id: 'fine' })] }),
    ],
    reportFindings: [],
    reruns: [],
    calibrations: [],
    today: '2026-12-01',
  };
  function imported(known: KnownFailure[], rest: Partial<AcceptInput> = {}) {
    const result = importKnownFailures(known, { ...run, ...rest });
    if (!result.acceptance.accepted) throw new Error('refused');
    const { yaml, ...lists } = result.acceptance;
    return { ...lists, yaml, unused: result.unused, baseline: parseBaseline(yaml, 'b.yaml') };
  }

  test('exactly what is named becomes an exception, without a review; the rest stays a finding', () => {
    const { baseline, added, left, unused } = imported([
      {
        scenario: 'a',
        check: 'one',
        class: 'referee-bug',
        reason: 'Theirs.',
        reference: 'https://example.com/',
      },
    ]);
    expect(added).toEqual([{ scenario: 'a', check: 'one' }]);
    expect(left).toEqual([
      { scenario: 'a', check: 'two' },
      { scenario: 'b', check: 'one' },
    ]);
    expect(unused).toEqual([]);
    expect(baseline.exceptions).toMatchObject([
      {
        scenario: 'a',
        check: 'one',
        class: 'referee-bug',
        reason: 'Theirs.',
        reference: 'https://example.com/',
        statuses: ['FAILURE'],
      },
    ]);
    expect(baseline.exceptions[0]).not.toHaveProperty('reviewed');
    expect(baseline.inventory.get('b')).toEqual(['fine', 'one']);
  });

  test('a whole scenario becomes one exception for each check that is not a success', () => {
    const { baseline, left } = imported([{ scenario: 'a' }]);
    expect(baseline.exceptions.map(({ check, reason }) => [check, reason])).toEqual([
      ['one', 'x'],
      ['two', 'y'],
    ]);
    expect(left).toEqual([{ scenario: 'b', check: 'one' }]);
  });

  test('what the list expected otherwise is not taken over', () => {
    const { added, left, unused } = imported([{ scenario: 'a', check: 'one', status: 'WARNING' }]);
    expect(added).toEqual([]);
    expect(left).toHaveLength(3);
    expect(unused).toHaveLength(1);
    expect(imported([{ scenario: 'a', check: 'one', status: 'FAILURE' }]).added).toHaveLength(1);
  });

  test('lines that excuse nothing are named', () => {
    const stale: KnownFailure[] = [
      { scenario: 'a', check: 'ok' },
      { scenario: 'gone' },
      { scenario: 'b', check: 'two' },
    ];
    expect(imported(stale).unused).toEqual(stale);
  });

  test('an exception that was there before stays as it was, and its line was of use', () => {
    const first = imported([{ scenario: 'a', check: 'one', reason: 'Old.' }]);
    const again = imported(
      [{ scenario: 'a', check: 'one', status: 'WARNING', reason: 'New.' }, { scenario: 'b' }],
      {
        previous: { text: first.yaml, file: 'b.yaml' },
      },
    );
    expect(again.kept).toEqual([{ scenario: 'a', check: 'one' }]);
    expect(again.added).toEqual([{ scenario: 'b', check: 'one' }]);
    expect(again.unused).toEqual([]);
    expect(again.baseline.exceptions[0]?.reason).toBe('Old.');
  });

  test('from what was not measured nothing is imported', () => {
    const metadata = { ...run.metadata, probes: { before: aFailedProbe(), after: null } };
    expect(importKnownFailures([{ scenario: 'a' }], { ...run, metadata })).toMatchObject({
      acceptance: { accepted: false, findings: [{ kind: 'probe-failed' }] },
      unused: [],
    });
  });
});
