import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exportedSchemas } from '../../src/baseline/export-schemas.ts';

test('docs/schemas is fresh (npm run schemas)', async () => {
  const folder = new URL('../../docs/schemas/', import.meta.url);
  const schemas = exportedSchemas();
  expect(Object.keys(schemas)).toEqual((await readdir(folder)).sort());
  for (const [name, schema] of Object.entries(schemas)) {
    const text = await readFile(new URL(name, folder), 'utf8');
    expect(text, name).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  }
});

test('the schemas say what they are about', () => {
  const { 'baseline.schema.json': baseline, 'verdict.schema.json': verdict } = exportedSchemas();
  expect(baseline).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    required: ['schema', 'profile', 'referee', 'normaliser', 'exceptions', 'inventory'],
  });
  expect(verdict).toMatchObject({
    title: 'verdict.json of a conformance report folder',
    properties: { outcome: { enum: ['pass', 'fail', 'inconclusive'] } },
  });
});
