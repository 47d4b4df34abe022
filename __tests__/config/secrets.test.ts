import { expect, test } from 'vitest';
import type { ProfilePlan } from '../../src/config/plan.ts';
import { secretsOf } from '../../src/config/secrets.ts';
import { aProfile } from '../support/some-metadata.ts';

const common = { headers: [], boundary: 'observe', ready: { timeoutMs: 1 } } as const;
const process = { cwd: '/', env: {} };

function secretsIn(target: ProfilePlan['target'], given?: Record<string, string>): readonly string[] {
  return secretsOf([{ profile: aProfile(), target }], {}, given);
}

test('values of secret-looking query parameters, as they stand there and decoded', () => {
  const url = 'http://a/mcp?api_key=QUERY%2Bs3cr3t&page=12345&sig=signed-so#key=fragment';
  expect(secretsIn({ ...common, kind: 'url', url })).toEqual(['QUERY%2Bs3cr3t', 'QUERY+s3cr3t', 'signed-so']);
  expect(
    secretsIn({
      ...common,
      ...process,
      kind: 'command',
      command: "serve --upstream 'http://b/?access_token=in-command' --port {port}",
      url: { from: 'template', template: 'http://127.0.0.1:{port}/mcp?token=in-template' },
    }),
  ).toEqual(['in-template', 'in-command']);
  expect(secretsIn({ ...common, kind: 'url', url: 'http://a/?token=abc' })).toEqual([]);
});

test('variables that were given with the address of a server that runs already', () => {
  const target = { ...common, kind: 'url', url: 'http://a/mcp' } as const;
  expect(secretsIn(target, { API_TOKEN: 'given-value', MODE: 'production' })).toEqual(['given-value']);
});
