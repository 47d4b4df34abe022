import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMetadataSchema } from '../../src/run/metadata.ts';
import { scenariosWithReport } from '../../src/run/report-folders.ts';
import { everything, run } from '../support/a-run.ts';

test.each(['server:2025-11-25', 'server:2026-07-28'])('%s: everything is run and kept', async (profile) => {
  const { metadata, folder, events } = await run(everything(), { profile });
  expect(metadata.faults).toEqual([]);
  expect(metadata.probes.before).toMatchObject({ answered: true });
  expect(metadata.probes.after).toMatchObject({ answered: true });
  expect(metadata.runs).toMatchObject([{ exitCode: 1, signal: null, timedOut: false }]);

  const kept: unknown = JSON.parse(await readFile(join(folder, 'metadata.json'), 'utf8'));
  expect(runMetadataSchema.parse(kept)).toEqual(metadata);

  const { scored, notScored } = metadata.scenarios;
  const reported = await scenariosWithReport(join(folder, 'raw'), 'server');
  const all = [...scored, ...notScored.map(({ scenario }) => scenario)];
  // The one that throws against a server of 2025-11-25 leaves no report (DESIGN.md section 7).
  expect(all.filter((scenario) => !reported.has(scenario))).toEqual(
    profile === 'server:2026-07-28' ? ['tasks-capability-negotiation'] : [],
  );
  expect(events.filter(({ kind }) => kind === 'scenario')).toHaveLength(all.length);
  expect(await readFile(join(folder, 'target.log'), 'utf8')).toContain('listening');
  expect(await readFile(join(folder, 'referee.log'), 'utf8')).toContain('=== SUMMARY ===');
});
