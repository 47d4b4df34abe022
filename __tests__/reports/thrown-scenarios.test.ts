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
    expect([...found]).toEqual([['tasks-capability-negotiation', 'Bad Request: Server not initialized']]);
  });

  test.each([
    ['TypeError: fetch failed', 'fetch failed'],
    ['Error: two: parts', 'two: parts'],
    ['SomeException: x', 'x'],
    ['Bad Request: Server not initialized', 'Bad Request: Server not initialized'],
    ["'just a string'", "'just a string'"],
  ])('the message of %s is %s', (error, message) => {
    expect(thrownScenarios(`Failed to run scenario a: ${error}\n    at x`).get('a')).toBe(message);
  });

  test('keeps a message of several lines up to the stack, or up to the next blank line', () => {
    const text = log('Failed to run scenario a: Error: first', 'second', '    at x', 'not this');
    expect(thrownScenarios(text).get('a')).toBe('first\nsecond');
    expect(thrownScenarios(log('Failed to run scenario a: first', 'second', '', 'not this')).get('a')).toBe(
      'first\nsecond',
    );
  });

  test('cuts an endless message', () => {
    const endless = Array.from({ length: 5000 }, () => 'x'.repeat(100));
    const message = thrownScenarios(log('Failed to run scenario a: Error: go', ...endless)).get('a');
    expect(message?.length).toBe(16_384);
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
      ['first', 'one'],
      ['second', 'two'],
    ]);
  });

  test('stderr may come before stdout: an error without a name belongs to the only scenario there is', () => {
    const found = thrownScenarios(log('Server test error: Error: early', '', 'Starting scenario: alone'));
    expect([...found]).toEqual([['alone', 'early']]);
  });

  test('with several scenarios an error without a name belongs to none of them', () => {
    const found = thrownScenarios(
      log('Server test error: Error: early', '', 'Starting scenario: a', 'Starting scenario: b'),
    );
    expect([...found]).toEqual([]);
  });

  test('the first error of a scenario counts, whatever the target prints later', () => {
    const found = thrownScenarios(
      log('Failed to run scenario a: Error: real', '    at x', 'Failed to run scenario a: Error: forged'),
    );
    expect(found.get('a')).toBe('real');
  });

  test('CRLF is a line end', () => {
    expect(thrownScenarios('Failed to run scenario a: Error: real\r\n    at x\r\n').get('a')).toBe('real');
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
    const found = thrownScenarios('Failed to run scenario __proto__: Error: x\n    at y');
    expect([...found]).toEqual([['__proto__', 'x']]);
  });
});
