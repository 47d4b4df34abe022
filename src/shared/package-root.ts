import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'mcp-conformance-gate';

/**
 * Where files that ship beside the code lie (`baselines/…`, `package.json`), whether the code runs from `src/` or from a
 * bundle in `dist/`.
 * @param from where to start walking up; this module's own place when not given
 * @returns the absolute folder of this project's package.json
 * @throws Error when there is none: then the installation is broken
 */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (packageName(folder) === PACKAGE) return folder;
    if (dirname(folder) === folder) throw new Error(`No package.json of ${PACKAGE} at or above ${from}`);
  }
}

function packageName(folder: string): unknown {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof parsed === 'object' && parsed !== null && 'name' in parsed ? parsed.name : undefined;
  } catch {
    return undefined;
  }
}
