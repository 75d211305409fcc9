import path from 'node:path';
import { defineConfig } from 'tsdown';

const common = {
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  fixedExtension: false,
  sourcemap: false,
  // A third smaller and quicker to read; functions keep their names, so that a stack trace can be followed.
  minify: { compress: true, mangle: { keepNames: true }, codegen: true },
} as const;

/**
 * Loaded by the few who need them: tokenizers' vocabularies, what reads PDFs and pages, what seals. And a program of its
 * own, the one that starts others. By output file.
 */
const APART: Readonly<Record<string, string>> = {
  'tokens-o200k': 'src/compile/tokens/o200k.ts',
  'tokens-cl100k': 'src/compile/tokens/cl100k.ts',
  'library-pdf': 'src/exchange/import/pages/pdf-library.ts',
  'library-html': 'src/exchange/import/pages/html-library.ts',
  'library-age': 'src/operations/history/sealed/age-library.ts',
  starter: 'src/platform/programs/starter.ts',
};

/** They are built by themselves, and only named by what imports them. */
const builtApart = {
  name: 'built-apart',
  resolveId(source: string) {
    const output = Object.entries(APART).find(([, file]) => source === `./${path.basename(file)}`)?.[0];
    return output === undefined ? null : { id: `./${output}.js`, external: true };
  },
};

/**
 * What every start needs, and what it imports: in a file of its own, or printing the version would load everything else too.
 * `main.ts` stays out because it waits for the rest to load, and what waits must not be waited for.
 */
const START_ENTRIES = [/[\\/]src[\\/]interfaces[\\/]cli[\\/]run\.ts$/u, /[\\/]node_modules[\\/]commander[\\/]/u];

/** What reads a call's words by a schema, which every command but help does. */
const CALL_ENTRIES = [
  /[\\/]src[\\/]interfaces[\\/]cli[\\/]derive[\\/](?:read-input|start-program)\.ts$/u,
  /[\\/]src[\\/]interfaces[\\/]cli[\\/]programs[\\/]hook\.ts$/u,
];

/** What a hook loads that only adds to a live log: it runs after every answer of an agent, and should not load search. */
const CAPTURE_ENTRIES = [
  /[\\/]src[\\/]interfaces[\\/]hooks[\\/](?:work|wishes)\.ts$/u,
  /[\\/]src[\\/]operations[\\/]session[\\/](?:capture-log|session-of-log)\.ts$/u,
];

/** What a hook loads besides to brief an agent; the other verbs stay out. */
const BRIEFING_ENTRIES = [
  /[\\/]src[\\/]mneme\.ts$/u,
  /[\\/]src[\\/]memory[\\/]procedures[\\/]procedures\.ts$/u,
  /[\\/]src[\\/]operations[\\/](?:briefing|operation|history[\\/]missing|extract[\\/]waiting|background[\\/]progress)\.ts$/u,
];

interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importers: readonly string[] } | null;
}

/** Whether a module is needed by one of the entries, directly or through others; imports that wait do not count. */
function isNeededBy(entries: readonly RegExp[], id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (entries.some((pattern) => pattern.test(id))) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const { importers = [] } = modules.getModuleInfo(id) ?? {};
  return importers.some((importer) => isNeededBy(entries, importer, modules, seen));
}

/** A chunk of everything these entries need. */
function chunkFor(chunk: string, entries: readonly RegExp[], priority: number) {
  return {
    name: (id: string, modules: Modules) => (isNeededBy(entries, id, modules) ? chunk : null),
    priority,
  };
}

export default defineConfig([
  // In one file: verbs are loaded when they are used for the sake of hooks, which a library gains nothing by.
  {
    ...common,
    entry: { index: 'src/index.ts' },
    dts: true,
    clean: true,
    plugins: [builtApart],
    outputOptions: { codeSplitting: false },
  },
  // For pages and other programs: asks a server, and takes nothing of the memory along.
  {
    ...common,
    platform: 'neutral',
    entry: { client: 'src/client/client.ts' },
    dts: false,
    clean: false,
    outputOptions: { codeSplitting: false },
  },
  // Its types apart: they are the operations' own, whose files do import what only Node has.
  {
    ...common,
    entry: { client: 'src/client/client.ts' },
    dts: { emitDtsOnly: true },
    clean: false,
    outputOptions: { codeSplitting: false },
  },
  // Megabytes that most never need, once for library and command line.
  ...Object.entries(APART).map(([output, file]) => ({
    ...common,
    entry: { [output]: file },
    dts: false,
    clean: false,
    deps: { alwaysBundle: [/.*/] },
    outputOptions: { codeSplitting: false as const },
  })),
  // The command line takes its dependencies along: a dozen files instead of three hundred is most of a fast start.
  {
    ...common,
    entry: { cli: 'src/interfaces/cli/main.ts' },
    dts: false,
    clean: false,
    plugins: [builtApart],
    deps: { alwaysBundle: [/.*/] },
    outputOptions: {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          chunkFor('start', START_ENTRIES, 2),
          chunkFor('call', CALL_ENTRIES, 1.6),
          chunkFor('capture', CAPTURE_ENTRIES, 1.5),
          chunkFor('briefing', BRIEFING_ENTRIES, 1.4),
          { name: 'memory', minShareCount: 2, priority: 1 },
        ],
      },
    },
  },
]);
