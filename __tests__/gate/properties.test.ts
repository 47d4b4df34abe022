import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseline } from '../../src/baseline/parse.ts';
import { judgeProfile } from '../../src/gate/judge.ts';
import { ConfigError } from '../../src/shared/errors.ts';
import { anyMutation, type Pair } from '../support/mutations.ts';
import {
  FIRST_WORLD,
  reportsIn,
  reviewedBaseline,
  reviewedText,
  runIn,
  type World,
} from '../support/passing-pair.ts';

const baseline = reviewedBaseline();
const pair: Pair = { input: runIn(FIRST_WORLD), baseline };
const judge = ({ input, baseline: against }: Pair) => judgeProfile({ ...input, baseline: against });

const anyWorld: fc.Arbitrary<World> = fc.record({
  port: fc.integer({ min: 1024, max: 65_535 }),
  start: fc
    .date({ min: new Date('2024-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map(Number),
  seed: fc.stringMatching(/^[0-9a-f]{8}$/),
  requests: fc.integer({ min: 1, max: 100_000 }),
  crlf: fc.boolean(),
  order: fc.array(fc.nat(1000), { minLength: 10, maxLength: 10 }),
});

describe('a passing pair', () => {
  test('passes', () => {
    const { verdict, findings } = judge(pair);
    expect(findings).toEqual([]);
    expect(verdict.outcome).toBe('pass');
  });

  test('never passes after one mutation, and the findings name what was mutated', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(anyMutation(pair), (mutation) => {
        const { verdict, findings } = judge(mutation.pair);
        const text = JSON.stringify(findings);
        const kind = mutation.what.split(' ', 2).join(' ');
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (verdict.outcome === 'pass') throw new Error(`passed in spite of: ${mutation.what}`);
        for (const name of mutation.names) {
          if (!text.includes(JSON.stringify(name).slice(1, -1)))
            throw new Error(`${mutation.what}: ${name} is not named in ${text}`);
        }
      }),
      { numRuns: 20_000 },
    );
    expect(seen.size).toBeGreaterThan(25);
  });

  test('passes in every other world in which the server is the same', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const { findings } = judge({ input: runIn(world), baseline });
        expect(findings).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a mutation is noticed in any world', () => {
    fc.assert(
      fc.property(
        anyWorld.chain((world) => anyMutation({ input: runIn(world), baseline })),
        (mutation) => judge(mutation.pair).verdict.outcome !== 'pass',
      ),
      { numRuns: 2_000 },
    );
  });

  test('a duplicated exception is not a baseline at all', () => {
    const text = reviewedText();
    const items = text.split(/^(?= {2}- scenario:)/m);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: items.length - 2 }), (n) => {
        const twice = [...items.slice(0, n + 1), ...items.slice(n)].join('');
        expect(() => parseBaseline(twice, 'b.yaml')).toThrow(ConfigError);
      }),
      { numRuns: items.length },
    );
  });

  test('reports are the same whoever made them', () => {
    expect(reportsIn(FIRST_WORLD)).toEqual(pair.input.reports);
  });
});
