// Writes docs/schemas/ from the schemas in the code; a test fails when they differ.
import { mkdir, writeFile } from 'node:fs/promises';
import { exportedSchemas } from '../src/baseline/export-schemas.ts';

const folder = new URL('../docs/schemas/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries(exportedSchemas())) {
  await writeFile(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
