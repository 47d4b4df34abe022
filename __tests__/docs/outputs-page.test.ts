import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkResultSchema } from '../../src/gate/verdict.ts';
import { trendPointSchema } from '../../src/publish/publication.ts';
import { gateOutputs } from '../../src/publish/set-outputs.ts';
import { OUTPUT_FILES } from '../../src/publish/write.ts';
import { aPublication } from '../support/a-publication.ts';
import { readAction } from '../support/read-action.ts';
import { readJunit } from '../support/read-junit.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(`${root}/docs/outputs.md`, 'utf8');

/** Fenced samples below a heading. */
function samples(heading: string, language: string): string[] {
  const section = page.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]?.split(/^#/m)[0] ?? '';
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  );
}

describe('docs/outputs.md', () => {
  test('names every file, every output of the action and of the gate step', async () => {
    for (const name of [...OUTPUT_FILES, 'verdict.json']) expect(page).toContain(`\`${name}\``);
    for (const name of (await readAction(root)).outputs.keys()) expect(page).toContain(`\`${name}\``);
    for (const name of Object.keys(gateOutputs(aPublication(), 'r'))) expect(page).toContain(`\`${name}\``);
  });

  test('its samples have the shape of the real thing', async () => {
    const [checks] = samples('checks\\.json', 'json');
    expect(() => z.array(checkResultSchema).parse(JSON.parse(checks ?? ''))).not.toThrow();
    const [trend] = samples('trend\\.json', 'json');
    expect(() => z.array(trendPointSchema).parse(JSON.parse(trend ?? ''))).not.toThrow();
    const [junit] = samples('junit\\.xml', 'xml');
    expect((await readJunit(junit ?? '')).cases.map(({ result }) => result)).toEqual(['skipped', 'failure']);
    for (const text of [
      ...samples('verdict\\.json', 'json'),
      ...samples('results\\.sarif', 'json'),
      ...samples('badge\\.json', 'json'),
    ])
      expect(() => JSON.parse(text)).not.toThrow();
  });
});
