import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exportedSchemas } from '../../src/baseline/export-schemas.ts';

test.each(Object.entries(exportedSchemas()))(
  'docs/schemas/%s is fresh (npm run schemas)',
  async (name, schema) => {
    const text = await readFile(new URL(`../../docs/schemas/${name}`, import.meta.url), 'utf8');
    expect(text).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  },
);

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
