import { defineConfig } from 'tsdown';

const common = {
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  fixedExtension: false,
  sourcemap: false,
} as const;

/**
 * What every start needs: in a file of its own, or printing the version would load everything else too. `main.ts` stays
 * out because it waits for the rest to load, and what waits must not be waited for.
 */
const START_FILES = [
  /[\\/]node_modules[\\/]commander[\\/]/u,
  /[\\/]src[\\/]interfaces[\\/]cli[\\/](?!main\.ts)[^\\/]+\.ts$/u,
  /[\\/]src[\\/]platform[\\/]environment\.ts$/u,
  /[\\/]src[\\/]model[\\/](?:errors|mutation|time)\.ts$/u,
  /[\\/]src[\\/]workspace[\\/]safety[\\/]limits\.ts$/u,
];

function isNeededToStart(file: string): boolean {
  return START_FILES.some((pattern) => pattern.test(file));
}

export default defineConfig([
  { ...common, entry: { index: 'src/index.ts' }, dts: true, clean: true },
  // The command line takes its dependencies along: a dozen files instead of three hundred is most of a fast start.
  {
    ...common,
    entry: { cli: 'src/interfaces/cli/main.ts' },
    dts: false,
    clean: false,
    deps: { alwaysBundle: [/.*/] },
    outputOptions: {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'start', test: isNeededToStart, priority: 2 },
          { name: 'memory', test: (file: string) => !isNeededToStart(file), minShareCount: 2, priority: 1 },
        ],
      },
    },
  },
]);
