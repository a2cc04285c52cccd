import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/postgres-server.ts'],
    setupFiles: ['test/support/properties.ts', 'test/support/compile-cache.ts'],
    // Processes and not threads: tests change signals, environment and working folders, and start children.
    pool: 'forks',
    // What a test leaves to the garbage collector is mostly gone before it looks, when it looks less often.
    execArgv: ['--max-semi-space-size=32'],
    // A file leaves nothing behind, so a process takes one after the other and loads what they share once.
    isolate: false,
    // Node loads the sources as it does for the bot: Vite would transform each module, and slow every call between two.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Scenarios mostly wait for the processes that they start, so a small machine does well with more than its cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Room for a slow shared machine; no test measures time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes; the second that is the default would measure the machine.
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    sequence: { shuffle: { files: true, tests: false } },
  },
});
