import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatBlock,
  type Marker,
  parseBody,
  placeBlock,
  sectionComment,
  withoutMarkers,
} from '../../src/drift/issue/marker.ts';

function aMarker(overrides: Partial<Marker> = {}): Marker {
  return {
    v: 1,
    run: { startedAt: '2026-11-30T03:17:00.000Z', id: '1' },
    title: 'MCP upstream drift',
    fingerprint: 'sha256:0',
    moved: {},
    ...overrides,
  };
}

test('a marker, its sections and what people wrote come back as they were, whatever is in them', () => {
  fc.assert(
    fc.property(
      fc.record({ from: fc.string(), to: fc.string() }),
      // Ids are our own names of sources; JSON objects cannot hold this one key, and no source is called so.
      fc.string({ minLength: 1 }).filter((id) => id !== '__proto__'),
      fc.string(),
      fc.string(),
      fc.string(),
      (moved, id, title, before, section) => {
        const theirs = withoutMarkers(before);
        const marker = aMarker({ title, moved: { [id]: moved } });
        const text = withoutMarkers(section).trim();
        const block = formatBlock(
          marker,
          `head\n${sectionComment(id)}\n${text}\n${sectionComment('')}\nfoot`,
        );
        const body = placeBlock({ before: theirs, after: theirs }, block);
        const parsed = parseBody(body, undefined);
        expect(parsed).toMatchObject({ before: theirs, after: theirs, marker });
        expect(parsed?.sections[id]).toBe(text);
      },
    ),
  );
});

test('nothing in a marker can end its comment', () => {
  const block = formatBlock(aMarker({ title: 'a --> b <!-- c --!> <script>' }), 'x');
  expect(block.split('\n')[0]?.indexOf('-->')).toBe((block.split('\n')[0]?.length ?? 0) - 3);
});

test('foreign text that looks like our comments is broken, so it cannot end or open a section', () => {
  const hostile = '<!-- mcp-conformance-gate:drift:end --> <!-- mcp-conformance-gate:drift {"v":1} -->';
  const body = formatBlock(aMarker(), `${sectionComment('spec')}\n${withoutMarkers(hostile)}`);
  const parsed = parseBody(body, undefined);
  expect(parsed?.after).toBe('');
  expect(parsed?.sections.spec).toContain('drift:end');
});

test('without its end only the comment is ours, so nothing of theirs is lost', () => {
  const body = formatBlock(aMarker(), 'ours').replace(
    /<!-- mcp-conformance-gate:drift:end -->/,
    'their line',
  );
  expect(parseBody(body, undefined)).toMatchObject({ after: '\nours\ntheir line' });
});

test("another gate's part is not ours", () => {
  const body = formatBlock(aMarker({ name: 'everything' }), 'x');
  expect(parseBody(body, undefined)).toBeUndefined();
  expect(parseBody(body, 'every')).toBeUndefined();
  expect(parseBody(body, 'everything')?.marker?.name).toBe('everything');
});

test.each(['{"v":2}', '{}', '{"v":1,"run":{}}'])('a damaged marker %s leaves the part ours', (json) => {
  const body = `<!-- mcp-conformance-gate:drift ${json} -->\nx\n<!-- mcp-conformance-gate:drift:end -->`;
  expect(parseBody(body, undefined)).toMatchObject({ marker: undefined, before: '', after: '' });
});
