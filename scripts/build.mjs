// Bundles each entry point into dist/: one self-contained ES module per action step, one for the command line.
// `node scripts/build.mjs OUT` writes elsewhere, which is how check-dist compares without touching dist/.
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(root, process.argv[2] ?? 'dist');

const entries = {
  gate: 'src/entry/gate.ts',
  upload: 'src/entry/upload.ts',
  drift: 'src/entry/drift.ts',
  verdict: 'src/entry/verdict.ts',
  cli: 'src/entry/cli.ts',
  'demo-server': 'demo/server.ts',
};

// Bundled CommonJS packages still call require() for Node's own modules.
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const [name, input] of Object.entries(entries)) {
  const bundle = await rolldown({
    input: join(root, input),
    cwd: root,
    platform: 'node',
    resolve: { conditionNames: ['node', 'import', 'default'] },
    // Old syntax, so that an old Node can read the file far enough to say that it is too old.
    transform: { target: 'es2022' },
    logLevel: 'warn',
  });
  await bundle.write({
    file: join(out, `${name}.js`),
    format: 'esm',
    banner: name === 'cli' ? `#!/usr/bin/env node\n${banner}` : banner,
    minify: true,
    codeSplitting: false,
  });
  await bundle.close();
}
