// Bundles the entry points into dist/: one ES module per action step, one for the command line, and chunks for what they share
// and for what is loaded only when it is needed.
// `node scripts/build.mjs OUT` writes elsewhere, which is how check-dist compares without touching dist/.
import { chmod, mkdir, rm } from 'node:fs/promises';
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

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(entries).map(([name, input]) => [name, join(root, input)])),
  cwd: root,
  platform: 'node',
  resolve: { conditionNames: ['node', 'import', 'default'] },
  // Old syntax, so that an old Node can read the file far enough to say that it is too old.
  transform: { target: 'es2022' },
  logLevel: 'warn',
});
await bundle.write({
  dir: out,
  format: 'esm',
  banner: ({ name, isEntry }) => (name === 'cli' && isEntry ? '#!/usr/bin/env node' : ''),
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[hash].js',
  minify: true,
});
await bundle.close();
// As npm makes it when it links the command: a clone stays clean.
await chmod(join(out, 'cli.js'), 0o755);
