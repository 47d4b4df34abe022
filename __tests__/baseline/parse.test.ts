import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baselineFile, loadBaseline, readBaseline } from '../../src/baseline/load.ts';
import { MAX_BASELINE_BYTES, parseBaseline } from '../../src/baseline/parse.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { aProfile } from '../support/some-metadata.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HASH = `sha256:${'ab'.repeat(32)}`;
const TEXT = `schema: 1
profile: server:2025-11-25
referee:
  pin: npm:0.2.0-alpha.12
  integrity: sha512-abc
requirements: ${HASH}
normaliser: 1
capabilities:
  tools: {}
exceptions:
  - scenario: plain
    check: bad
    status: FAILURE
    evidence: ${HASH}
    class: missing-harness-fixture
    reason: Known.
    reviewed: 2026-11-30
  - scenario: plain
    check: worse
    status: [FAILURE, SUCCESS, SKIPPED]
    evidence: ${HASH}
    class: referee-bug
    reason: Theirs.
    reference: https://example.com/issue/1
    reviewed:
    expires: 2027-03-01
    flaky: true
    masked:
      - "errorMessage #2"
    observed: |-
      one
      two
inventory:
  plain: [bad, ok, worse]
information:
  plain:
    - log
`;

const replaced = (from: string, to: string) => {
  if (!TEXT.includes(from)) throw new Error(`the baseline has no ${from}`);
  return TEXT.replace(from, to);
};

function refused(text: string): ConfigError {
  try {
    parseBaseline(text, 'b.yaml', aProfile());
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseBaseline', () => {
  test('reads everything, with the place of each exception', () => {
    expect(parseBaseline(TEXT, 'b.yaml', aProfile())).toStrictEqual({
      profile: 'server:2025-11-25',
      referee: { pin: 'npm:0.2.0-alpha.12', integrity: 'sha512-abc' },
      requirements: HASH,
      normaliser: 1,
      capabilities: { tools: {} },
      exceptions: [
        {
          scenario: 'plain',
          check: 'bad',
          statuses: ['FAILURE'],
          evidence: HASH,
          class: 'missing-harness-fixture',
          reason: 'Known.',
          reviewed: '2026-11-30',
          flaky: false,
          masked: [],
          place: { file: 'b.yaml', line: 11, column: 5 },
        },
        {
          scenario: 'plain',
          check: 'worse',
          statuses: ['FAILURE', 'SUCCESS', 'SKIPPED'],
          evidence: HASH,
          class: 'referee-bug',
          reason: 'Theirs.',
          reference: 'https://example.com/issue/1',
          expires: '2027-03-01',
          flaky: true,
          masked: ['errorMessage #2'],
          observed: 'one\ntwo',
          place: { file: 'b.yaml', line: 18, column: 5 },
        },
      ],
      inventory: new Map([['plain', ['bad', 'ok', 'worse']]]),
      information: new Map([['plain', ['log']]]),
    });
  });

  test('what may be absent may be absent', () => {
    const least = `schema: 1
profile: server:2025-11-25
referee: { pin: "git:abc", commit: abc }
normaliser: 1
exceptions: []
inventory: {}
`;
    expect(parseBaseline(least, 'b.yaml')).toStrictEqual({
      profile: 'server:2025-11-25',
      referee: { pin: 'git:abc', commit: 'abc' },
      normaliser: 1,
      exceptions: [],
      inventory: new Map(),
      information: new Map(),
    });
  });

  test('no line for the review says the same as an empty one', () => {
    expect(parseBaseline(replaced('    reviewed:\n', ''), 'b.yaml')).toStrictEqual(
      parseBaseline(TEXT, 'b.yaml'),
    );
  });

  test('no capabilities at all are a snapshot too', () => {
    expect(
      parseBaseline(replaced('capabilities:\n  tools: {}', 'capabilities:'), 'b.yaml').capabilities,
    ).toBeNull();
  });

  test.each<[string, string, number, number, string, string | undefined]>([
    [
      'an unknown key',
      replaced('reason: Known.', 'raeson: Known.'),
      16,
      5,
      'Unknown key "raeson"',
      'Did you mean reason?',
    ],
    [
      'an unknown key at the top',
      replaced('normaliser:', 'normalizer:'),
      7,
      1,
      'Unknown key "normalizer"',
      'Did you mean normaliser?',
    ],
    [
      'an unknown key of the referee',
      replaced('  pin:', '  pn:'),
      4,
      3,
      'Unknown key "pn"',
      'Did you mean pin?',
    ],
    ['a missing key', replaced(`    evidence: ${HASH}\n`, ''), 11, 5, 'evidence: is missing', undefined],
    [
      'a wrong type',
      replaced('exceptions:\n', 'exceptions: none\nx:\n'),
      11,
      1,
      'Unknown key "x"',
      expect.anything(),
    ],
    ['a number for a name', replaced('check: bad', 'check: 7'), 12, 5, 'exceptions[0].check', undefined],
    [
      'an unknown status',
      replaced('status: FAILURE', 'status: FAILED'),
      13,
      5,
      'cannot be "FAILED"',
      'Valid: FAILURE, WARNING, SKIPPED, SUCCESS, INFO.',
    ],
    [
      'a mistyped status in a list',
      replaced('SKIPPED]', 'SKIPED]'),
      20,
      32,
      'cannot be "SKIPED"',
      'Did you mean SKIPPED?',
    ],
    [
      'a status in lower case',
      replaced('status: FAILURE', 'status: failure'),
      13,
      5,
      'cannot be "failure"',
      'Did you mean FAILURE?',
    ],
    ['no status', replaced('[FAILURE, SUCCESS, SKIPPED]', '[]'), 20, 5, 'exceptions[1].status', undefined],
    [
      'an unknown class',
      replaced('missing-harness-fixture', 'missing-fixture'),
      15,
      5,
      'cannot be "missing-fixture"',
      expect.stringContaining('missing-harness-fixture'),
    ],
    [
      'the same exception twice',
      replaced('check: worse', 'check: bad'),
      19,
      5,
      'is the second exception for bad of plain',
      undefined,
    ],
    [
      'the same key twice',
      replaced('normaliser: 1', 'normaliser: 1\nnormaliser: 1'),
      8,
      1,
      'Map keys must be unique',
      undefined,
    ],
    ['a wildcard for a check', replaced('check: bad', 'check: "*"'), 12, 5, 'no wildcard', undefined],
    [
      'a wildcard for scenarios',
      replaced('scenario: plain', 'scenario: tools-?'),
      11,
      5,
      'no wildcard',
      undefined,
    ],
    ['a wildcard in the inventory', replaced('  plain: [', '  "pl*": ['), 34, 3, 'no wildcard', undefined],
    ['white space in a name', replaced('check: bad', 'check: bad one'), 12, 5, 'no white space', undefined],
    ['an empty name', replaced('check: bad', 'check: ""'), 12, 5, 'exactly one name', undefined],
    [
      'a hash of zeros',
      replaced(`evidence: ${HASH}`, `evidence: sha256:${'0'.repeat(64)}`),
      14,
      5,
      'is a placeholder',
      undefined,
    ],
    ['no hash', replaced(`evidence: ${HASH}`, 'evidence: sha256:abc'), 14, 5, 'must be sha256:', undefined],
    [
      'a longer hash',
      replaced(`evidence: ${HASH}`, `evidence: ${HASH}0`),
      14,
      5,
      'must be sha256:',
      undefined,
    ],
    [
      'text before a hash',
      replaced(`evidence: ${HASH}`, `evidence: x${HASH}`),
      14,
      5,
      'must be sha256:',
      undefined,
    ],
    [
      'a day that does not exist',
      replaced('reviewed: 2026-11-30', 'reviewed: 2026-02-30'),
      17,
      5,
      'is not a date',
      undefined,
    ],
    [
      'a date in words',
      replaced('expires: 2027-03-01', 'expires: next spring'),
      26,
      5,
      'is not a date',
      undefined,
    ],
    ['no reason', replaced('reason: Known.', 'reason: "  "'), 16, 5, 'exceptions[0].reason', undefined],
    [
      'a reference that is no address',
      replaced('https://example.com/issue/1', 'javascript:alert(1)'),
      24,
      5,
      'exceptions[1].reference',
      undefined,
    ],
    [
      'a class without its reference',
      replaced('    reference: https://example.com/issue/1\n', ''),
      22,
      5,
      'referee-bug needs a reference',
      undefined,
    ],
    [
      'an optional capability without a reference',
      replaced('missing-harness-fixture', 'optional-capability'),
      15,
      5,
      'needs a reference',
      undefined,
    ],
    [
      'an optional capability without a snapshot',
      replaced('referee-bug', 'optional-capability').replace('capabilities:\n  tools: {}\n', ''),
      20,
      5,
      'needs the capabilities snapshot',
      undefined,
    ],
    ['flaky for ever', replaced('    expires: 2027-03-01\n', ''), 26, 5, 'needs expires', undefined],
    ['a later schema', replaced('schema: 1', 'schema: 2'), 1, 1, 'schema', undefined],
    ['no normaliser', replaced('normaliser: 1', 'normaliser: 0'), 7, 1, 'normaliser', undefined],
    ['CRLF', TEXT.replaceAll('\n', '\r\n'), 1, 10, 'CRLF', expect.stringContaining('eol=lf')],
    ['one CR', replaced('reason: Known.', 'reason: Kn\rown.'), 16, 15, 'CRLF', expect.stringContaining('LF')],
    ['tabs', replaced('  pin:', '\tpin:'), 4, 1, 'Tabs are not allowed', 'Indent with spaces.'],
    ['broken YAML', replaced('[FAILURE, SUCCESS, SKIPPED]', '[FAILURE'), 21, 5, 'not valid YAML', undefined],
    ['nothing', '', 1, 1, 'is empty', expect.stringContaining('accept')],
    [
      'nothing but comments',
      '# soon\n\n---\n  # really\n',
      1,
      1,
      'is empty',
      expect.stringContaining('accept'),
    ],
    ['null', 'null\n', 1, 1, 'The baseline', undefined],
    ['a list', '- a\n', 1, 1, 'The baseline', undefined],
    ['two documents', `${TEXT}---\na: 1\n`, 38, 1, 'not valid YAML', undefined],
    [
      'an anchor bomb',
      `a: &a [x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n${TEXT}`,
      1,
      7,
      'anchor or alias',
      'Write the value out where it is needed.',
    ],
    ['a merge key', replaced('referee:', 'referee:\n  <<: { pin: x }'), 4, 3, 'merge key', expect.anything()],
    ['a tag', replaced('schema: 1', 'schema: !secret 1'), 1, 9, 'not valid YAML', undefined],
    [
      'endless nesting',
      `a: ${'['.repeat(20_000)}`,
      1,
      expect.any(Number) as never,
      'not valid YAML',
      undefined,
    ],
  ])('%s is refused with its place', (_what, text, line, column, message, hint) => {
    const error = refused(text);
    expect(error.place).toEqual({ file: 'b.yaml', line, column });
    expect(error.message).toContain(message);
    expect(error.hint).toEqual(hint);
  });

  test('several problems are counted', () => {
    const error = refused(replaced('reason: Known.', 'reason: ""').replace('2026-11-30', 'soon'));
    expect(error.message).toContain('(and 1 more)');
    expect(error.all.map(({ message }) => message)).toEqual([
      'exceptions[0].reason: Too small: expected string to have >=1 characters.',
      'exceptions[0].reviewed: is not a date such as 2027-01-31.',
    ]);
    expect(refused(replaced('schema: 1', 'schema: 2')).all).toHaveLength(1);
  });

  test('every wrong word of a list that could be one word is told', () => {
    const { all } = refused(replaced('[FAILURE, SUCCESS, SKIPPED]', '[FAIL, SUCCESS, 7, BAD]'));
    expect(all.map(({ message, place }) => `${place?.line}: ${message}`)).toEqual([
      '20: exceptions[1].status[0] cannot be "FAIL".',
      expect.stringMatching(/^20: exceptions\[1\]\.status\[2\]: /),
      '20: exceptions[1].status[3] cannot be "BAD".',
    ]);
  });

  test('of thousands, some are told and the others counted', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `k${n}: 1\n`).join('');
    const error = refused(`${TEXT}${many}`);
    expect(error.all).toHaveLength(200);
    expect(error.left).toBe(4_800);
    expect(error.message).toContain('(and 4999 more)');
  });

  test('each of several unknown keys has its place', () => {
    const { all } = refused(replaced('normaliser: 1', 'normalizer: 1\nnormalised: 1'));
    expect(all.map(({ place }) => place?.line)).toEqual([7, 8, 1]);
  });

  test('a baseline of another profile is refused', () => {
    const error = refused(replaced('server:2025-11-25', 'server:2026-07-28'));
    expect(error.message).toBe('The baseline belongs to server:2026-07-28, not to server:2025-11-25.');
    expect(error.place).toEqual({ file: 'b.yaml', line: 2, column: 1 });
    expect(error.hint).toContain('server:2025-11-25');
    expect(parseBaseline(replaced('server:2025-11-25', 'server:2026-07-28'), 'b.yaml').profile).toBe(
      'server:2026-07-28',
    );
  });

  test('more than 10 MB are refused', () => {
    const error = refused(`${TEXT}# ${'x'.repeat(MAX_BASELINE_BYTES)}`);
    expect(error.message).toContain('bytes');
    expect(error.place).toEqual({ file: 'b.yaml', line: 1, column: 1 });
  });
});

describe('loadBaseline', () => {
  test('the file of a profile', () => {
    expect(baselineFile('/b', aProfile('server:2025-11-25'))).toBe(join('/b', 'server-2025-11-25.yaml'));
    expect(baselineFile('/b', aProfile('suite:active@2025-11-25'))).toBe(
      join('/b', 'suite-active-2025-11-25.yaml'),
    );
  });

  test('reads a file, for its profile', async () => {
    const file = join(await temporaryFolder(), 'b.yaml');
    await writeFile(file, TEXT);
    expect((await loadBaseline(file, aProfile()))?.exceptions[0]?.place).toEqual({
      file,
      line: 11,
      column: 5,
    });
    await expect(loadBaseline(file, aProfile('server:2026-07-28'))).rejects.toThrow('belongs to');
    expect(await readBaseline(file)).toBe(TEXT);
  });

  test('no file is no baseline', async () => {
    const folder = await temporaryFolder();
    expect(await loadBaseline(join(folder, 'absent.yaml'))).toBeUndefined();
    expect(await loadBaseline(join(folder, 'absent', 'b.yaml'))).toBeUndefined();
  });

  test('what cannot be opened is not taken for no baseline', async () => {
    const file = join(await temporaryFolder(), 'b.yaml');
    await writeFile(file, TEXT);
    const below = join(file, 'b.yaml');
    await expect(loadBaseline(below)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('The baseline cannot be read: ENOTDIR'),
      place: { file: below },
      cause: { code: 'ENOTDIR' },
    });
  });

  test('a file may have the largest size', async () => {
    const file = join(await temporaryFolder(), 'b.yaml');
    const text = `${TEXT}#${' '.repeat(MAX_BASELINE_BYTES - TEXT.length - 1)}`;
    await writeFile(file, text);
    expect((await readBaseline(file))?.length).toBe(MAX_BASELINE_BYTES);
  });

  test.each<[string, (file: string) => Promise<void>, string, string | undefined]>([
    ['not UTF-8', (file) => writeFile(file, Uint8Array.of(0x61, 0xff)), 'not valid UTF-8', undefined],
    [
      'too large',
      async (file) => {
        await writeFile(file, TEXT);
        await truncate(file, MAX_BASELINE_BYTES + 1);
      },
      `has ${MAX_BASELINE_BYTES + 1} bytes`,
      'A baseline lists single checks; this file holds something else.',
    ],
  ])('%s', async (_what, make, message, hint) => {
    const file = join(await temporaryFolder(), 'b.yaml');
    await make(file);
    await expect(loadBaseline(file)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(message),
      place: { file, line: 1, column: 1 },
      hint,
    });
  });

  test('a folder is not a file', async () => {
    const folder = await temporaryFolder();
    await expect(loadBaseline(folder)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'The baseline is not a file.',
      place: { file: folder },
    });
  });
});
