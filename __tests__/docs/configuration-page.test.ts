import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { clientSchema, fileSchema, serverSchema } from '../../src/config/file-schema.ts';
import { parseYaml } from '../../src/shared/parse-yaml.ts';

const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

/** First cells of the table rows under a heading. */
function rowsUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/configuration.md has no section "${heading}".`);
  return [...section.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map((match) => match[1] ?? '');
}

describe('docs/configuration.md', () => {
  it.each([
    { heading: 'Keys', schema: fileSchema },
    { heading: 'Keys of server', schema: serverSchema },
    { heading: 'Keys of client', schema: clientSchema },
  ])('explains every key under "$heading"', ({ heading, schema }) => {
    expect(rowsUnder(heading)).toEqual(Object.keys(schema.shape));
  });

  it('shows a file that is valid', () => {
    const [, example = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const parsed = parseYaml(example, {
      file: 'example',
      what: 'configuration',
      schema: fileSchema,
      maxBytes: 10_000,
    });
    expect(parsed.value.profiles).toHaveLength(2);
  });
});
