import { defineConfig } from 'vitest/config';

/** The tests that mutation testing runs: those of the judge, none that start processes. */
export default defineConfig({
  test: {
    include: ['__tests__/{baseline,evidence,gate}/**/*.test.ts'],
    exclude: ['__tests__/gate/{recordings,properties,large-evidence}.test.ts'],
    maxWorkers: 1,
  },
});
