import { describe, expect, test } from 'vitest';
import { isScenarioFolder, scenarioOfFolder } from '../../src/reports/folder-name.ts';

const TIME = '2026-11-30T17-39-16-690Z';

describe('scenarioOfFolder', () => {
  const known = new Set(['ping', 'server-initialize', 'server-sse-polling']);

  test.each([
    [`server-ping-${TIME}`, 'ping'],
    [`server-server-initialize-${TIME}`, 'server-initialize'],
    // Referees without the prefix: the name itself is known, what is behind the prefix is not.
    [`server-initialize-${TIME}`, 'server-initialize'],
    [`ping-${TIME}`, 'ping'],
    [`server-brand-new-${TIME}`, 'brand-new'],
    ['server-ping', 'ping'],
  ])('server: %s → %s', (folder, scenario) => {
    expect(scenarioOfFolder(folder, 'server', known)).toBe(scenario);
  });

  test.each([
    [`auth/metadata-default-${TIME}`, 'auth/metadata-default'],
    [`initialize-${TIME}`, 'initialize'],
    [`server-like-${TIME}`, 'server-like'],
  ])('client: %s → %s', (folder, scenario) => {
    expect(scenarioOfFolder(folder, 'client', new Set())).toBe(scenario);
  });

  test('only the last time is cut off', () => {
    expect(scenarioOfFolder(`server-a-${TIME}-${TIME}`, 'server', new Set())).toBe(`a-${TIME}`);
  });
});

test.each([
  [`server-ping-${TIME}`, true],
  ['server-ping', false],
  [`server-ping-${TIME}.bak`, false],
  ['server-ping-2026-11-30T17:39:16.690Z', false],
])('isScenarioFolder(%s) is %s', (name, expected) => {
  expect(isScenarioFolder(name)).toBe(expected);
});
