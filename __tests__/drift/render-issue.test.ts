import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { effective } from '../../src/drift/issue/effective.ts';
import { parseBody } from '../../src/drift/issue/marker.ts';
import { BODY_LIMIT, newsComment, renderIssue } from '../../src/drift/issue/render-issue.ts';
import { renderDriftTerminal } from '../../src/drift/render/render-terminal.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import {
  aDriftReport,
  aMovedReferee,
  aMovedSpec,
  anUnknown,
  aProfileTrial,
  aSameSpec,
  aTrial,
} from '../support/drift-report.ts';
import { readMarkdown } from '../support/read-markdown.ts';
import { sampleDrift } from '../support/sample-drift.ts';

test('the issue of the sample reads like this', async () => {
  const report = sampleDrift();
  const { title, body } = renderIssue(report, effective(report, undefined), undefined);
  expect(title).toBe(
    'MCP upstream drift: referee 0.2.0-alpha.12 would fail this gate; specification text of a gated revision changed; 1 more',
  );
  expect(title.length).toBeLessThanOrEqual(120);
  await expect(
    body.replace(/<!-- mcp-conformance-gate:drift \{.*\} -->/, '<!-- marker -->'),
  ).toMatchFileSnapshot('./__snapshots__/sample-issue.md');
});

test('docs/drift.md shows exactly that issue', async () => {
  const report = sampleDrift();
  const { body } = renderIssue(report, effective(report, undefined), undefined);
  const visible = body
    .replace(/<!-- mcp-conformance-gate:.* -->\n*/g, '')
    // One level down, so that the page keeps its own outline.
    .replace(/^#/gm, '##')
    .trim();
  const page = await readFile(join(packageRoot(), 'docs/drift.md'), 'utf8');
  expect(page).toContain(visible);
});

test('the terminal shows the same', async () => {
  const text = renderDriftTerminal(sampleDrift(), {
    cwd: '/repository',
    folder: '/repository/conformance-report/drift',
  });
  await expect(text).toMatchFileSnapshot('./__snapshots__/sample-terminal.txt');
});

const HOSTILE = [
  '@org/team please look',
  'fixes #123 and owner/repo#9',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '[click](javascript:alert(1)) https://evil.example/x',
  '| a | b |\n\n# heading\n\n```\nout of the fence',
  '</details></td></table>',
  '<!-- mcp-conformance-gate:drift:end -->',
  '<!-- mcp-conformance-gate:drift {"v":1} -->',
  '\u202egnp.exe \u0007 \ud800',
];

test.each(HOSTILE)('upstream cannot speak with our voice: %j', (text) => {
  const report = aDriftReport({
    sources: [
      aMovedReferee({ to: { label: text }, notes: [text] }),
      aMovedSpec({
        changes: [
          { kind: 'file', path: text, change: 'modified' },
          { kind: 'release', tag: text, name: text, notes: text, url: text },
          { kind: 'revision', revision: text },
        ],
      }),
      anUnknown(
        { id: text, watch: { kind: 'npm', package: text } },
        { lastSeen: { at: '2026-11-27T03:17:00.000Z', label: text } },
      ),
    ],
    trial: aTrial({
      profiles: [
        aProfileTrial({
          differences: [
            {
              kind: 'new',
              scenario: text,
              check: text,
              scored: true,
              statuses: [text],
              passes: false,
              evidence: text,
            },
            {
              kind: 'evidence',
              scenario: text,
              check: text,
              scored: true,
              statuses: [text],
              before: text,
              now: `${text}!`,
            },
          ],
          breaks: [
            {
              kind: 'unclassified',
              profile: text,
              scenario: text,
              check: text,
              statuses: [text],
              firstLine: text,
              fingerprint: text,
            },
          ],
        }),
      ],
    }),
    proposal: { file: 'drift/proposal.patch', notes: [text], patch: `+${text}` },
  });
  const state = effective(report, undefined);
  const { title, body } = renderIssue(report, state, undefined);
  const parsed = parseBody(body, undefined);
  expect(parsed).toMatchObject({ before: '', after: '', marker: { title } });
  expect(Object.keys(parsed?.sections ?? {})).toEqual(['trial', 'source:referee', 'source:spec', '']);
  expect(body.isWellFormed()).toBe(true);
  for (const markdown of [body, newsComment(report, state)]) {
    const shown = readMarkdown(markdown);
    const prose = shown.prose.join('\n');
    expect(prose).not.toMatch(/@org\/team/);
    expect(prose).not.toMatch(/#123|repo#9/);
    expect([...shown.elements].filter((name) => !OURS.has(name))).toEqual([]);
    expect([...shown.attributes].filter((name) => !/^(code class|input \w+|ol start)$/.test(name))).toEqual(
      [],
    );
    expect(
      shown.links.filter((link) => !link.startsWith('https://github.com/modelcontextprotocol/')),
    ).toEqual([]);
    expect(shown.headings.filter((heading) => heading === 'heading')).toEqual([]);
    expect(shown.text).not.toMatch(CONTROLS);
  }
});

/** Elements that the issue is made of. */
const OURS = new Set(
  'p strong table thead tbody tr th td code pre h2 h3 ul ol li details summary sub hr a br em'.split(' '),
);
const CONTROLS = new RegExp(`[${String.fromCharCode(0x202e, 7)}]`);

test('a night of thousands stays within the limit, cut at whole items, marker and end kept', () => {
  const wide = '🦜'.repeat(40);
  const many = Array.from({ length: 3000 }, (_, n) => n);
  const report = aDriftReport({
    sources: [
      aMovedReferee(),
      aMovedSpec({
        changes: many.map((n) => ({ kind: 'file', path: `docs/${n}/${wide}`, change: 'added' })),
      }),
      ...many
        .slice(0, 400)
        .map((n) => anUnknown({ id: `npm:${n}`, watch: { kind: 'npm', package: `p${n}` } })),
    ],
    trial: aTrial({
      profiles: [
        aProfileTrial({
          differences: many.map((n) => ({
            kind: 'new',
            scenario: `s${n}`,
            check: wide,
            scored: true,
            statuses: ['FAILURE'],
            passes: false,
            evidence: 'x'.repeat(5000),
          })),
        }),
      ],
    }),
    proposal: { file: 'drift/proposal.patch', notes: [], patch: `+${'y'.repeat(200_000)}\n` },
  });
  const previous = {
    before: `${'theirs '.repeat(1000)}\n`,
    after: '\nkept',
    marker: undefined,
    sections: {},
  };
  const { body } = renderIssue(report, effective(report, undefined), previous);
  expect(body.length).toBeLessThanOrEqual(BODY_LIMIT);
  expect(body.length).toBeGreaterThan(BODY_LIMIT / 3);
  const parsed = parseBody(body, undefined);
  expect(parsed).toMatchObject({ before: previous.before, after: '\nkept', marker: { v: 1 } });
  expect(body).toMatch(/… and [\d,]+ more new checks/);
  expect(body).toMatch(/… and [\d,]+ more files/);
  expect(body).toContain('How to adopt it');
  expect(body.match(/^ *```/gm)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0);
  expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
});

test.each([
  [{ kind: 'not-tried', candidate: 'npm:x', why: 'no-target' }, 'was not tried', 'no target was named'],
  [
    {
      kind: 'not-measured',
      candidate: 'npm:0.2.0-alpha.12',
      current: 'npm:0.2.0-alpha.11',
      which: 'candidate',
      findings: [{ kind: 'referee-unavailable', pin: 'npm:0.2.0-alpha.12', message: 'no network' }],
    },
    'could not be measured',
    'This says nothing about what adopting the candidate changes',
  ],
  [
    {
      kind: 'not-measured',
      candidate: 'npm:0.2.0-alpha.12',
      current: 'npm:0.2.0-alpha.11',
      which: 'candidate',
      findings: [],
      impossible: { message: 'it has no requirement sets', hint: 'These pins can: npm:0.2.0-alpha.11' },
    },
    'cannot run what is gated here',
    'it has no requirement sets',
  ],
] as const)('a trial that did not come about is said to be so: %#', (trial, headline, detail) => {
  const report = aDriftReport({ sources: [aMovedReferee(), aSameSpec()], trial: trial as never });
  const { body } = renderIssue(report, effective(report, undefined), undefined);
  expect(body).toContain(headline);
  expect(body).toContain(detail);
  expect(body).not.toContain('changes no result');
});
