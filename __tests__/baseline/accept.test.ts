import { describe, expect, test } from 'vitest';
import { type AcceptInput, acceptProfile, type CalibrationRun } from '../../src/baseline/accept.ts';
import type { Baseline } from '../../src/baseline/baseline.ts';
import { parseBaseline } from '../../src/baseline/parse.ts';
import { showAcceptance } from '../../src/command/show-acceptance.ts';
import { judgeProfile } from '../../src/gate/judge.ts';
import type { Check, Report } from '../../src/reports/report.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';
import { FIRST_WORLD, reviewedText, runIn } from '../support/passing-pair.ts';
import { aFailedProbe, aProbe, aProfile, aRefereeRun, someMetadata } from '../support/some-metadata.ts';

const CHECKS = [aCheck({ id: 'ok' }), aFailure('bad', 'Expected 404, got 400')];

function input(checks: Check[] = CHECKS, rest: Partial<AcceptInput> = {}): AcceptInput {
  const failed = checks.some(({ status }) => status === 'FAILURE');
  return {
    profile: aProfile(),
    metadata: someMetadata({ runs: [aRefereeRun({ exitCode: failed ? 1 : 0 })] }),
    reports: [aReport({ checks })],
    reportFindings: [],
    reruns: [],
    calibrations: [],
    today: '2026-12-01',
    ...rest,
  };
}
const again = (checks: Check[]): CalibrationRun => ({
  url: 'http://localhost:4100/mcp',
  window: { from: '2026-11-30T13:00:00.000Z', to: '2026-11-30T13:00:10.000Z' },
  reports: [aReport({ checks })],
});

function accept(...args: Parameters<typeof input>) {
  const acceptance = acceptProfile(input(...args));
  if (!acceptance.accepted) throw new Error(JSON.stringify(acceptance.findings));
  return acceptance;
}
const previous = (text: string) => ({ previous: { text, file: 'b.yaml' } });
const parsed = (yaml: string): Baseline => parseBaseline(yaml, 'b.yaml');
const named = (check: string, scenario = 'some-scenario') => [{ scenario, check }];
const review = (yaml: string) => yaml.replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30');

describe('a first acceptance', () => {
  test('writes every check that is not a success, and what was there to be checked', () => {
    const { yaml, ...lists } = accept();
    expect(lists).toEqual({
      accepted: true,
      added: named('bad'),
      changed: [],
      kept: [],
      removed: [],
      vanished: [],
      refused: [],
      left: [],
      unreviewed: 1,
      otherCapabilities: false,
    });
    expect(yaml).toMatchInlineSnapshot(`
      "# Reviewed exceptions of one conformance profile. Written by \`mcp-conformance-gate accept\`;
      # class, reason, reference, reviewed, expires, flaky and comments are yours and are kept.

      schema: 1
      profile: server:2025-11-25
      referee:
        pin: npm:0.2.0-alpha.12
        integrity: sha512-abc
      requirements: sha256:2222222222222222222222222222222222222222222222222222222222222222
      normaliser: 2
      capabilities:
        tools: {}
      exceptions:
        - scenario: some-scenario
          check: bad
          status: FAILURE
          evidence: sha256:e973bce0ed0e3941f362422bffaca0ccc1c563b40d3b90f1b3d675548225edf7
          class: genuine-protocol-failure
          reason: Expected 404, got 400
          reviewed:
          observed: |-
            Expected 404, got 400
      inventory:
        some-scenario:
          - bad
          - ok
      "
    `);
  });

  test('then nothing is missing but a review', () => {
    const run = input();
    const { yaml } = accept();
    const judge = (text: string) =>
      judgeProfile({ ...run, baseline: parsed(text), strictInfrastructure: false }).findings.map(
        ({ kind }) => kind,
      );
    expect(judge(yaml)).toEqual(['unreviewed']);
    expect(judge(review(yaml))).toEqual([]);
  });

  test('a date of review can be given', () => {
    expect(parsed(accept(CHECKS, { reviewed: '2026-12-01' }).yaml).exceptions[0]?.reviewed).toBe(
      '2026-12-01',
    );
  });

  test('repeated checks have a list of statuses', () => {
    const { yaml } = accept([...CHECKS, aCheck({ id: 'bad' }), aCheck({ id: 'bad', status: 'WARNING' })]);
    expect(yaml).toContain('status: [ FAILURE, SUCCESS, WARNING ]');
    expect(parsed(yaml).exceptions[0]).toMatchObject({ reason: 'Expected 404, got 400' });
  });

  test('nothing to except is an empty list', () => {
    const { yaml } = accept([aCheck({ id: 'ok' })]);
    expect(yaml).toContain('exceptions: []\n');
    expect(yaml).not.toContain('information');
  });

  test('the reason is one line of what was said, cut where it has no end', () => {
    const reason = (message: string) => parsed(accept([aFailure('bad', message)]).yaml).exceptions[0]?.reason;
    expect(reason('\n  second line  \nthird')).toBe('second line');
    expect(reason('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(reason('x'.repeat(200))).toBe('x'.repeat(200));
    expect(reason('  \t\nsecond line')).toBe('second line');
    expect(reason('as in [2] of the log')).toBe('as in [2] of the log');
    expect(reason('\n \n')).toBe('No evidence was given.');
  });

  test('the reason does not say which occurrence said it', () => {
    const reason = (...checks: Check[]) => parsed(accept(checks).yaml).exceptions[0]?.reason;
    const successes = Array.from({ length: 9 }, () => aCheck({ id: 'bad' }));
    expect(reason(...successes, aFailure('bad', 'the tenth'))).toBe('the tenth');
    expect(reason(aFailure('bad', '\nbehind an empty line'), aFailure('bad', 'x'))).toBe(
      'behind an empty line',
    );
  });

  test('a check without evidence is known by its words', () => {
    expect(parsed(accept([aCheck({ id: 'bad', status: 'FAILURE' })]).yaml).exceptions[0]).toMatchObject({
      reason: 'name: Name of bad',
      observed: 'name: Name of bad\ndescription: Description of bad',
    });
  });

  test('a scenario that says nothing but INFO is excepted by its first entry', () => {
    const info = [
      aCheck({ id: 'log', status: 'INFO', details: { a: 1 } }),
      aCheck({ id: 'log2', status: 'INFO' }),
    ];
    const { yaml } = accept(info);
    expect(parsed(yaml).exceptions).toMatchObject([{ check: 'log', statuses: ['INFO'] }]);
    expect(parsed(yaml)).toMatchObject({
      inventory: new Map(),
      information: new Map([['some-scenario', ['log', 'log2']]]),
    });
    expect(
      judgeProfile({ ...input(info), baseline: parsed(review(yaml)), strictInfrastructure: false }).findings,
    ).toEqual([]);
  });

  test('INFO beside verdicts needs no exception', () => {
    const { yaml } = accept([aCheck({ id: 'log', status: 'INFO' }), aCheck({ id: 'ok' })]);
    expect(parsed(yaml)).toMatchObject({
      exceptions: [],
      inventory: new Map([['some-scenario', ['ok']]]),
      information: new Map([['some-scenario', ['log']]]),
    });
  });

  test('checks that exist only while something is wrong are not missed later', () => {
    const thrown = aReport({ origin: 'thrown', checks: [aFailure('some-scenario', 'x')] });
    const inventory = (checks: Check[], rest: Partial<AcceptInput> = {}) =>
      [...parsed(accept(checks, rest).yaml).inventory].flat(2);
    expect(
      inventory([], { reports: [thrown], metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })] }) }),
    ).toEqual([]);
    expect(inventory([aCheck({ id: 'some-scenario' })])).toEqual(['some-scenario', 'some-scenario']);
    const run = {
      metadata: someMetadata({
        runs: [aRefereeRun({ argv: ['--scenario', 'some-scenario'], exitCode: 1 })],
        clients: [{ scenario: 'some-scenario', exitCode: 1, timedOut: false }],
      }),
    };
    expect(inventory([aCheck({ id: 'ok' })], run)).toEqual(['some-scenario', 'ok']);
  });

  test('what is not scored is not written', () => {
    const extra = aReport({ scenario: 'extra', checks: [aFailure('x', 'x')] });
    const scenarios = { scored: ['some-scenario'], notScored: [{ scenario: 'extra', reason: 'pending' }] };
    const { yaml } = accept(CHECKS, {
      metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })], scenarios }),
      reports: [aReport({ checks: CHECKS }), extra],
    });
    expect(yaml).not.toContain('extra');
  });

  test('exceptions and inventory are sorted', () => {
    const reports = ['b', 'a'].map((scenario) =>
      aReport({ scenario, checks: [aFailure('z', 'x'), aFailure('y', 'x')] }),
    );
    const scenarios = { scored: ['b', 'a'], notScored: [] };
    const { yaml, added } = accept([], {
      reports,
      metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })], scenarios }),
    });
    expect(added.map(({ scenario, check }) => scenario + check)).toEqual(['bz', 'by', 'az', 'ay']);
    expect(parsed(yaml).exceptions.map(({ scenario, check }) => scenario + check)).toEqual([
      'ay',
      'az',
      'by',
      'bz',
    ]);
    expect([...parsed(yaml).inventory]).toEqual([
      ['a', ['y', 'z']],
      ['b', ['y', 'z']],
    ]);
  });

  test('capabilities are written in one order, and as none where there are none', () => {
    const capabilities = (before: ReturnType<typeof aProbe> | null) =>
      /capabilities:.*?exceptions/s.exec(
        accept(CHECKS, {
          metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })], probes: { before, after: before } }),
        }).yaml,
      )?.[0];
    expect(capabilities(aProbe({ capabilities: { b: { y: 1, x: 2 }, a: {} } }))).toBe(
      'capabilities:\n  a: {}\n  b:\n    x: 2\n    y: 1\nexceptions',
    );
    expect(capabilities(aProbe({ capabilities: null }))).toBe('capabilities:\nexceptions');
    expect(capabilities(null)).toBe('capabilities:\nexceptions');
  });

  test('a client advertises nothing, a git pin has a commit, a suite has no requirement set', () => {
    const { requirements: _r, integrity: _i, ...referee } = someMetadata().referee;
    const { yaml } = accept([aFailure('bad', 'x')], {
      profile: aProfile('client:2025-11-25'),
      metadata: someMetadata({
        referee: { ...referee, pin: 'git:abc', commit: 'abc' },
        runs: [aRefereeRun({ exitCode: 1, argv: ['--scenario', 'some-scenario'] })],
        target: { kind: 'client', notes: [] },
        probes: { before: null, after: null },
      }),
    });
    expect(parsed(yaml)).toMatchObject({
      profile: 'client:2025-11-25',
      referee: { pin: 'git:abc', commit: 'abc' },
    });
    expect(parsed(yaml)).not.toHaveProperty('capabilities');
    expect(parsed(yaml)).not.toHaveProperty('requirements');
    expect(parsed(yaml).referee).not.toHaveProperty('integrity');
  });

  test('a stdio target is not blamed for the bridge in front of it', () => {
    const scenario = 'dns-rebinding-protection';
    const accepted = (kind: 'stdio' | 'command') =>
      parsed(
        accept([], {
          reports: [aReport({ scenario, checks: [aFailure('bad', 'x')] })],
          metadata: someMetadata({
            runs: [aRefereeRun({ exitCode: 1 })],
            target: { kind, notes: [] },
            scenarios: { scored: [scenario], notScored: [] },
          }),
        }).yaml,
      ).exceptions[0]?.class;
    expect(accepted('stdio')).toBe('bridge-transport');
    expect(accepted('command')).toBe('genuine-protocol-failure');
  });
});

describe('accepting again', () => {
  const first = accept().yaml;

  test('the same results give the same bytes', () => {
    const { yaml, ...lists } = accept(CHECKS, previous(first));
    expect(yaml).toBe(first);
    expect(lists).toMatchObject({ added: [], changed: [], kept: named('bad'), removed: [] });
    expect(accept(CHECKS, previous(review(first))).yaml).toBe(review(first));
  });

  test('so do the recorded worlds', () => {
    const text = reviewedText();
    const other = runIn({
      ...FIRST_WORLD,
      port: 9999,
      start: FIRST_WORLD.start + 1e7,
      order: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    });
    const acceptance = acceptProfile({ ...other, calibrations: [], ...previous(text) });
    expect(acceptance.accepted && acceptance.yaml).toBe(text);
  });

  test('what people wrote stays: words, dates, order of keys aside, comments', () => {
    const edited = first
      .replace('# class,', '# Ours.\n# class,')
      .replace('exceptions:\n', 'exceptions:\n  # before the first\n')
      .replace('class: genuine-protocol-failure', 'class: referee-bug # see the issue')
      .replace(
        'reason: Expected 404, got 400',
        "reason: 'They count from zero.'\n    # a note\n    reference: https://example.com/1",
      )
      .replace('reviewed:', 'reviewed: 2026-11-30\n    expires: 2027-01-31\n    flaky: true')
      .replace('      - ok', '      - ok # always')
      .replace('normaliser: 2', 'normaliser: 2 # do not touch');
    const { yaml, kept } = accept(CHECKS, previous(edited));
    expect(yaml).toBe(edited);
    expect(kept).toEqual(named('bad'));
  });

  test('comments move with their exception', () => {
    const commented = first.replace('exceptions:\n', 'exceptions:\n  # about bad\n');
    const { yaml } = accept([...CHECKS, aFailure('aaa', 'x')], previous(commented));
    expect(yaml).toMatch(/check: aaa.*# about bad\n {2}- scenario: some-scenario\n {4}check: bad/s);
    const once = accept([...CHECKS, aFailure('aaa', 'x')], previous(yaml));
    expect(once.yaml).toBe(yaml);
  });

  test('what the fingerprint says counts, whatever became of the text that people read', () => {
    const edited = review(first).replace('      Expected 404, got 400', '      Expected another answer');
    const bare = review(first).replace(/ *observed:.*?(?=inventory)/s, '');
    for (const text of [edited, bare]) {
      expect(accept(CHECKS, previous(text))).toMatchObject({ kept: named('bad'), yaml: review(first) });
    }
  });

  test('other evidence keeps the words and drops the review', () => {
    const reviewed = review(first).replace(
      'reason: Expected 404, got 400',
      'reason: Ours.\n    expires: 2027-01-01',
    );
    const { yaml, changed, kept } = accept(
      [aCheck({ id: 'ok' }), aFailure('bad', 'Expected 404, got 500')],
      previous(reviewed),
    );
    expect(changed).toEqual(named('bad'));
    expect(kept).toEqual([]);
    const [exception] = parsed(yaml).exceptions;
    expect(exception).toMatchObject({
      reason: 'Ours.',
      expires: '2027-01-01',
      observed: 'Expected 404, got 500',
    });
    expect(exception).not.toHaveProperty('reviewed');
    expect(exception?.evidence).not.toBe(parsed(first).exceptions[0]?.evidence);
    expect(
      accept([aCheck({ id: 'ok' }), aFailure('bad', 'x')], { ...previous(reviewed), reviewed: '2026-12-01' })
        .yaml,
    ).toContain('reviewed: 2026-12-01');
  });

  test('another status drops the review too', () => {
    const warned = [
      aCheck({ id: 'ok' }),
      aCheck({ id: 'bad', status: 'WARNING', errorMessage: 'Expected 404, got 400' }),
    ];
    const { yaml, changed } = accept(warned, previous(review(first)));
    expect(changed).toEqual(named('bad'));
    expect(yaml).toContain('status: WARNING\n');
    expect(yaml).toContain('reviewed:\n');
  });

  test('what passes now, or is not there any more, is removed', () => {
    const fixed = accept([aCheck({ id: 'ok' }), aCheck({ id: 'bad' })], previous(first));
    expect(fixed.removed).toEqual(named('bad'));
    expect(parsed(fixed.yaml)).toMatchObject({
      exceptions: [],
      inventory: new Map([['some-scenario', ['bad', 'ok']]]),
    });
    const gone = accept([aCheck({ id: 'ok' })], previous(first));
    expect(gone.removed).toEqual(named('bad'));
    const elsewhere = accept(CHECKS, previous(first.replaceAll('some-scenario', 'removed-scenario')));
    expect(elsewhere).toMatchObject({ removed: named('bad', 'removed-scenario'), added: named('bad') });
    expect(elsewhere.yaml).not.toContain('removed-scenario');
  });

  test('what is not checked any more is named', () => {
    const fewer = accept([aCheck({ id: 'ok' })], previous(first));
    expect(fewer.vanished).toEqual(named('bad'));
    expect(accept(CHECKS, previous(first)).vanished).toEqual([]);
    expect(showAcceptance(aProfile(), '/a/b.yaml', fewer, '/a')).toContain(
      '  not checked any more: some-scenario / bad',
    );
  });

  test('what nobody has reviewed is asked for until it is, whichever acceptance wrote it', () => {
    const again = accept(CHECKS, previous(first));
    expect(again).toMatchObject({ added: [], changed: [], unreviewed: 1 });
    expect(showAcceptance(aProfile(), '/a/b.yaml', again, '/a').at(-1)).toContain(
      'Next: read the 1 entry without a review date',
    );
    const reviewed = accept(CHECKS, previous(review(first)));
    expect(reviewed).toMatchObject({ unreviewed: 0 });
    expect(showAcceptance(aProfile(), '/a/b.yaml', reviewed, '/a').join('\n')).not.toContain('Next:');
  });

  const otherServer = (capabilities: Record<string, unknown>) => {
    const before = aProbe({ capabilities });
    return { runs: [aRefereeRun({ exitCode: 1 })], probes: { before, after: before } };
  };

  test('other capabilities end the review of what hangs on them, and of nothing else', () => {
    const optional = review(first).replace(
      'class: genuine-protocol-failure',
      'class: optional-capability\n    reference: https://example.com/',
    );
    const metadata = someMetadata(otherServer({ tools: {}, prompts: {} }));
    const after = accept(CHECKS, { ...previous(optional), metadata });
    expect(after).toMatchObject({ changed: named('bad'), kept: [], otherCapabilities: true });
    const refused = accept(CHECKS, {
      ...previous(optional),
      metadata,
      calibrations: [again([aCheck({ id: 'ok' }), aCheck({ id: 'bad' })])],
    });
    expect(refused).toMatchObject({ refused: [{ check: 'bad', kept: 'without-review' }], unreviewed: 1 });
    expect(showAcceptance(aProfile(), '/a/b.yaml', refused, '/a').join('\n')).toContain(
      '  left without its review date: some-scenario / bad: ',
    );
    expect(parsed(refused.yaml).exceptions[0]).not.toHaveProperty('reviewed');
    const flaky = optional.replace(
      'reviewed: 2026-11-30',
      'reviewed: 2026-11-30\n    expires: 2027-01-31\n    flaky: true',
    );
    expect(flaky).not.toBe(optional);
    const passing = accept([aCheck({ id: 'ok' }), aCheck({ id: 'bad' })], {
      ...previous(flaky),
      metadata: { ...metadata, runs: [aRefereeRun({ exitCode: 0 })] },
    });
    expect(passing).toMatchObject({ changed: named('bad'), kept: [], unreviewed: 1 });
    expect(showAcceptance(aProfile(), '/a/b.yaml', after, '/a')).toContain(
      '  The server advertises other capabilities than before; the diff of the file shows which.',
    );
    expect(parsed(after.yaml).exceptions[0]).not.toHaveProperty('reviewed');
    expect(accept(CHECKS, previous(optional)).kept).toEqual(named('bad'));
    expect(accept(CHECKS, { ...previous(review(first)), metadata }).kept).toEqual(named('bad'));
    const referee = { ...someMetadata().referee, pin: 'npm:0.3.0' };
    expect(
      accept(CHECKS, {
        ...previous(optional),
        metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })], referee }),
      }).kept,
    ).toEqual(named('bad'));
  });

  test('capabilities are written without what belongs to the run', () => {
    const { probes, window } = someMetadata();
    const url = probes.before?.url ?? '';
    const metadata = (port: string, at: string) =>
      someMetadata({
        ...otherServer({ tools: { icon: url.replace(/:\d+/, `:${port}`), at } }),
        target: { kind: 'command', url: url.replace(/:\d+/, `:${port}`), notes: [] },
      });
    const own = new URL(url).port;
    const { yaml } = accept(CHECKS, { metadata: metadata(own, window.from) });
    expect(yaml).toContain('at: ⟨time⟩');
    expect(yaml).toMatch(/icon: http:\/\/⟨target⟩\/mcp/);
    const judge = (port: string, at: string) =>
      judgeProfile({
        ...input(CHECKS, { metadata: metadata(port, at) }),
        baseline: parsed(review(yaml)),
        strictInfrastructure: false,
      }).findings.map(({ kind }) => kind);
    expect(judge('4567', window.to)).toEqual([]);
    expect(judge('4567', '2020-01-01T00:00:00.000Z')).toEqual(['capability-changed']);
  });

  describe('a partial run', () => {
    const partial = (overrides: Parameters<typeof someMetadata>[0] = {}) => ({
      ...previous(first),
      metadata: someMetadata({
        runs: [aRefereeRun({ argv: ['--scenario', 'some-scenario'], exitCode: 1 })],
        scenarios: { scored: ['some-scenario', 'other'], notScored: [], only: ['some-scenario'] },
        ...overrides,
      }),
    });
    const { referee } = someMetadata();

    test('of what was reviewed is accepted', () => {
      expect(accept(CHECKS, partial()).kept).toEqual(named('bad'));
    });

    test.each<[string, Parameters<typeof someMetadata>[0], string]>([
      ['another pin', { referee: { ...referee, pin: 'npm:0.3.0' } }, 'another referee'],
      ['another integrity', { referee: { ...referee, integrity: 'sha512-x' } }, 'another referee'],
      [
        'other requirements',
        { referee: { ...referee, requirements: `sha256:${'b'.repeat(64)}` } },
        'another requirement set',
      ],
      ['other capabilities', { probes: otherServer({ a: {} }).probes }, 'other capabilities'],
    ])('with %s is refused', (_what, overrides, message) => {
      expect(() => accept(CHECKS, partial(overrides))).toThrow(ConfigError);
      expect(() => accept(CHECKS, partial(overrides))).toThrow(message);
    });

    test('is refused with all that is different of the whole, and what to do', () => {
      const elsewhere = first.replaceAll('some-scenario', 'removed-scenario');
      const requirements = `sha256:${'b'.repeat(64)}`;
      const different = { referee: { ...referee, pin: 'npm:0.3.0', requirements } };
      const refused = () => accept(CHECKS, { ...partial(different), ...previous(elsewhere) });
      expect(refused).toThrow(
        expect.objectContaining({
          message:
            'The run of server:2025-11-25 was partial, and its baseline was reviewed against another referee and another requirement set.',
          place: { file: 'b.yaml' },
          hint: 'Run all scenarios and accept the whole run first.',
        }),
      );
    });

    test('is accepted where there is no baseline yet', () => {
      expect(accept(CHECKS, { ...partial(), previous: undefined }).added).toEqual(named('bad'));
    });

    test('with another normaliser is refused', () => {
      const older = { ...partial(), ...previous(first.replace('normaliser: 2', 'normaliser: 9')) };
      expect(() => accept(CHECKS, older)).toThrow('another evidence normaliser');
    });
  });

  test('a flaky exception survives a success', () => {
    const flaky = first.replace(
      'reviewed:',
      'reviewed: 2026-11-30\n    expires: 2027-01-31\n    flaky: true',
    );
    const { yaml, kept, removed } = accept([aCheck({ id: 'ok' }), aCheck({ id: 'bad' })], previous(flaky));
    expect({ kept, removed }).toEqual({ kept: named('bad'), removed: [] });
    expect(yaml).toBe(flaky);
  });

  test('fingerprints of an older normaliser are made new; the review stays when the text is the same', () => {
    const old = review(first)
      .replace('normaliser: 2', 'normaliser: 7')
      .replace(/evidence: sha256:.*/, `evidence: sha256:${'c'.repeat(64)}`);
    expect(accept(CHECKS, previous(old))).toMatchObject({ kept: named('bad'), yaml: review(first) });
    const other = old.replace('      Expected 404, got 400', '      Expected 404, got 401');
    const { yaml, changed } = accept(CHECKS, previous(other));
    expect(changed).toEqual(named('bad'));
    expect(parsed(yaml).exceptions[0]).not.toHaveProperty('reviewed');
  });

  test('the header follows the run', () => {
    const referee = {
      ...someMetadata().referee,
      pin: 'npm:9.9.9',
      integrity: 'sha512-new',
      requirements: `sha256:${'5'.repeat(64)}`,
    };
    const metadata = someMetadata({
      referee,
      runs: [aRefereeRun({ exitCode: 1 })],
      probes: { before: aProbe({ capabilities: { x: {} } }), after: null },
    });
    const { yaml } = accept(CHECKS, { ...previous(first), metadata });
    expect(parsed(yaml)).toMatchObject({
      referee: { pin: 'npm:9.9.9', integrity: 'sha512-new' },
      requirements: `sha256:${'5'.repeat(64)}`,
      capabilities: { x: {} },
    });
  });

  test.each<[string, string, Partial<AcceptInput>]>([
    ['a new file', 'server-2025-11-25.yaml', {}],
    ['the file that was there', 'b.yaml', previous(accept([aCheck({ id: 'ok' })]).yaml)],
  ])('what could not be read again is not written: %s', (_what, file, rest) => {
    const proposed = () => ({ class: 'referee-bug' as const });
    expect(() => accept(CHECKS, { ...rest, proposed })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('referee-bug needs a reference'),
        place: expect.objectContaining({ file }),
      }),
    );
  });

  test('a broken baseline is not overwritten', () => {
    expect(() => acceptProfile(input(CHECKS, previous('schema: 2')))).toThrow(ConfigError);
    expect(() => acceptProfile(input(CHECKS, previous(first.replace('server:2025', 'client:2025'))))).toThrow(
      'belongs to',
    );
  });
});

describe('a partial run', () => {
  test('leaves the other scenarios alone', () => {
    const whole = { scored: ['some-scenario', 'other'], notScored: [] };
    const other = aReport({
      scenario: 'other',
      checks: [aFailure('x', 'x'), aCheck({ id: 'log', status: 'INFO' })],
    });
    const run = [aRefereeRun({ exitCode: 1 })];
    const first = accept([], {
      reports: [aReport({ checks: CHECKS }), other],
      metadata: someMetadata({ runs: run, scenarios: whole }),
    });
    const partial = accept([aCheck({ id: 'ok' })], {
      ...previous(first.yaml),
      metadata: someMetadata({ scenarios: { ...whole, only: ['some-scenario'] } }),
    });
    expect(partial.removed).toEqual(named('bad'));
    expect(parsed(partial.yaml)).toMatchObject({
      exceptions: [{ scenario: 'other', check: 'x' }],
      inventory: new Map([
        ['other', ['x']],
        ['some-scenario', ['ok']],
      ]),
      information: new Map([['other', ['log']]]),
    });
  });
});

describe('calibration', () => {
  const token = (word: string) => [
    aCheck({ id: 'ok' }),
    aFailure('bad', `Token ${word} is unknown`, { details: { at: 'localhost:3902' } }),
  ];

  test('what differs between two runs is masked, visibly', () => {
    const { yaml } = accept(token('abc'), {
      calibrations: [
        again(token('xyz').map((check) => JSON.parse(JSON.stringify(check).replace('3902', '4100')))),
      ],
    });
    expect(parsed(yaml).exceptions[0]).toMatchObject({
      masked: ['errorMessage #2'],
      observed: 'Token ⟨masked⟩ is unknown\ndetails.at: ⟨target⟩',
      reason: 'Token ⟨masked⟩ is unknown',
    });
    expect(yaml).toContain('    masked:\n      - "errorMessage #2"\n');
  });

  test('masks stay; with more of them the review is gone', () => {
    const first = review(accept(token('abc'), { calibrations: [again(token('xyz'))] }).yaml);
    const same = accept(token('third'), previous(first));
    expect(same).toMatchObject({ yaml: first, kept: named('bad') });
    const noisier = (word: string, weight: number) =>
      token(word).map((check) =>
        check.id === 'bad' ? { ...check, details: { at: 'localhost:3902', weight } } : check,
      );
    const before = review(accept(noisier('abc', 1), { calibrations: [again(noisier('xyz', 1))] }).yaml);
    const after = accept(noisier('abc', 1), {
      ...previous(before),
      calibrations: [again(noisier('xyz', 2))],
    });
    expect(after).toMatchObject({ changed: named('bad'), kept: [] });
    expect(parsed(after.yaml).exceptions[0]).toMatchObject({
      masked: ['details.at', 'details.weight', 'errorMessage #2'],
    });
    expect(parsed(after.yaml).exceptions[0]).not.toHaveProperty('reviewed');
  });

  test('masks of several acceptances must leave something together', () => {
    const bad = (message: string) => [aCheck({ id: 'ok' }), aFailure('bad', message)];
    const first = review(accept(bad('alpha beta'), { calibrations: [again(bad('alpha gamma'))] }).yaml);
    expect(parsed(first).exceptions[0]?.masked).toEqual(['errorMessage #2']);
    const second = accept(bad('alpha beta'), {
      ...previous(first),
      calibrations: [again(bad('delta beta'))],
    });
    expect(second.refused).toEqual([{ ...named('bad')[0], why: 'nothing-stable', kept: 'as-it-was' }]);
    expect(second.yaml).toBe(first);
    const byHand = first.replace('"errorMessage #2"', 'errorMessage');
    expect(accept(bad('alpha beta'), previous(byHand)).refused).toHaveLength(1);
  });

  test('several runs show more', () => {
    const { yaml } = accept([aFailure('bad', 'a b c')], {
      calibrations: [again([aFailure('bad', 'a x c')]), again([aFailure('bad', 'a b y')])],
    });
    expect(parsed(yaml).exceptions[0]?.masked).toEqual(['errorMessage #2', 'errorMessage #3']);
  });

  test.each<[string, Check[], Check[], string]>([
    ['nothing stable is left', [aFailure('bad', 'abc')], [aFailure('bad', 'xyz')], 'nothing-stable'],
    [
      'another status',
      [aFailure('bad', 'abc')],
      [aCheck({ id: 'bad', status: 'WARNING', errorMessage: 'abc' })],
      'occurrences-differ',
    ],
    ['passing', [aFailure('bad', 'abc')], [aCheck({ id: 'bad' })], 'occurrences-differ'],
    ['no such check', [aFailure('bad', 'abc')], [aCheck({ id: 'ok' })], 'occurrences-differ'],
    [
      'more of them',
      [aFailure('bad', 'abc')],
      [aFailure('bad', 'abc'), aFailure('bad', 'abc')],
      'occurrences-differ',
    ],
  ])('%s: refused, and the rest is written', (_what, checks, other, why) => {
    const fine = aFailure('fine', 'stable');
    const { yaml, refused, added, removed } = accept([...checks, fine], {
      calibrations: [again([...other, fine])],
    });
    expect(refused).toEqual([{ scenario: 'some-scenario', check: 'bad', why }]);
    expect(added).toEqual(named('fine'));
    expect(removed).toEqual([]);
    expect(parsed(yaml).exceptions.map(({ check }) => check)).toEqual(['fine']);
  });

  test('what was reviewed stays when the run passes and a second one does not', () => {
    const first = review(accept([aCheck({ id: 'ok' }), aFailure('bad', 'abc')]).yaml);
    const passing = [aCheck({ id: 'ok' }), aCheck({ id: 'bad' })];
    const metadata = someMetadata({ runs: [aRefereeRun({ exitCode: 0 })] });
    const given = { ...previous(first), metadata };
    const unstable = accept(passing, {
      ...given,
      calibrations: [again([passing[0] as Check, aFailure('bad', 'abc')])],
    });
    expect(unstable).toMatchObject({
      removed: [],
      refused: [{ check: 'bad', kept: 'as-it-was' }],
      yaml: first,
    });
    const mended = accept(passing, { ...given, calibrations: [again(passing)] });
    expect(mended).toMatchObject({ removed: named('bad'), refused: [] });
  });

  describe('under another normaliser', () => {
    const old = (observed: string) =>
      review(accept([aFailure('bad', observed)]).yaml)
        .replace('normaliser: 2', 'normaliser: 1')
        .replace(/evidence: sha256:\w+/, `evidence: sha256:${'1'.repeat(64)}`);
    const refusedRun = { calibrations: [again([aCheck({ id: 'bad' })])] };

    test('what reads the same gets its new fingerprint and keeps its review, written anew or not', () => {
      const fresh = review(accept([aFailure('bad', 'abc')]).yaml);
      expect(accept([aFailure('bad', 'abc')], previous(old('abc'))).yaml).toBe(fresh);
      const left = accept([aFailure('bad', 'abc')], { ...previous(old('abc')), ...refusedRun });
      expect(left).toMatchObject({ yaml: fresh, refused: [{ kept: 'as-it-was' }] });
    });

    test('what reads otherwise, or was cut, loses its review', () => {
      for (const [was, is] of [
        ['abc', 'xyz'],
        [`${'x'.repeat(2_000)}AAAA`, `${'x'.repeat(2_000)}BBBB`],
      ] as const) {
        expect(accept([aFailure('bad', is)], previous(old(was)))).toMatchObject({ changed: named('bad') });
        const left = accept([aFailure('bad', is)], { ...previous(old(was)), ...refusedRun });
        expect(left).toMatchObject({ refused: [{ kept: 'without-review' }], unreviewed: 1 });
      }
    });
  });

  test.each<[string, string, Check[]]>([
    ['passing', 'abc', [aCheck({ id: 'bad' })]],
    ['all other words', 'abc', [aFailure('bad', 'xyz')]],
    ['all other words, and other ones than reviewed', 'new', [aFailure('bad', 'xyz')]],
  ])('what was reviewed stays as it was when a second run is %s', (_what, message, other) => {
    const first = review(accept([aFailure('bad', 'abc')]).yaml);
    const acceptance = accept([aFailure('bad', message)], {
      ...previous(first),
      calibrations: [again(other)],
    });
    expect(acceptance.yaml).toBe(first);
    expect(acceptance).toMatchObject({ added: [], changed: [], kept: [], removed: [], unreviewed: 0 });
    expect(acceptance.refused).toMatchObject([{ check: 'bad', kept: 'as-it-was' }]);
    expect(showAcceptance(aProfile(), '/a/b.yaml', acceptance, '/a').join('\n')).toContain(
      '  left as it was: some-scenario / bad: ',
    );
  });

  test('a flaky exception may come out differently', () => {
    const flaky = accept([aFailure('bad', 'abc')]).yaml.replace(
      'reviewed:',
      'reviewed: 2026-11-30\n    expires: 2027-01-31\n    flaky: true',
    );
    const { kept, refused } = accept([aFailure('bad', 'abc')], {
      ...previous(flaky),
      calibrations: [again([aCheck({ id: 'bad' })])],
    });
    expect({ kept, refused }).toEqual({ kept: named('bad'), refused: [] });
  });

  test('a run that did not reach the scenario says nothing about it', () => {
    const { refused } = accept(CHECKS, { calibrations: [{ ...again(CHECKS), reports: [] }] });
    expect(refused).toEqual([]);
  });

  test('the second run is normalised by what it knows, also behind a relay', () => {
    const at = (port: number) => [aFailure('bad', `Refused by localhost:${port}`)];
    const run = again(at(5555));
    expect(
      parsed(accept(at(3902), { calibrations: [{ ...run, behind: 'http://localhost:5555' }] }).yaml)
        .exceptions[0]?.masked,
    ).toEqual([]);
    expect(parsed(accept(at(3902), { calibrations: [run] }).yaml).exceptions[0]?.masked).not.toEqual([]);
  });
});

describe('from what was not measured nothing is accepted', () => {
  test.each<[string, Partial<AcceptInput>, string]>([
    [
      'no target',
      {
        metadata: someMetadata({
          runs: [aRefereeRun({ exitCode: 1 })],
          probes: { before: aFailedProbe(), after: null },
        }),
      },
      'probe-failed',
    ],
    [
      'a fault',
      {
        metadata: someMetadata({
          runs: [aRefereeRun({ exitCode: 1 })],
          faults: [{ kind: 'target-died', exitCode: 1, signal: null, afterMs: 1 }],
        }),
      },
      'target-died',
    ],
    [
      'no report',
      { reports: [], metadata: someMetadata({ runs: [aRefereeRun({ exitCode: 1 })] }) },
      'referee-crashed',
    ],
    [
      'a report that cannot be read',
      { reportFindings: [{ kind: 'malformed-report', folder: 'f', message: 'm' }] },
      'malformed-report',
    ],
  ])('%s', (_what, rest, kind) => {
    const acceptance = acceptProfile(input(CHECKS, rest));
    expect(acceptance).toMatchObject({ accepted: false, findings: [{ kind }] });
    expect(acceptance).not.toHaveProperty('yaml');
  });

  test('a lost connection that was not confirmed, and never when strict', () => {
    const lost = [aFailure('bad', 'fetch failed')];
    const report = (checks: Check[]): Report[] => [aReport({ checks })];
    const reruns = [
      {
        rerun: {
          ...input().metadata.reruns[0],
          scenario: 'some-scenario',
          purpose: 'confirm',
          url: '',
          folder: '',
          run: aRefereeRun(),
          window: someMetadata().window,
        } as never,
        reports: report(lost),
        findings: [],
      },
    ];
    expect(acceptProfile(input(lost))).toMatchObject({
      accepted: false,
      findings: [{ kind: 'transport-failure' }],
    });
    expect(acceptProfile(input(lost, { reruns }))).toMatchObject({ accepted: true, added: named('bad') });
    expect(acceptProfile(input(lost, { reruns, strictInfrastructure: true }))).toMatchObject({
      accepted: false,
    });
  });

  test('only what was not measured is told', () => {
    const acceptance = acceptProfile(
      input(CHECKS, { reports: [aReport({ checks: CHECKS }), aReport({ scenario: 'odd' })] }),
    );
    expect(acceptance).toMatchObject({ accepted: false, findings: [{ kind: 'unknown-scenario' }] });
    expect(!acceptance.accepted && acceptance.findings).toHaveLength(1);
  });
});
