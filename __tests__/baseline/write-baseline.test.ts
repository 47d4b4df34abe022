import { describe, expect, test } from 'vitest';
import type { Baseline, Exception } from '../../src/baseline/baseline.ts';
import { parseBaseline } from '../../src/baseline/parse.ts';
import { writeBaseline } from '../../src/baseline/write-baseline.ts';

const HASH = `sha256:${'ab'.repeat(32)}`;
const OTHER = `sha256:${'cd'.repeat(32)}`;
const HEADER = `# Reviewed exceptions of one conformance profile. Written by \`mcp-conformance-gate accept\`;
# class, reason, reference, reviewed, expires, flaky and comments are yours and are kept.

`;
const TEXT = `schema: 1
profile: server:2025-11-25
referee:
  pin: git:abc
  integrity: sha512-abc
  commit: abc
requirements: ${HASH}
normaliser: 1
capabilities:
  tools: {}
exceptions:
  - scenario: a
    check: z
    status: [ FAILURE, SUCCESS, FAILURE ]
    evidence: ${HASH}
    class: referee-bug
    reason: Theirs.
    reference: https://example.com/issue/1
    reviewed: 2026-11-30
    expires: 2027-03-01
    flaky: true
    masked:
      - "errorMessage #2"
    observed: |-
      one
      two
  - scenario: b
    check: y
    status: FAILURE
    evidence: ${HASH}
    class: missing-harness-fixture
    reason: Known.
    reviewed:
    observed: |-
      one line
inventory:
  a:
    - x
    - z
  b:
    - y
information:
  a:
    - log
`;

const read = (text: string): Baseline => parseBaseline(text, 'b.yaml');
/** The file with some of its lines written otherwise. */
function edited(...edits: [from: string, to: string][]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the baseline has no ${from}`);
    return text.replace(from, to);
  }, TEXT);
}
/** What is written when the file is `text` and what it says becomes something else. */
function rewritten(text: string, change: Partial<Baseline> = {}): string {
  const baseline = { ...read(text), ...change };
  const written = writeBaseline(baseline, text);
  expect(writeBaseline(baseline, written)).toBe(written);
  return written;
}
const exceptions = (change: Partial<Exception>) =>
  read(TEXT).exceptions.map((exception) => ({ ...exception, ...change }));
const without = <T extends object>(value: T, key: keyof T): T => {
  const { [key]: _, ...rest } = value;
  return rest as T;
};

describe('a new file', () => {
  test('has a header, every member in its place, and one value a line', () => {
    expect(writeBaseline(read(TEXT), undefined)).toBe(HEADER + TEXT);
  });

  test('is sorted by scenario, then by check', () => {
    const [one] = read(TEXT).exceptions as [Exception];
    const all = ['b y', 'a z', 'c a', 'b x'].map((name) => {
      const [scenario = '', check = ''] = name.split(' ');
      return { ...one, scenario, check };
    });
    const inventory = new Map(['c', 'a', 'b'].map((scenario) => [scenario, ['x']]));
    const written = read(writeBaseline({ ...read(TEXT), exceptions: all, inventory }, undefined));
    expect(written.exceptions.map(({ scenario, check }) => `${scenario} ${check}`)).toEqual([
      'a z',
      'b x',
      'b y',
      'c a',
    ]);
    expect([...written.inventory.keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('what people wrote', () => {
  test.each<[string, string]>([
    ['nothing of their own', TEXT],
    [
      'comments before the first line of each part',
      TEXT.replaceAll(/(?<!reviewed):\n( +)/g, ':\n$1# a comment\n$1'),
    ],
    ['comments between and behind', TEXT.replaceAll(/^( *)(\w.*[^:|-])$/gm, '$1# before\n$1$2 # behind')],
    ['a comment at the end', `${TEXT}\n# The end.\n`],
    ['a comment in front of everything', `# Ask the protocol team.\n${TEXT}`],
    ['a document mark', `---\n# Ask the protocol team.\n${TEXT}`],
    ['blank lines between exceptions', edited(['  - scenario: b', '\n  - scenario: b'])],
    ['quotes', edited(['Theirs.', "'Theirs: not ours.'"], ['Known.', '"Known."'])],
    [
      'flow lists and mappings',
      edited(['\n    - x\n    - z', ' [ x, z ]'], ['\n  tools: {}', ' { tools: {} }']),
    ],
    ['that something is not flaky', edited(['    reviewed:\n', '    reviewed:\n    flaky: false\n'])],
    ['a null in words', edited(['    reviewed:\n', '    reviewed: ~\n'])],
    [
      'no text of the evidence',
      edited(['    observed: |-\n      one line\n', ''], ['    observed: |-\n      one\n      two\n', '']),
    ],
  ])('stays as it is: %s', (_what, text) => {
    expect(rewritten(text)).toBe(text);
  });

  test('the evidence is made one line of text a line', () => {
    expect(rewritten(edited(['observed: |-\n      one\n      two', 'observed: "one\\ntwo"']))).toBe(TEXT);
  });

  test('lines in another order are put in order, each with its comments', () => {
    const text = `---
# the profile
profile: server:2025-11-25
# the schema
schema: 1
inventory:
  # about b
  b:
    - y
  # about a
  a: [ x ]
exceptions:
  # the first
  - # b, that is
    # still b
    scenario: b
    reason: Known. # by whom?
    # which one
    check: y
    status: FAILURE
    class: missing-harness-fixture
    evidence: ${HASH}
    reviewed: 2026-11-30
  - scenario: a
    check: z
    status: FAILURE
    evidence: ${HASH}
    class: missing-harness-fixture
    reason: Known.
    reviewed: 2026-11-30
normaliser: 1
referee: { pin: abc }
`;
    expect(rewritten(text)).toBe(`---
# the schema
schema: 1
# the profile
profile: server:2025-11-25
referee: { pin: abc }
normaliser: 1
exceptions:
  - scenario: a
    check: z
    status: FAILURE
    evidence: ${HASH}
    class: missing-harness-fixture
    reason: Known.
    reviewed: 2026-11-30
  # the first
  # b, that is
  # still b
  - scenario: b
    # which one
    check: y
    status: FAILURE
    evidence: ${HASH}
    class: missing-harness-fixture
    reason: Known. # by whom?
    reviewed: 2026-11-30
inventory:
  # about a
  a: [ x ]
  # about b
  b:
    - y
`);
  });

  test.each<[string, [string, string][], Partial<Baseline>, [string, string][]]>([
    [
      'a value',
      [
        ['    evidence: sha256', '    # how it was\n    evidence: sha256'],
        [`abab\n    class`, 'abab # see the log\n    class'],
      ],
      { exceptions: exceptions({ evidence: OTHER }) },
      [
        ['    evidence: sha256', '    # how it was\n    evidence: sha256'],
        [`abab\n    class`, 'abab # see the log\n    class'],
        [`evidence: ${HASH}`, `evidence: ${OTHER}`],
        [`evidence: ${HASH}`, `evidence: ${OTHER}`],
      ],
    ],
    [
      'a number',
      [['normaliser: 1', '\nnormaliser: 0x1 # do not touch']],
      { normaliser: 2 },
      [['normaliser: 1', '\nnormaliser: 2 # do not touch']],
    ],
    [
      'one status that becomes a list',
      [['status: FAILURE', '# once\n    status: FAILURE # at times']],
      { exceptions: exceptions({ statuses: ['FAILURE', 'SUCCESS', 'FAILURE'] }) },
      [['status: FAILURE', '# once\n    status: [ FAILURE, SUCCESS, FAILURE ] # at times']],
    ],
    [
      'a review that is over',
      [['reviewed: 2026-11-30', 'reviewed: "2026-11-30" # by the protocol team']],
      { exceptions: read(TEXT).exceptions.map((one) => without(one, 'reviewed')) },
      [['reviewed: 2026-11-30', 'reviewed: # by the protocol team']],
    ],
    [
      'what is not flaky any more',
      [['flaky: true', 'flaky: true # since the move']],
      { exceptions: exceptions({ flaky: false }) },
      [['flaky: true', 'flaky: false # since the move']],
    ],
    [
      'the referee',
      [
        ['  pin', '  # why this one\n  pin'],
        ['commit: abc', 'commit: abc # of main'],
      ],
      { referee: { pin: 'git:def', commit: 'def' } },
      [
        ['  pin: git:abc\n  integrity: sha512-abc\n', '  # why this one\n  pin: git:def\n'],
        ['commit: abc', 'commit: def # of main'],
      ],
    ],
    [
      'the masks',
      [['      - "errorMessage #2"', "      # a token\n      - 'errorMessage #2' # random"]],
      { exceptions: exceptions({ masked: ['details.at', 'errorMessage #2'] }).slice(0, 1) },
      [
        [
          '      - "errorMessage #2"',
          "      - details.at\n      # a token\n      - 'errorMessage #2' # random",
        ],
        [/ {2}- scenario: b.*?(?=inventory)/s.exec(TEXT)?.[0] ?? '', ''],
      ],
    ],
    [
      'an inventory',
      [
        ['    - x', '    # the first\n    - x # always'],
        ['\n  b:\n    - y\n', '\n  # of b\n  b: [ y ] # alone\n'],
      ],
      {
        inventory: new Map([
          ['0', ['n']],
          ['a', ['m', 'x', 'z']],
          ['b', ['y']],
        ]),
      },
      [
        ['inventory:\n', 'inventory:\n  "0":\n    - n\n'],
        ['    - x', '    - m\n    # the first\n    - x # always'],
        ['\n  b:\n    - y\n', '\n  # of b\n  b: [ y ] # alone\n'],
      ],
    ],
    [
      'a list in one line, which becomes one value a line',
      [['\n    - x\n    - z', ' [ x, z ] # all']],
      {
        inventory: new Map([
          ['a', ['x', 'y', 'z']],
          ['b', ['y']],
        ]),
      },
      [['\n    - x\n    - z', '\n    - x\n    - y\n    - z\n    # all']],
    ],
    [
      'capabilities',
      [['  tools: {}', '  # since May\n  tools: {} # all of them']],
      { capabilities: { prompts: { list: true }, tools: {} } },
      [['  tools: {}', '  prompts:\n    list: true\n  # since May\n  tools: {} # all of them']],
    ],
  ])('stays beside what changes: %s', (_what, before, change, after) => {
    expect(rewritten(edited(...before), change)).toBe(edited(...after));
  });
});

test('a comment in front of an exception stays in front of it when others come and go', () => {
  const text = edited(['  - scenario: b', '\n  # about b\n  # and why\n  - scenario: b']);
  const [a, b] = read(text).exceptions as [Exception, Exception];
  const about = '  # about b\n  # and why\n  - scenario: b\n    check: y\n';
  const between = rewritten(text, { exceptions: [a, { ...a, check: 'zz' }, b] });
  expect(between).toMatch(/check: zz.*two\n\n {2}# about b/s);
  expect(between).toContain(about);
  expect(rewritten(text, { exceptions: [b] })).toContain(about);
  expect(rewritten(text, { exceptions: [a] })).not.toContain('about b');
});

describe('what is new in a file', () => {
  test.each<[string, [string, string]]>([
    ['the hash of the requirements', [`requirements: ${HASH}\n`, '']],
    ['capabilities', ['capabilities:\n  tools: {}\n', '']],
    ['the first exceptions', [/ *exceptions:.*?(?=inventory)/s.exec(TEXT)?.[0] ?? '', 'exceptions: []\n']],
    ['an inventory', ['inventory:\n  a:\n    - x\n    - z\n  b:\n    - y\n', 'inventory: {}\n']],
    ['a scenario of the inventory', ['  a:\n    - x\n    - z\n', '']],
    ['information', ['information:\n  a:\n    - log\n', '']],
    ['a member of the referee', ['  integrity: sha512-abc\n', '']],
    ['an empty line to fill in', ['    reviewed:\n', '']],
    ['the text of the evidence', ['    observed: |-\n      one line\n', '']],
    ['masks', ['    masked:\n      - "errorMessage #2"\n', '']],
  ])('comes where it belongs: %s', (_what, missing) => {
    expect(rewritten(edited(missing), read(TEXT))).toBe(TEXT);
  });
});

describe('what is gone', () => {
  test.each<[string, Partial<Baseline>, [string, string]]>([
    [
      'no exceptions',
      { exceptions: [] },
      [/exceptions:.*?(?=inventory)/s.exec(TEXT)?.[0] ?? '', 'exceptions: []\n'],
    ],
    ['no information', { information: new Map() }, ['information:\n  a:\n    - log\n', '']],
    [
      'no inventory',
      { inventory: new Map() },
      ['inventory:\n  a:\n    - x\n    - z\n  b:\n    - y\n', 'inventory: {}\n'],
    ],
    ['one scenario less', { inventory: new Map([['b', ['y']]]) }, ['  a:\n    - x\n    - z\n', '']],
    [
      'no masks',
      { exceptions: exceptions({ masked: [] }) },
      ['    masked:\n      - "errorMessage #2"\n', ''],
    ],
    ['no capabilities', { capabilities: null }, ['capabilities:\n  tools: {}\n', 'capabilities:\n']],
  ])('leaves nothing behind: %s', (_what, change, edit) => {
    expect(rewritten(TEXT, change)).toBe(edited(edit));
  });

  test('neither does a snapshot that was not taken, nor a requirement set that is not there', () => {
    const now = without(without(read(TEXT), 'capabilities'), 'requirements');
    expect(writeBaseline(now, TEXT)).toBe(
      edited([`requirements: ${HASH}\n`, ''], ['capabilities:\n  tools: {}\n', '']),
    );
  });
});
