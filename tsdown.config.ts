import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/interfaces/cli/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  dts: { entry: ['src/index.ts'] },
  minify: false,
  sourcemap: false,
  clean: true,
});
