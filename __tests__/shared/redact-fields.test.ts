import { describe, expect, test } from 'vitest';
import { combine } from '../../src/gate/combine.ts';
import type { Finding } from '../../src/gate/finding.ts';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { parseChecks } from '../../src/reports/read-checks.ts';
import { runMetadataSchema } from '../../src/run/metadata.ts';
import { REDACTED, redactor } from '../../src/shared/redact.ts';
import { redactFields } from '../../src/shared/redact-fields.ts';
import { aProbe, aRefereeRun, aRerun, someMetadata } from '../support/some-metadata.ts';

/** Values of variables such as API_TOKEN that are also words of what the gate writes. */
const WORDS = ['fail', 'outcome', '2026', 'pass', 'command', 'ping', 'server', 'name', 'inconclusive'];

function said(secret: string): Finding {
  return {
    kind: 'transport-failure',
    profile: 'server:2025-11-25',
    scenario: 'ping',
    message: `the token is ${secret}!`,
  };
}

describe.each(WORDS)('the secret "%s"', (secret) => {
  const clean = redactor([secret]);

  test('leaves metadata.json whole and takes itself out of foreign texts', () => {
    const metadata = someMetadata({
      runs: [aRefereeRun({ argv: ['node', 'index.js', 'server', '--url', secret, '--scenario', 'ping'] })],
      scenarios: { scored: ['ping'], notScored: [], only: ['ping'] },
      reruns: [aRerun('ping')],
      probes: {
        before: aProbe({ serverInfo: { name: `x ${secret}` }, capabilities: { [`k-${secret}`]: secret } }),
        after: aProbe(),
      },
      faults: [said(secret)],
    });
    const kept = runMetadataSchema.parse(redactFields(metadata, clean));
    expect(kept).toMatchObject({
      profile: metadata.profile,
      window: metadata.window,
      scenarios: metadata.scenarios,
      target: { kind: 'command' },
      reruns: [{ scenario: 'ping', folder: 'reruns/1/ping' }],
      faults: [{ kind: 'transport-failure', scenario: 'ping', message: `the token is ${REDACTED}!` }],
      probes: {
        before: { serverInfo: { name: `x ${REDACTED}` }, capabilities: { [`k-${REDACTED}`]: REDACTED } },
      },
    });
    expect(kept.runs[0]?.argv).toEqual([
      'node',
      'index.js',
      'server',
      '--url',
      REDACTED,
      '--scenario',
      'ping',
    ]);
  });

  test('leaves verdict.json whole', () => {
    const at = '2026-11-30T12:00:00.000Z';
    const verdict = combine({
      profiles: [],
      setupFindings: redactFields([said(secret)], clean),
      source: {},
      timing: { startedAt: at, finishedAt: at, tookMs: 0 },
      version: '1.2026.0',
    });
    const kept = verdictSchema.parse(redactFields(verdict, clean));
    expect(kept).toMatchObject({
      outcome: 'inconclusive',
      headline: verdict.headline,
      timing: verdict.timing,
    });
    expect(kept.findings).toMatchObject([{ message: `the token is ${REDACTED}!` }]);
  });

  test('leaves reports readable', () => {
    const check = {
      id: `server-${secret}`,
      name: 'Name',
      description: `it said ${secret}`,
      status: 'SUCCESS',
      timestamp: '2026-11-30T12:00:00.000Z',
      details: { outcome: secret, name: [{ command: `${secret}.` }] },
    };
    const read = parseChecks(Buffer.from(clean.json(JSON.stringify([check]))));
    expect(read).toEqual({
      ok: true,
      checks: [
        {
          ...check,
          description: `it said ${REDACTED}`,
          details: { outcome: REDACTED, name: [{ command: `${REDACTED}.` }] },
        },
      ],
    });
  });
});

test('a report that nests without end is redacted all the same', () => {
  const deep = `${'['.repeat(100_000)}"secret-value"${']'.repeat(100_000)}`;
  expect(redactor(['secret-value']).json(deep)).toContain(REDACTED);
  expect(redactor(['secret-value']).json(deep)).not.toContain('secret-value');
});
