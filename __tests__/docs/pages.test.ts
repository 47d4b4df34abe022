import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readAction } from '../support/read-action.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const read = (page: string) => readFile(join(root, page), 'utf8');
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What GitHub makes of a heading's text. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');

describe.each(pages)('%s', (page) => {
  it('links only to files and headings that exist', async () => {
    const broken: string[] = [];
    for (const [, link = ''] of (await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^<?[a-z]+:/.test(link)) continue;
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const text = await access(join(root, target)).then(
        () => (target.endsWith('.md') ? read(target) : ''),
        () => undefined,
      );
      const headings = [...(text ?? '').matchAll(/^#+ (.+)$/gm)].map((match) => anchor(match[1] ?? ''));
      if (text === undefined || (fragment !== undefined && !headings.includes(fragment))) broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  it('shows workflow steps with inputs that the action has', async () => {
    const step = z.looseObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) });
    const wrong: string[] = [];
    for (const [, block = ''] of (await read(page)).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)) {
      for (const node of everything(parse(block))) {
        const own = step.safeParse(node).data;
        const folder = /^OWNER\/mcp-conformance-gate(\/[^@]*)?@/.exec(own?.uses ?? '');
        if (!own || !folder) continue;
        const { inputs } = await readAction(join(root, folder[1] ?? ''));
        wrong.push(...Object.keys(own.with).filter((name) => !inputs.has(name)));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** A value and everything inside it. */
function everything(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return [value, ...Object.values(value).flatMap(everything)];
}

describe('README.md', () => {
  it.each(['inputs', 'outputs'] as const)('lists the %s of action.yml in its words', async (part) => {
    const table = (await read('README.md')).split(`<!-- ${part} -->`)[1]?.split(`<!-- /${part} -->`)[0] ?? '';
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, text]) => [name, text]);
    const action = await readAction(root);
    expect(rows).toEqual([...action[part]].map(([name, { text }]) => [name, oneLine(text)]));
  });
});
