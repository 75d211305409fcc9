import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The adapters against the real libraries: `npm run test:frameworks` at the top of the repository. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.test.ts'],
    globalSetup: ['../../test/support/one-temporary-folder.ts'],
    reporters: ['default', path.join(import.meta.dirname, '../../scripts/count-reporter.ts')],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { NO_COLOR: '1' },
  },
});
