import { describe, expect, test } from 'vitest';
import { advertised, normaliseCapabilities } from '../../src/evidence/capabilities.ts';
import { aFailedProbe, aProbe, someMetadata } from '../support/some-metadata.ts';

describe('advertised', () => {
  const advertising = (capabilities: Record<string, unknown> | null) =>
    someMetadata({ probes: { before: aProbe({ capabilities }), after: null } });

  test("is what the target said before the run, without the run's own", () => {
    const metadata = advertising({
      tools: { at: 'http://localhost:3902/tools', since: '2026-11-30T12:00:05Z' },
      experimental: { docs: 'https://example.com', since: '2025-11-30T12:00:05Z' },
    });
    expect(advertised(metadata, 'server')).toEqual({
      tools: { at: 'http://⟨target⟩/tools', since: '⟨time⟩' },
      experimental: { docs: 'https://example.com', since: '2025-11-30T12:00:05Z' },
    });
  });

  test.each([
    ['the probe, when that came first', '2026-11-30T12:00:00.000Z', '2026-11-30T12:00:20.000Z'],
    ['the referee, when that came first', '2026-11-30T12:00:20.000Z', '2026-11-30T12:00:00.000Z'],
  ])('the time of the run begins with %s', (_what, at, from) => {
    const metadata = someMetadata({
      probes: {
        before: aProbe({ at, capabilities: { tools: { since: '2026-11-30T12:00:10Z' } } }),
        after: null,
      },
      window: { from, to: '2026-11-30T12:01:00.000Z' },
    });
    expect(advertised(metadata, 'server')).toEqual({ tools: { since: '⟨time⟩' } });
  });

  test('is null when the target was not asked, did not answer, or advertised nothing', () => {
    expect(advertised(someMetadata({ probes: { before: null, after: null } }), 'server')).toBeNull();
    expect(
      advertised(someMetadata({ probes: { before: aFailedProbe(), after: null } }), 'server'),
    ).toBeNull();
    expect(advertised(advertising(null), 'server')).toBeNull();
  });
});

test('the order in which a server names its capabilities means nothing', () => {
  const window = { from: '2026-11-30T12:00:00.000Z', to: '2026-11-30T12:00:10.000Z' };
  const written = (capabilities: Record<string, unknown>) =>
    JSON.stringify(normaliseCapabilities(capabilities, [], window));
  expect(written({ tools: { b: 1, a: 2 }, logging: {} })).toBe(
    written({ logging: {}, tools: { a: 2, b: 1 } }),
  );
});
