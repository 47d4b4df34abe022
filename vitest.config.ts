import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['__tests__/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two workers at most: these tests start real servers and real referees, and a starved machine is noise.
    maxWorkers: 2,
    reporters: ['default'],
  },
});
