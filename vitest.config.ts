import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: { NO_COLOR: '1' },
  },
});
