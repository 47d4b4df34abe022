// Fails when dist/ is not what the sources build: rebuilds into a temporary folder and compares byte by byte.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), 'mcp-gate-dist-'));
try {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), fresh], { stdio: 'inherit' });
  const list = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const names = new Set([...list(join(root, 'dist')), ...list(fresh)]);
  const read = (folder, name) => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return undefined;
    }
  };
  const stale = [...names].filter((name) => {
    const [committed, built] = [read(join(root, 'dist'), name), read(fresh, name)];
    return !committed || !built || !committed.equals(built);
  });
  if (stale.length > 0) {
    console.error(
      `dist/ is not what the sources build: ${stale.join(', ')}. Run \`npm run build\` and commit dist/.`,
    );
    process.exitCode = 1;
  } else {
    console.log(`dist/ is fresh: ${names.size} files.`);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
