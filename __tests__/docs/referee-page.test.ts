import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DEFAULT_LIMIT } from '../../src/referee/evict.ts';
import { DEFAULT_PIN, KNOWN_PINS } from '../../src/referee/known-pins.ts';
import { lockFolder } from '../../src/referee/lock.ts';

const page = await readFile(new URL('../../docs/referee.md', import.meta.url), 'utf8');

test('docs/referee.md names every known referee and what it can run', () => {
  const rows = [...page.matchAll(/^\| `(npm:[^`]+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map((row) => row[1])).toEqual(KNOWN_PINS.map(({ pin }) => pin));
  for (const [index, { profiles, revisions }] of KNOWN_PINS.entries()) {
    const [, , sets = '', range = ''] = rows[index] ?? [];
    const scored = profiles.filter((id) => id.startsWith('server:')).map((id) => id.replace('server:', ''));
    expect(sets.startsWith('none') ? [] : sets.split(', ')).toEqual(scored);
    const [first, last] = [revisions[0] ?? '', revisions.at(-1) ?? ''];
    expect([revisions.join(', '), `${first} to ${last}`]).toContain(range);
  }
});

test('docs/referee.md tells the default, the size of the cache and where a lock goes', () => {
  expect(page).toContain(`| \`${DEFAULT_PIN}\` | that published version`);
  expect(page).toContain(`under ${DEFAULT_LIMIT / 1024 ** 3} GiB`);
  expect(page).toContain(`baselines/referee/${lockFolder('0.2.0-alpha.11')}/`);
});
