import { z } from 'zod';
import { verdictSchema } from '../gate/verdict.ts';
import { baselineFileSchema } from './baseline.ts';

/**
 * The published JSON Schemas, generated from the schemas that the code itself uses.
 * @returns file name → schema, as it lies in docs/schemas/
 */
export function exportedSchemas(): Record<string, unknown> {
  const options = { target: 'draft-2020-12', reused: 'ref' } as const;
  return {
    'baseline.schema.json': {
      title: 'Baseline of one conformance profile',
      ...z.toJSONSchema(baselineFileSchema, { ...options, io: 'input' }),
    },
    'verdict.schema.json': {
      title: 'verdict.json of a conformance report folder',
      ...z.toJSONSchema(verdictSchema, { ...options, io: 'output' }),
    },
  };
}
