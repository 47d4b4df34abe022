import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findingSchema, levelOf } from '../../src/gate/finding.ts';
import { EXCEPTION_CLASSES } from '../../src/gate/verdict.ts';

const page = await readFile(new URL('../../docs/baseline.md', import.meta.url), 'utf8');

/** First cells of the table rows under a heading. */
function rowsUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/baseline.md has no section "${heading}".`);
  return [...section.matchAll(/^\| `([^`]+)` \| .+ \| .+ \|$/gm)].map((match) => match[1] ?? '');
}

const kinds = findingSchema.options.map((option) => option.shape.kind.value);

describe('docs/baseline.md', () => {
  it.each([
    { heading: 'Findings that fail', level: 'fail' },
    { heading: 'Findings that make it inconclusive', level: 'inconclusive' },
  ])('explains every finding of level $level, in its section', ({ heading, level }) => {
    expect(rowsUnder(heading).sort()).toEqual(kinds.filter((kind) => levelOf(kind) === level).sort());
  });

  it('explains every class of exceptions', () => {
    expect(rowsUnder('Classes').sort()).toEqual([...EXCEPTION_CLASSES].sort());
  });
});
