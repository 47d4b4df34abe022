import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_PIN, parsePin } from '../../src/referee/parse-pin.ts';
import { ConfigError } from '../../src/shared/errors.ts';

const SHA = 'c321dd32035556e6769d3724a8ee97d87c3faaac';

test('reads exact pins of each kind', () => {
  expect(parsePin(DEFAULT_PIN)).toEqual({ kind: 'npm', version: '0.2.0-alpha.12', text: DEFAULT_PIN });
  expect(parsePin(`git:${SHA}`)).toEqual({ kind: 'git', commit: SHA, text: `git:${SHA}` });
  expect(parsePin(`git:${SHA.toUpperCase()}`)).toEqual(parsePin(`git:${SHA}`));
  expect(parsePin(`path:up@stream/checkout@${SHA}`, resolve('base'))).toEqual({
    kind: 'path',
    path: resolve('base', 'up@stream', 'checkout'),
    commit: SHA,
    text: `path:up@stream/checkout@${SHA}`,
  });
});

test('refuses everything that can move, and says what to write', () => {
  const moving = [
    'npm:latest',
    'npm:^0.2.0',
    'npm:0.2',
    'npm:0.2.x',
    'npm:>=0.2.0-alpha.11',
    'npm:v0.1.16',
    'npm: 0.1.16',
    'npm:',
    'git:main',
    'git:v0.2.0',
    `git:${SHA.slice(0, 12)}`,
    `git:${SHA}0`,
    'path:checkout',
    'path:checkout@main',
    `path:@${SHA}`,
    `path:checkout@${SHA.slice(0, 7)}`,
    'latest',
    '0.1.16',
    SHA,
    '',
    'file:../conformance',
  ];
  const said = moving.map((text) => {
    try {
      parsePin(text);
      return `${text}: taken`;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return `${error.message}\n  → ${error.hint}`;
    }
  });
  expect(said.join('\n')).toMatchSnapshot();
});
