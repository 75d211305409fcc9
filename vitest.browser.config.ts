import { defineConfig } from 'vitest/config';

/** The dashboard in a real Chromium: `npm run test:browser`. Apart from `npm test`, because not every machine has one. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/one-temporary-folder.ts', 'test/browser/support/global-setup.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // A browser each: more at once only wait for one another.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { NO_COLOR: '1' },
  },
});
