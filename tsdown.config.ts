import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig } from 'tsdown';
import { writeDictionary } from './src/reasoner/heuristic/entities/dictionary.ts';
import { loadClasses } from './src/reasoner/heuristic/entities/lexicon.ts';
import { withCheaperClasses } from './scripts/cheaper-classes.ts';
import { withLeanBuiltins } from './scripts/lean-builtins.ts';
import { withLicences } from './scripts/with-licences.ts';

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
 * Loaded by the few who need them: tokenizers' vocabularies, what reads PDFs and pages, what seals, what tags words. And a
 * program of its own, the one that starts others. By output file.
 */
const APART: Readonly<Record<string, string>> = {
  'tokens-o200k': 'src/compile/tokens/o200k.ts',
  'tokens-cl100k': 'src/compile/tokens/cl100k.ts',
  'library-pdf': 'src/exchange/import/pages/pdf-library.ts',
  'library-html': 'src/exchange/import/pages/html-library.ts',
  'library-age': 'src/operations/history/sealed/age-library.ts',
  'library-words': 'src/reasoner/heuristic/entities/words-library.ts',
  starter: 'src/platform/programs/starter.ts',
};

/** Adapters for agent frameworks, which their users have installed, by export. */
const ADAPTERS: Readonly<Record<string, string>> = {
  'ai-sdk': 'src/interfaces/adapters/ai-sdk.ts',
  'claude-agent-sdk': 'src/interfaces/adapters/claude-agent-sdk.ts',
  langgraph: 'src/interfaces/adapters/langgraph.ts',
  mastra: 'src/interfaces/adapters/mastra.ts',
  'openai-agents': 'src/interfaces/adapters/openai-agents.ts',
};

/** An adapter uses the library as it lies beside it: a second copy would not know the first one's homes. */
const besideLibrary = {
  name: 'beside-library',
  resolveId: (source: string) => (source === '../../index.ts' ? { id: './index.js', external: true } : null),
};

/** The dictionary beside the library of words, so that looking a word up does not set the library up. */
const withDictionary = {
  name: 'with-dictionary',
  async generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: Uint8Array }) => string }) {
    const source = brotliCompressSync(writeDictionary(await loadClasses()));
    this.emitFile({ type: 'asset', fileName: 'dictionary.txt.br', source });
  },
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
 * Drops what a file of types imports for its side effects, which types do not have: a consumer would need the packages that
 * we bundle, and those that it did not choose.
 */
const withoutSideEffects = {
  name: 'without-side-effects',
  renderChunk: (code: string) => code.replaceAll(/^import "[^"]+";\n/gmu, ''),
};

/**
 * What every start needs, and what it imports: in a file of its own, or printing the version would load everything else too.
 * `main.ts` stays out because it waits for the rest to load, and what waits must not be waited for.
 */
const START_ENTRIES = [/[\\/]src[\\/]interfaces[\\/]cli[\\/]run\.ts$/u, /[\\/]node_modules[\\/]commander[\\/]/u];

/** A hook in the words that an agent calls it with: it answers before anything of the command line is loaded. */
const HOOK_ENTRIES = [
  /[\\/]src[\\/]interfaces[\\/]cli[\\/]hook-call\.ts$/u,
  /[\\/]src[\\/]interfaces[\\/]hooks[\\/]process-hook\.ts$/u,
  /[\\/]src[\\/]platform[\\/]environment\.ts$/u,
];

/** What reads a call's words by a schema, which every command but help does. */
const CALL_ENTRIES = [
  /[\\/]src[\\/]interfaces[\\/]cli[\\/]derive[\\/](?:read-input|start-program|call-verb)\.ts$/u,
  /[\\/]src[\\/]interfaces[\\/]cli[\\/]programs[\\/]hook\.ts$/u,
];

/** What a hook loads that only adds to a live log: it runs after every answer of an agent, and should not load search. */
const CAPTURE_ENTRIES = [
  /[\\/]src[\\/]interfaces[\\/]hooks[\\/](?:work|wishes)\.ts$/u,
  /[\\/]src[\\/]operations[\\/]session[\\/](?:capture-log|session-of-log)\.ts$/u,
  /[\\/]src[\\/]exchange[\\/]import[\\/](?:codex|gemini)\.ts$/u,
];

/** What a hook loads besides to brief an agent; the other verbs stay out. */
const BRIEFING_ENTRIES = [
  /[\\/]src[\\/]mneme\.ts$/u,
  /[\\/]src[\\/]memory[\\/]procedures[\\/]procedures\.ts$/u,
  /[\\/]src[\\/]operations[\\/](?:briefing|operation|history[\\/]missing|extract[\\/]waiting|background[\\/]progress)\.ts$/u,
];

/** What an agent asks most often. */
const RECALL_ENTRIES = [/[\\/]src[\\/]operations[\\/]search[\\/](?:recall|render-recall)\.ts$/u];

/** What decides where a statement belongs, and writes it. */
const REMEMBER_ENTRIES = [
  /[\\/]src[\\/]operations[\\/](?:remember|stores[\\/]open-stores)\.ts$/u,
  /[\\/]src[\\/]operations[\\/]extract[\\/](?:file-by-words|open-extraction)\.ts$/u,
  /[\\/]src[\\/]extract[\\/]heard-again\.ts$/u,
  /[\\/]src[\\/]reasoner[\\/]heuristic[\\/]reasoner\.ts$/u,
  /[\\/]node_modules[\\/]chrono-node[\\/]/u,
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

/** A chunk of everything that both need. */
function sharedChunk(chunk: string, entries: readonly RegExp[], others: readonly RegExp[], priority: number) {
  return {
    name: (id: string, modules: Modules) =>
      isNeededBy(entries, id, modules) && isNeededBy(others, id, modules) ? chunk : null,
    priority,
  };
}

export default defineConfig([
  // For pages and other programs: asks a server, and takes nothing of the memory along.
  {
    ...common,
    platform: 'neutral',
    entry: { client: 'src/client/client.ts' },
    dts: false,
    clean: true,
    outputOptions: { codeSplitting: false },
  },
  // Types of all, in files that share what is theirs together. A client's are the operations' own, whose files import what only
  // Node has.
  {
    ...common,
    entry: { index: 'src/index.ts', client: 'src/client/client.ts', ...ADAPTERS },
    dts: { emitDtsOnly: true },
    clean: false,
    plugins: [withoutSideEffects],
  },
  // Megabytes that most never need, once for library and command line.
  ...Object.entries(APART).map(([output, file]) => ({
    ...common,
    entry: { [output]: file },
    dts: false,
    clean: false,
    plugins: [withLicences(`licences-${output}.txt`)],
    deps: { alwaysBundle: [/.*/] },
    outputOptions: { codeSplitting: false as const },
  })),
  ...Object.entries(ADAPTERS).map(([output, file]) => ({
    ...common,
    entry: { [output]: file },
    dts: false,
    clean: false,
    plugins: [besideLibrary],
    outputOptions: { codeSplitting: false as const },
  })),
  // Command line and library take their dependencies along: a dozen files instead of three hundred is most of a fast start.
  {
    ...common,
    entry: { cli: 'src/interfaces/cli/main.ts', index: 'src/index.ts' },
    dts: false,
    clean: false,
    plugins: [withLeanBuiltins, builtApart, withCheaperClasses, withDictionary, withLicences('licences.txt')],
    deps: { alwaysBundle: [/.*/] },
    outputOptions: {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          chunkFor('hook', HOOK_ENTRIES, 3),
          sharedChunk('base', START_ENTRIES, [...CAPTURE_ENTRIES, ...BRIEFING_ENTRIES], 2.8),
          sharedChunk('schemas', CALL_ENTRIES, [...CAPTURE_ENTRIES, ...BRIEFING_ENTRIES], 1.8),
          chunkFor('start', START_ENTRIES, 2),
          chunkFor('call', CALL_ENTRIES, 1.6),
          chunkFor('capture', CAPTURE_ENTRIES, 1.5),
          chunkFor('briefing', BRIEFING_ENTRIES, 1.4),
          chunkFor('recall', RECALL_ENTRIES, 1.3),
          chunkFor('remember', REMEMBER_ENTRIES, 1.2),
          { name: 'memory', minShareCount: 2, priority: 1 },
        ],
      },
    },
  },
]);
