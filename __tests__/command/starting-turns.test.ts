import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startingTurns } from '../../src/command/starting-turns.ts';

/** Which turns have come, looked at after everything that is due has run. */
async function come(turns: readonly Promise<unknown>[]): Promise<boolean[]> {
  const seen = turns.map(() => false);
  turns.forEach((turn, n) => {
    void turn.then(() => {
      seen[n] = true;
    });
  });
  await sleep(5);
  return seen;
}

test('targets start one after the other, in the order of the plan', async () => {
  const next = startingTurns(60_000);
  const [first, second, third] = [next(), next(), next()];
  const turns = [third.comes(), first.comes(), second.comes()];
  expect(await come(turns)).toEqual([false, true, false]);
  first.over();
  first.over();
  expect(await come(turns)).toEqual([false, true, true]);
  second.over();
  expect(await come(turns)).toEqual([true, true, true]);
});

test('one that takes long keeps the next one waiting for a moment only', async () => {
  const next = startingTurns(50);
  const [, second] = [next(), next()];
  await expect(second.comes()).resolves.toBeUndefined();
});
