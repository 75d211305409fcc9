import { defineConfig } from 'tsdown';

const common = {
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  fixedExtension: false,
  sourcemap: false,
} as const;

export default defineConfig([
  { ...common, entry: { index: 'src/index.ts' }, dts: true, clean: true },
  // The command line takes its dependencies along: one file to load instead of three hundred is most of a fast start.
  { ...common, entry: { cli: 'src/interfaces/cli/main.ts' }, dts: false, clean: false, deps: { alwaysBundle: [/.*/] } },
]);
