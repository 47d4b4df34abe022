import { expect, test } from 'vitest';
import {
  describeInstalled,
  describeList,
  describePinned,
  describeVerification,
  isTrusted,
} from '../../src/referee/commands/describe.ts';

const facts = {
  pin: 'npm:1.0.0',
  integrity: 'sha512-x',
  lock: 'sha256:l',
  node: 'v24.0.0',
  cache: 'hit',
  prepareMs: 120,
} as const;
const installed = {
  facts,
  root: '/cache/root',
  requirements: [{ revision: '2025-11-25', hash: 'h' }],
  revisions: ['2025-06-18', '2025-11-25'],
  serverTimeout: true,
};
const verified = {
  pin: 'npm:1.0.0',
  folder: '/cache/entry',
  state: 'whole',
  damage: [],
  files: 2300,
  bytes: 12_500_000,
  tookMs: 90,
} as const;

test('what people read', () => {
  const damage = Array.from({ length: 23 }, (_, n) => `file${n} was changed`);
  const said = [
    describeList({
      default: 'npm:1.0.0',
      wanted: 'npm:2.0.0',
      locked: [
        { pin: 'npm:1.0.0', integrity: 'i', lock: 'l', file: '/shipped', ships: true },
        { pin: 'npm:2.0.0', integrity: 'i', lock: 'l', file: '/own/package-lock.json', ships: false },
      ],
      cache: '/cache',
      cached: [
        {
          name: 'npm-1.0.0-0123456789abcdef',
          pin: 'npm:1.0.0',
          node: 'v24.0.0',
          bytes: 12_500_000,
          builtAt: '2026-11-01T10:00:00.000Z',
          buildMs: 4000,
          lastUsed: '2026-11-30T10:00:00.000Z',
        },
        {
          name: 'npm-2.0.0-0123456789abcdef',
          pin: undefined,
          node: undefined,
          bytes: 0,
          builtAt: undefined,
          buildMs: undefined,
          lastUsed: undefined,
        },
      ],
      published: ['1.0.0', '2.0.0'],
    }),
    describeList({ default: '', wanted: '', locked: [], cache: '/cache', cached: [], published: undefined }),
    describeInstalled(installed),
    describeInstalled({
      ...installed,
      facts: { ...facts, pin: 'git:c', commit: 'c', cache: 'rebuilt' },
      requirements: [],
      revisions: [],
    }),
    describeVerification(verified),
    describeVerification({ ...verified, again: [] }),
    describeVerification({ ...verified, again: ['dist/index.js was changed'] }),
    describeVerification({ ...verified, state: 'damaged', damage }),
    describeVerification({ ...verified, state: 'absent' }),
    describePinned({
      pin: 'npm:1.0.0',
      integrity: 'i',
      lock: 'sha256:l',
      file: '/own/package-lock.json',
      packages: 122,
      changed: ['express 5.1.0 → 5.2.0'],
    }),
    describePinned({ pin: 'git:c', commit: 'c', lock: 'sha256:l', changed: [] }),
  ];
  expect(said.map((lines) => lines.join('\n')).join('\n\n')).toMatchSnapshot();
});

test('only a whole entry that a second build confirms, when asked, is trusted', () => {
  expect(isTrusted(verified)).toBe(true);
  expect(isTrusted({ ...verified, again: [] })).toBe(true);
  expect(isTrusted({ ...verified, again: ['x was changed'] })).toBe(false);
  expect(isTrusted({ ...verified, state: 'damaged' })).toBe(false);
  expect(isTrusted({ ...verified, state: 'absent' })).toBe(false);
});
