import { describe, expect, test } from 'vitest';
import { thrownScenarios } from '../../src/reports/thrown-scenarios.ts';

const log = (...lines: string[]) => lines.join('\n');

describe('thrownScenarios', () => {
  test('reads the message of an error in a list, without its minified class and its stack', () => {
    const found = thrownScenarios(
      log(
        '=== Running scenario: tasks-capability-negotiation ===',
        "Running client scenario 'tasks-capability-negotiation' against server: http://localhost:3902/mcp",
        'Failed to run scenario tasks-capability-negotiation: Et [JsonRpcError]: Bad Request: Server not initialized',
        '    at l (file:///referee/dist/index.js:1128:6778)',
        '    at async ga.run (file:///referee/dist/index.js:2073:16100) {',
        '  code: -32000,',
        '}',
      ),
    );
    expect([...found]).toEqual([['tasks-capability-negotiation', ['Bad Request: Server not initialized']]]);
  });

  test.each([
    ['TypeError: fetch failed', 'fetch failed'],
    ['Error: two: parts', 'two: parts'],
    ['SomeException: x', 'x'],
    ['Bad Request: Server not initialized', 'Bad Request: Server not initialized'],
    ["'just a string'", "'just a string'"],
  ])('the message of %s is %s', (error, message) => {
    expect(thrownScenarios(`Failed to run scenario a: ${error}\n    at x (y.js:1:2)`).get('a')).toEqual([
      message,
    ]);
  });

  const STACK = ['    at f (file:///referee/dist/index.js:1:2)', '    at async Promise.all (index 0)'];
  const NEXT = '=== Running scenario: next ===';

  test.each<[string, string[], string]>([
    ['several lines', ['Error: first', 'second', ...STACK, 'not this', NEXT], 'first\nsecond'],
    ['a blank line', ['Error: nope', '', 'ANOTHER FAILURE', ...STACK, '', NEXT], 'nope\n\nANOTHER FAILURE'],
    [
      'what begins like a stack',
      ['Error: nope', ' at all', '    at last', ...STACK],
      'nope\n at all\n    at last',
    ],
    [
      'a stack of its own',
      ['Error: nope', STACK[0] ?? '', 'more', ...STACK, '}', NEXT],
      `nope\n${STACK[0]}\nmore`,
    ],
    ['a heading', ['Error: nope', NEXT, 'more', ...STACK, NEXT], `nope\n${NEXT}\nmore`],
    ['no stack', ["'nope'", '', 'more', '', NEXT, 'not this'], "'nope'\n\nmore"],
    ['a class but no stack', ['Error: nope', '', NEXT, 'not this'], 'nope'],
    ['the summary behind it', ["'nope'", '', '=== SUMMARY ===', 'not this'], "'nope'"],
  ])('a message with %s is kept whole', (_what, lines, message) => {
    const [first, ...rest] = lines;
    expect(thrownScenarios(log(`Failed to run scenario a: ${first}`, ...rest)).get('a')).toEqual([message]);
  });

  test('cuts an endless message, and still tells two apart', () => {
    const endless = (end: string) => {
      const lines = [...Array.from({ length: 400 }, () => 'x'.repeat(100)), end];
      return (
        thrownScenarios(log('Failed to run scenario a: Error: go', ...lines, ...STACK)).get('a')?.[0] ?? ''
      );
    };
    expect(endless('a').length).toBeLessThan(16_500);
    expect(endless('a')).not.toBe(endless('b'));
  });

  test('a flooded log proves nothing, and costs little', () => {
    const flood = 'Failed to run scenario a: Error: go\n'.repeat(1_001);
    expect([...thrownScenarios(flood)]).toEqual([]);
    const long = `Failed to run scenario a: Error: go\n    at ${':1 ('.repeat(1_250_000)}\n`;
    expect(thrownScenarios(long).get('a')).toHaveLength(1);
  });

  test('a scenario that ran alone is named by the line before its error', () => {
    const found = thrownScenarios(
      log(
        '=== Running scenario: first ===',
        "Running client scenario 'first' against server: http://localhost:1/mcp",
        'Server test error: Error: one',
        '',
        '=== Running scenario: second ===',
        'Starting scenario: second',
        'Client test error: Error: two',
      ),
    );
    expect([...found]).toEqual([
      ['first', ['one']],
      ['second', ['two']],
    ]);
  });

  test('stderr may come before stdout: an error without a name belongs to the only scenario there is', () => {
    const found = thrownScenarios(log('Server test error: Error: early', '', 'Starting scenario: alone'));
    expect([...found]).toEqual([['alone', ['early']]]);
  });

  test('with several scenarios an error without a name belongs to none of them', () => {
    const found = thrownScenarios(
      log('Server test error: Error: early', '', 'Starting scenario: a', 'Starting scenario: b'),
    );
    expect([...found]).toEqual([]);
  });

  test('different errors of one scenario are all returned, equal ones once', () => {
    const found = thrownScenarios(
      log(
        ...['real', 'forged', 'real'].flatMap((text) => [
          `Failed to run scenario a: Error: ${text}`,
          ...STACK,
        ]),
      ),
    );
    expect(found.get('a')).toEqual(['real', 'forged']);
  });

  test('CRLF is a line end', () => {
    expect(
      thrownScenarios('Failed to run scenario a: Error: real\r\n    at x (y.js:1:2)\r\n').get('a'),
    ).toEqual(['real']);
  });

  test('looks only at whole lines of the exact form', () => {
    const found = thrownScenarios(
      log(
        '  Failed to run scenario a: x',
        'I said: Failed to run scenario b: y',
        'Failed to run scenario : z',
      ),
    );
    expect([...found]).toEqual([]);
  });

  test('names that look like members of every object are names', () => {
    const found = thrownScenarios('Failed to run scenario __proto__: Error: x\n    at y (z.js:1:2)');
    expect([...found]).toEqual([['__proto__', ['x']]]);
  });
});
