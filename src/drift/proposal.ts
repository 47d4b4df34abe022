import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

/** One file before and after. */
export interface FileChange {
  /** Relative to the repository's root, forward slashes. */
  readonly path: string;
  /** Absent: the file is new. */
  readonly before?: string;
  readonly after: string;
}

/**
 * A unified diff that `git apply` takes.
 * @returns empty when nothing changes
 */
export function makePatch(changes: readonly FileChange[]): string {
  return changes
    .filter((change) => change.before !== change.after)
    .map(({ path, before, after }) => {
      const patch = structuredPatch(
        before === undefined ? '/dev/null' : name('a', path),
        name('b', path),
        before ?? '',
        after,
        undefined,
        undefined,
        { context: 3 },
      );
      return formatPatch(patch, FILE_HEADERS_ONLY);
    })
    .join('');
}

/** git ends a name that holds a space with a tab, so that nothing after it is taken for a part of it. */
function name(side: string, path: string): string {
  return path.includes(' ') ? `${side}/${path}\t` : `${side}/${path}`;
}
