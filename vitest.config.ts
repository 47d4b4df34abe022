import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite warns about each source map of GitHub's parser, which its package does not ship.
  logLevel: 'error',
  test: {
    include: ['__tests__/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two workers at most: these tests start real servers and real referees, and a starved machine is noise.
    maxWorkers: 2,
    reporters: ['default', './scripts/closing-line-reporter.ts'],
    // GitHub's parser imports its schema as JSON without an import attribute, which Node itself refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
  },
});
