import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'dashboard/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    // These need a Chromium: npm run test:browser. Long ones belong to npm run test:all.
    exclude: [
      '**/node_modules/**',
      'test/browser/**',
      ...(process.env['MNEME_TEST_EFFORT'] === 'all' ? [] : ['**/*.long.test.ts']),
    ],
    globalSetup: ['test/support/one-temporary-folder.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    // Most tests wait for programs they started: as many workers as cores would leave a core idle.
    maxWorkers: 3,
    // No test replaces a module, so the files of a worker can share what is loaded.
    isolate: false,
    // What a test puts in the place of something does not reach the next file.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // Names of cases in full: cut after 40 characters, as is usual, no case could be run by the name that CASES.md has.
    taskTitleValueFormatTruncate: 1000,
    // And what went wrong with them.
    chaiConfig: { truncateThreshold: 0 },
    // Only to end what hangs: many tests start programs, which takes long on a machine that is busy with others.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Programs that tests start are compiled once, not every time.
    env: { NO_COLOR: '1', NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
  },
});
