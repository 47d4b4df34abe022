import { describe, expect, test } from 'vitest';
import {
  type ArtifactNameParts,
  artifactName,
  artifactPrefix,
} from '../../src/publish/upload/artifact-name.ts';

const parts: ArtifactNameParts = { profiles: ['server-2025-11-25'], job: 'conformance', attempt: '1' };

describe('artifactName', () => {
  test('reads well', () => {
    expect(artifactName({ ...parts, name: 'my server', attempt: '2' })).toMatch(
      /^mcp-conformance-my-server-server-2025-11-25-conformance-[0-9a-f]{8}-2$/,
    );
  });

  test.each<[string, Partial<ArtifactNameParts>]>([
    ['name', { name: 'a' }],
    ['profiles', { profiles: ['server-2026-07-28'] }],
    ['job', { job: 'other' }],
    ['leg of a matrix', { matrix: '{"os":"linux"}' }],
    ['name that only differs in what is replaced', { name: 'a/b' }],
  ])('differs by %s', (_, over) => {
    expect(artifactName({ ...parts, ...over })).not.toBe(
      artifactName({ ...parts, ...(over.name ? { name: 'a:b' } : {}) }),
    );
  });

  test('begins the same in every attempt and whatever the order of profiles', () => {
    const many = { ...parts, profiles: ['a', 'b', 'c'] };
    expect(artifactName({ ...many, attempt: '7' }).startsWith(artifactPrefix(many))).toBe(true);
    expect(artifactPrefix({ ...many, profiles: ['c', 'b', 'a'] }).slice(-9)).toBe(
      artifactPrefix(many).slice(-9),
    );
  });

  test.each([undefined, 'null', '{}', ' { } ', ''])('no matrix, written as %j, is no leg', (matrix) => {
    expect(artifactName({ ...parts, matrix })).toBe(artifactName(parts));
  });

  test('holds nothing that the service forbids and is not too long', () => {
    const name = artifactName({
      name: '"a:b<c>d|e*f?g\\h/i\r\nj\u202e\ud800👩‍👩‍👧 '.repeat(20),
      profiles: ['x/y', 'z:1', '…'],
      job: '../..',
      attempt: '1\n',
    });
    expect(name).toMatch(/^[A-Za-z0-9.-]+$/);
    expect(name.length).toBeLessThan(160);
  });

  test('a chosen name is taken as it is, but for what is forbidden', () => {
    expect(artifactName({ ...parts, chosen: 'nightly report' })).toBe('nightly report');
    expect(artifactName({ ...parts, chosen: 'a/b:c' })).toBe('a-b-c');
  });
});
