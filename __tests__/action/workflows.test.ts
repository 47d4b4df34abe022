import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseProfile } from '../../src/profile.ts';
import { readAction } from '../support/read-action.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OURS = 'OWNER/mcp-conformance-gate';

const step = z.looseObject({
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.looseObject({
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({ permissions: z.unknown(), 'timeout-minutes': z.number(), steps: z.array(step) }),
  ),
});

const files: string[] = [];
for (const folder of ['.github/workflows', 'examples']) {
  for (const name of (await readdir(join(root, folder))).sort()) {
    if (name.endsWith('.yml')) files.push(join(folder, name));
  }
}

describe.each(files)('%s', (file) => {
  const read = async () => {
    const content = await readFile(join(root, file), 'utf8');
    return { content, parsed: workflow.parse(parse(content)) };
  };

  it('is a workflow to the parser that GitHub publishes', async () => {
    const { content } = await read();
    const { context, value } = parseWorkflow({ name: file, content }, new NoOperationTraceWriter());
    if (value) await convertWorkflowTemplate(context, value);
    expect(context.errors.getErrors().map((error) => error.message)).toEqual([]);
  });

  it('gives no permission that a job does not name, and bounds each job', async () => {
    const { parsed } = await read();
    expect(parsed.permissions).toEqual({});
    for (const [id, job] of Object.entries(parsed.jobs)) {
      expect(job.permissions, id).toBeTypeOf('object');
      expect(job['timeout-minutes'], id).toBeLessThanOrEqual(60);
    }
  });

  it('pins what it uses to a commit', async () => {
    const { parsed } = await read();
    for (const { uses } of Object.values(parsed.jobs).flatMap((job) => job.steps)) {
      if (uses && uses !== './') expect(uses).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/);
    }
  });

  it('gives this action inputs that it has', async () => {
    const { parsed } = await read();
    const { inputs } = await readAction(root);
    const own = Object.values(parsed.jobs)
      .flatMap((job) => job.steps)
      .filter(({ uses }) => uses === './' || uses?.startsWith(`${OURS}@`));
    if (basename(file) !== 'ci.yml') expect(own.length).toBeGreaterThan(0);
    for (const { with: given = {} } of own) {
      expect(Object.keys(given).filter((name) => !inputs.has(name))).toEqual([]);
    }
  });
});

describe("the project's own nightly", () => {
  it('has a reviewed baseline for every profile of every server that it gates', async () => {
    const content = await readFile(join(root, '.github/workflows/nightly.yml'), 'utf8');
    const legs = z
      .array(z.object({ name: z.string(), profile: z.string(), command: z.string() }))
      .min(2)
      .parse(parse(content).jobs.gate.strategy.matrix.include);
    for (const { name, profile } of legs) {
      for (const slug of profile.split(' ').map((id) => parseProfile(id)?.slug)) {
        const baseline = await readFile(join(root, 'baselines', name, `${slug}.yaml`), 'utf8');
        expect(baseline, `${name}: ${slug}`).not.toMatch(/^ *reviewed: *$/m);
      }
    }
  });
});
