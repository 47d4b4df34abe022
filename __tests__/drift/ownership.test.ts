import { expect, test } from 'vitest';
import { concerns, speaksOf } from '../../src/drift/ownership.ts';
import type { Change } from '../../src/drift/source.ts';

const LOCAL = {
  files: [
    'src/auth/oauth-metadata.ts',
    'src/server.ts',
    'lib/sessionStore.py',
    'docs/oauth.md',
    'node_modules/x/oauth.js',
    'dist/oauth.js',
  ],
  scenarios: ['tools-list', 'tools-call-simple-text', 'server-session-lifecycle', 'ping'],
  command: 'mcp-conformance-gate',
};

function file(path: string, patch?: string): Change {
  return { kind: 'file', path, change: 'modified', ...(patch === undefined ? {} : { patch }) };
}

test('configured keywords map what changed to local paths and commands', () => {
  const ownership = [
    { when: ['oauth', 'authorization'], paths: ['src/auth/'], checks: ['npm run test:auth'] },
    { when: ['sampling'], paths: ['src/sampling/'], checks: ['npm test'] },
  ];
  const release: Change = { kind: 'release', tag: 'v2.1.0', notes: '## Fixes\n- OAuth metadata is cached' };
  expect(
    concerns([file('docs/specification/2026-07-28/basic/authorization.mdx'), release], ownership, LOCAL),
  ).toEqual([
    {
      words: ['authorization', 'oauth'],
      changed: ['docs/specification/2026-07-28/basic/authorization.mdx', 'v2.1.0'],
      paths: ['src/auth/'],
      checks: ['npm run test:auth'],
    },
  ]);
});

test('without configuration, topics of the protocol find local source files and scenarios by their names', () => {
  expect(concerns([file('docs/specification/2026-07-28/basic/authorization.mdx')], [], LOCAL)).toEqual([
    {
      words: ['authorization'],
      changed: ['docs/specification/2026-07-28/basic/authorization.mdx'],
      paths: ['src/auth/oauth-metadata.ts'],
      checks: ['mcp-conformance-gate run'],
    },
  ]);
  expect(concerns([file('docs/specification/2026-07-28/basic/transports.mdx')], [], LOCAL)).toMatchObject([
    {
      paths: ['lib/sessionStore.py'],
      checks: ['mcp-conformance-gate run --scenario server-session-lifecycle'],
    },
  ]);
});

test('of a patch only the lines that changed count', () => {
  const patch = '@@ -1,3 +1,3 @@\n an unchanged line about oauth\n-old\n+new words about cursors\n';
  expect(concerns([file('schema/2026-07-28/x.json', patch)], [], LOCAL).flatMap((one) => one.words)).toEqual([
    'cursor',
    'schema',
  ]);
});

test('nothing that is spoken of concerns nobody', () => {
  expect(concerns([file('README.md')], [], LOCAL)).toEqual([]);
});

test.each([
  ['basic/authorization.mdx', 'authorization', true],
  ['src/OAuthProvider.ts', 'oauth', true],
  ['sessionStore', 'session', true],
  ['SessionStore', 'store', true],
  ['obsession', 'session', false],
  ['log_level', 'log level', true],
  ['logLevel', 'log level', true],
  ['JSON-RPC', 'json-rpc', true],
  ['a.b', 'a.b', true],
  ['axb', 'a.b', false],
  ['src/OAuthProvider.ts', 'auth', false],
])('%s speaks of %s: %s', (text, word, expected) => {
  expect(speaksOf(text, word)).toBe(expected);
});

test.each([
  ['src/auth/metadata.ts', 'auth', true],
  ['src/authors.ts', 'auth', false],
  ['httpServer.ts', 'http', true],
])('%s is named after %s as a whole word: %s', (text, word, expected) => {
  expect(speaksOf(text, word, 'whole')).toBe(expected);
});
