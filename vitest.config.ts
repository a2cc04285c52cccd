import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres-server.ts'],
    // Processes and not threads: tests change signals, environment and working folders, and start children.
    pool: 'forks',
    // Room for a slow shared machine; no test measures time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    sequence: { shuffle: { files: true, tests: false } },
  },
});
