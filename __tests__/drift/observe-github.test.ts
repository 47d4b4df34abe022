import { expect, test } from 'vitest';
import type { Watch } from '../../src/config/plan.ts';
import { emptyMemory } from '../../src/drift/memory.ts';
import { SPECIFICATION } from '../../src/drift/sources/observe-spec.ts';
import { startFakeGitHub } from '../support/fake-github.ts';
import { adoptNow, look, observeOptions } from '../support/observing.ts';

const SPEC: Watch = { kind: 'spec' };

async function specification() {
  const github = await startFakeGitHub([SPECIFICATION]);
  for (const revision of ['2025-11-25', '2026-07-28']) {
    await github.write(SPECIFICATION, `schema/${revision}/schema.ts`, `// ${revision}`);
    await github.write(SPECIFICATION, `docs/specification/${revision}/basic/authorization.mdx`, 'text');
  }
  await github.write(SPECIFICATION, 'schema/draft/schema.ts', '// draft');
  return github;
}

test('a specification without an adopted state is unknown, and says what adopting it would write', async () => {
  await using github = await specification();
  const report = await look(SPEC, undefined, observeOptions(github));
  expect(report).toMatchObject({
    id: 'spec',
    status: 'unknown',
    reason: 'not-adopted',
    value: { kind: 'spec', revisions: ['2025-11-25', '2026-07-28'] },
  });
  expect(Object.keys(report.value?.kind === 'spec' ? report.value.paths : {})).toEqual([
    'schema/2025-11-25',
    'schema/2026-07-28',
    'docs/specification/2025-11-25',
    'docs/specification/2026-07-28',
  ]);
});

test('commits outside the gated revisions do not move the specification', async () => {
  await using github = await specification();
  const options = observeOptions(github);
  const pinned = await adoptNow([SPEC], options);
  expect(await look(SPEC, pinned, options)).toMatchObject({ status: 'same', notes: [] });

  await github.write(SPECIFICATION, 'schema/draft/schema.ts', '// another draft');
  await github.write(SPECIFICATION, 'blog/post.md', 'news');
  const report = await look(SPEC, pinned, options);
  expect(report).toMatchObject({ status: 'same' });
  expect(report.status === 'same' ? report.notes : []).toHaveLength(1);
});

test('a changed schema, a changed text and a new revision move the specification, file by file', async () => {
  await using github = await specification();
  const options = observeOptions(github);
  const pinned = await adoptNow([SPEC], options);

  await github.write(SPECIFICATION, 'schema/2026-07-28/schema.ts', '// corrected');
  await github.write(SPECIFICATION, 'docs/specification/2025-11-25/basic/authorization.mdx', 'other text');
  await github.write(SPECIFICATION, 'docs/specification/2025-11-25/basic/tokens.mdx', 'new');
  await github.write(SPECIFICATION, 'schema/2027-01-15/schema.ts', '// next');
  const report = await look(SPEC, pinned, options);
  expect(report.status === 'moved' ? report.changes : report).toMatchObject([
    { kind: 'revision', revision: '2027-01-15' },
    { kind: 'file', path: 'docs/specification/2025-11-25/basic/authorization.mdx', change: 'modified' },
    { kind: 'file', path: 'docs/specification/2025-11-25/basic/tokens.mdx', change: 'added' },
    { kind: 'file', path: 'schema/2026-07-28/schema.ts', change: 'modified' },
  ]);
  expect(report.status === 'moved' && report.compareUrl).toMatch(
    /\/compare\/[0-9a-f]{40}\.\.\.[0-9a-f]{40}$/,
  );
  expect(report.status === 'moved' && report.incomplete).toBe(false);
});

test('a folder that is gone moves the specification', async () => {
  await using github = await specification();
  const options = observeOptions(github);
  const pinned = await adoptNow([SPEC], options);
  await github.remove(SPECIFICATION, 'docs/specification/2025-11-25/basic/authorization.mdx');
  expect(await look(SPEC, pinned, options)).toMatchObject({
    status: 'moved',
    changes: [
      { kind: 'file', path: 'docs/specification/2025-11-25/basic/authorization.mdx', change: 'removed' },
    ],
  });
});

test('a revision that is gated since the last adoption is unknown, not silently the same', async () => {
  await using github = await specification();
  const pinned = await adoptNow([SPEC], observeOptions(github, { revisions: ['2025-11-25'] }));
  expect(await look(SPEC, pinned, observeOptions(github))).toMatchObject({
    status: 'unknown',
    reason: 'not-adopted',
    message: expect.stringContaining('2026-07-28'),
  });
});

test('a branch moves with its head, or only with the watched paths', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  await github.write('person/sdk', 'src/auth.ts', 'one');
  const whole: Watch = { kind: 'branch', repository: 'person/sdk', branch: 'main' };
  const part: Watch = { kind: 'branch', repository: 'person/sdk', paths: ['src/**'] };
  const options = observeOptions(github);
  const pinned = await adoptNow([whole, part], options);
  expect(await look(whole, pinned, options)).toMatchObject({ status: 'same' });

  await github.write('person/sdk', 'docs/read.md', 'words');
  expect(await look(whole, pinned, options)).toMatchObject({
    status: 'moved',
    changes: [{ kind: 'file', path: 'docs/read.md', change: 'added' }],
  });
  expect(await look(part, pinned, options)).toMatchObject({ status: 'same' });

  await github.write('person/sdk', 'src/auth.ts', 'two');
  expect(await look(part, pinned, options)).toMatchObject({
    status: 'moved',
    from: { label: expect.stringMatching(/^main [0-9a-f]{12}$/) },
    changes: [{ kind: 'file', path: 'src/auth.ts', change: 'modified' }],
  });
});

test('a comparison that upstream cuts short is completed from the trees', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  await github.write('person/sdk', 'src/auth.ts', 'one');
  const part: Watch = { kind: 'branch', repository: 'person/sdk', paths: ['src/**'] };
  const options = observeOptions(github);
  const pinned = await adoptNow([part], options);
  await github.write('person/sdk', 'src/auth.ts', 'two');
  // What GitHub does with a large comparison: the first 300 files, and the watched one is not among them.
  github.proxy.fault({
    path: /\/compare\//,
    change: (json) => ({
      ...(json as object),
      files: Array.from({ length: 300 }, (_, n) => ({ filename: `docs/${n}.md`, status: 'added' })),
    }),
  });
  expect(await look(part, pinned, options)).toMatchObject({
    status: 'moved',
    changes: [{ path: 'src/auth.ts' }],
    incomplete: false,
  });
});

test('an adopted commit that upstream has rewritten away still moves, with what can be told', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  const part: Watch = { kind: 'branch', repository: 'person/sdk', branch: 'main', paths: ['src/**'] };
  const gone = '1'.repeat(40);
  const report = await look(
    part,
    {
      schema: 1,
      sources: {
        'branch:person/sdk@main:src/**': {
          kind: 'branch',
          adopted: '2026-01-01',
          branch: 'main',
          commit: gone,
        },
      },
    },
    observeOptions(github),
  );
  expect(report).toMatchObject({ status: 'moved', changes: [], incomplete: true });
});

async function release(
  github: Awaited<ReturnType<typeof startFakeGitHub>>,
  tag: string,
  body = '',
  more: object = {},
) {
  await github.api('person', 'POST', '/repos/person/sdk/releases', {
    tag_name: tag,
    target_commitish: 'main',
    name: `Release ${tag}`,
    body,
    ...more,
  });
}

test('releases: a newer version moves, an older line and a prerelease do not', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  const watch: Watch = { kind: 'github-release', repository: 'person/sdk', tags: 'v*' };
  const options = observeOptions(github);
  await release(github, 'v2.0.0');
  await release(github, 'server-v9.0.0');
  const pinned = await adoptNow([watch], options);
  expect(pinned.sources['github-release:person/sdk:v*']).toMatchObject({ tag: 'v2.0.0' });

  await release(github, 'v1.9.9', 'backport');
  await release(github, 'v3.0.0-rc.1', 'soon', { prerelease: true });
  expect(await look(watch, pinned, options)).toMatchObject({ status: 'same' });

  await release(github, 'v2.1.0', 'Fixes OAuth metadata');
  await release(github, 'v2.10.0', 'Adds tasks');
  expect(await look(watch, pinned, options)).toMatchObject({
    status: 'moved',
    from: { label: 'v2.0.0' },
    to: { label: 'v2.10.0' },
    changes: [
      { kind: 'release', tag: 'v2.10.0', notes: 'Adds tasks', name: 'Release v2.10.0' },
      { kind: 'release', tag: 'v2.1.0', notes: 'Fixes OAuth metadata' },
    ],
  });
});

test('releases: prereleases count when the adopted release is one', async () => {
  await using github = await startFakeGitHub(['person/sdk']);
  const watch: Watch = { kind: 'github-release', repository: 'person/sdk' };
  const options = observeOptions(github);
  await release(github, 'v2.0.0-alpha.9', '', { prerelease: true });
  const pinned = await adoptNow([watch], options);
  await release(github, 'v2.0.0-alpha.10', '', { prerelease: true });
  expect(await look(watch, pinned, options)).toMatchObject({
    status: 'moved',
    to: { label: 'v2.0.0-alpha.10' },
  });
});

test('asks conditionally, and believes a 304', async () => {
  await using github = await specification();
  const memory = emptyMemory();
  const options = observeOptions(github, { memory });
  const pinned = await adoptNow([SPEC], options);
  expect(await look(SPEC, pinned, options)).toMatchObject({ status: 'same' });
  github.proxy.forget();
  expect(await look(SPEC, pinned, options)).toMatchObject({ status: 'same' });
  expect(github.proxy.calls.map((call) => call.status)).toEqual([304, 304, 304]);

  await github.write(SPECIFICATION, 'schema/2026-07-28/schema.ts', '// corrected');
  expect(await look(SPEC, pinned, options)).toMatchObject({ status: 'moved' });
});

test('a damaged memory is asked around', async () => {
  await using github = await specification();
  const memory = emptyMemory();
  const options = observeOptions(github, { memory });
  const pinned = await adoptNow([SPEC], options);
  await look(SPEC, pinned, options);
  for (const answer of Object.values(memory.answers)) answer.digest = { not: 'a digest' };
  expect(await look(SPEC, pinned, options)).toMatchObject({ status: 'same' });
});
