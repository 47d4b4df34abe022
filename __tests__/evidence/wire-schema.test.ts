import { describe, expect, test } from 'vitest';
import { isWireSchemaCheck, wireSchemaEvidence } from '../../src/evidence/wire-schema.ts';
import { aCheck, aFailure } from '../support/a-report.ts';

const tools = (...names: unknown[]) => ({
  jsonrpc: '2.0',
  id: 3,
  result: { tools: names.map((name) => ({ name })) },
});

function violation(errors: string[], message: unknown = tools('echo', 'add')) {
  return {
    origin: 'implementation',
    specVersion: '2025-11-25',
    context: `response to 'tools/list'`,
    errors,
    message,
  };
}
const wire = (...violations: unknown[]) =>
  aFailure('wire-schema-valid', `… message: ${JSON.stringify(violations)}`, {
    details: { messagesValidated: 4, violations },
  });
const evidence = (...violations: unknown[]) => wireSchemaEvidence(wire(...violations)).errorMessage;

test.each([
  ['wire-schema-valid', true],
  ['wire-schema-harness-error', true],
  ['wire-schema', false],
])('%s: %s', (id, expected) => {
  expect(isWireSchemaCheck(aCheck({ id }))).toBe(expected);
});

describe('wireSchemaEvidence', () => {
  test('keeps who, where, against what and what is wrong; drops messages and counts', () => {
    const { errorMessage, details } = wireSchemaEvidence(
      wire(violation(['X: must be object', 'Y: bad']), violation(['Z: worse'])),
    );
    expect(errorMessage).toBe(
      "response to 'tools/list': X: must be object; Y: bad [implementation, 2025-11-25]\n" +
        "response to 'tools/list': Z: worse [implementation, 2025-11-25]",
    );
    expect(details).toBeUndefined();
  });

  test.each([
    [
      'a tool by name',
      'ListToolsResult/tools/1/inputSchema: bad',
      tools('echo', 'add'),
      'tools/[add]/inputSchema',
    ],
    ['a prompt', 'R/prompts/0: bad', { result: { prompts: [{ name: 'hello' }] } }, 'R/prompts/[hello]:'],
    [
      'a template',
      'R/resourceTemplates/0: bad',
      { result: { resourceTemplates: [{ uriTemplate: 'x://{id}' }] } },
      '[x://{id}]',
    ],
    [
      'a resource',
      'R/resources/0/mimeType: bad',
      { result: { resources: [{ uri: 'x://1', name: '' }] } },
      '/[x://1]/mimeType',
    ],
    [
      'in a request',
      'R/params/tools/0: bad',
      { params: { tools: [{ name: 'echo' }] } },
      'R/params/tools/[echo]:',
    ],
    ['below params', 'R/tools/0: bad', { params: { tools: [{ name: 'echo' }] } }, 'R/tools/[echo]:'],
    ['without a colon', 'R/tools/0', tools('echo'), 'R/tools/[echo] ['],
    [
      'nested lists',
      'R/tools/0/icons/1/src: bad',
      { result: { tools: [{ name: 'e', icons: [{}, { src: 1 }] }] } },
      'R/tools/[e]/icons/1/src:',
    ],
  ])('names %s', (_what, error, message, expected) => {
    expect(evidence(violation([error], message))).toContain(expected);
  });

  test.each([
    ['an element without a name', 'R/tools/0/x: bad', tools(7)],
    ['an index beyond the list', 'R/tools/9/x: bad', tools('echo')],
    ['a path that is not in the message', 'R/other/0: bad', tools('echo')],
    ['no path', 'JSONRPCMessage: not valid', tools('echo')],
    ['a message that is no object', 'R/tools/0: bad', 'text'],
    ['a message that is null', 'R/tools/0: bad', null],
    ['a member of every object', 'R/constructor/0: bad', tools('echo')],
    ['an object with numeric members', 'R/0/x: bad', { 0: { name: 'echo' } }],
  ])('keeps %s as it is', (_what, error, message) => {
    expect(evidence(violation([error], message))).toContain(`: ${error} [`);
  });

  test('moving the defect to another tool is another evidence, a tool in front is not', () => {
    const error = (n: number) => `ListToolsResult/tools/${n}/inputSchema: bad`;
    const before = evidence(violation([error(0)], tools('echo', 'add')));
    expect(evidence(violation([error(1)], tools('new', 'echo', 'add')))).toBe(before);
    expect(evidence(violation([error(1)], tools('echo', 'add')))).not.toBe(before);
  });

  test.each([
    ['no details', {}],
    ['violations of another shape', { details: { violations: [{ origin: 1 }] } }],
    ['violations that are no list', { details: { violations: {} } }],
  ])('%s: the check stays as it is', (_what, rest) => {
    const check = aFailure('wire-schema-valid', 'as it is', rest);
    expect(wireSchemaEvidence(check)).toBe(check);
  });
});
