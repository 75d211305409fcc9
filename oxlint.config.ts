import { defineConfig, type OxlintOverride } from 'oxlint';

/**
 * The data's path, top to bottom. A folder of src/ may import only folders above it in this list: a reader can then
 * understand any file knowing only what stands above it, and a cycle between folders cannot arise.
 */
const LAYERS = [
  'model',
  'platform',
  'encoder',
  'providers',
  'judge',
  'workspace',
  'proposals',
  'audit',
  'chain',
  'search-index',
  'reasoner',
  'memory',
  'retrieve',
  'capture',
  'extract',
  'topics',
  'compile',
  'maintain',
  'exchange',
  'check',
  'operations',
  'runtime',
  'verb-registry',
  'interfaces',
];

/** Only these may reach the door itself; undo and maintenance return plans that operations apply. */
const MAY_COMMIT = new Set(['workspace', 'proposals', 'memory', 'capture', 'extract', 'operations']);

const TEST_FILES = ['**/*.test.ts', 'test/**', 'bench/**', 'training/**', 'scripts/**', 'examples/**', '*.config.ts'];

function layerRule(folder: string, index: number): OxlintOverride {
  const below = LAYERS.slice(index + 1).join('|');
  const patterns = [];
  if (below !== '') {
    patterns.push({
      regex: `^(\\.\\./)+(${below})/`,
      message: `src/${folder} may import only folders above it in ARCHITECTURE.md's list.`,
    });
  }
  patterns.push({ regex: '^(\\.\\./)+(mneme|index)\\.ts$', message: 'Only interfaces use the composition root.' });
  if (!MAY_COMMIT.has(folder)) {
    patterns.push({ regex: '/workspace/commit\\.ts$', message: `src/${folder} must return a plan, not write.` });
  }
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: folder === 'interfaces' ? [] : patterns }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'warn' },
  ignorePatterns: ['dist', 'node_modules', 'coverage', 'test/golden', 'test/fixtures'],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'no-empty': ['error', { allowEmptyCatch: false }],
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'promise/always-return': 'off',
    'typescript/no-unnecessary-template-expression': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/no-misused-spread': 'off',
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 80, skipBlankLines: false, skipComments: false, IIFEs: true }],
    'no-restricted-globals': ['error'],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'Take a Clock (src/platform/clock.ts).' },
      { object: 'Math', property: 'random', message: 'Take a Random (src/platform/random.ts).' },
      { object: 'process', property: 'env', message: 'Read the environment in src/platform only.' },
    ],
  },
  overrides: [
    ...LAYERS.map(layerRule),
    { files: ['src/platform/**'], rules: { 'no-restricted-properties': 'off' } },
    {
      files: TEST_FILES,
      rules: {
        'max-lines-per-function': 'off',
        'no-restricted-properties': 'off',
        'vitest/require-mock-type-parameters': 'off',
        'typescript/unbound-method': 'off',
        'no-unmodified-loop-condition': 'off',
        'typescript/no-unnecessary-type-assertion': 'off',
        'typescript/await-thenable': 'off',
        'oxc/no-map-spread': 'off',
      },
    },
    { files: ['**/*.generated.ts'], rules: { 'max-lines': 'off' } },
    {
      files: ['*.config.ts', 'plugins/pi.js', 'scripts/count-reporter.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
