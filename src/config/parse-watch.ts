import type { ConfigFile } from './file-schema.ts';
import type { Watch } from './plan.ts';

/** One `watch:` entry of the configuration file, typed. `branch: owner/name@branch`; without `@` the default branch. */
export function parseWatch(entry: NonNullable<ConfigFile['watch']>[number]): Watch {
  if (entry === 'referee' || entry === 'spec') return { kind: entry };
  if ('github-release' in entry) {
    return {
      kind: 'github-release',
      repository: entry['github-release'],
      ...(entry.tags ? { tags: entry.tags } : {}),
    };
  }
  if ('npm' in entry) return { kind: 'npm', package: entry.npm, ...(entry.tag ? { tag: entry.tag } : {}) };
  const at = entry.branch.indexOf('@');
  return {
    kind: 'branch',
    repository: at < 0 ? entry.branch : entry.branch.slice(0, at),
    ...(at < 0 ? {} : { branch: entry.branch.slice(at + 1) }),
    ...(entry.paths ? { paths: entry.paths } : {}),
  };
}
