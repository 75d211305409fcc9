import fs from 'node:fs';
import {
  IMPORT_SOURCES,
  type ImportControls,
  type ImportFrom,
  type ImportProgress,
} from '../exchange/import/request.ts';
import { MnemeError } from '../model/errors.ts';
import { countOf, showBytes, showSeconds } from './command-line/plain.ts';
import type { Progress, Terminal } from './command-line/style.ts';

interface Wanted {
  /** undefined when it is to be told by what the path holds. */
  readonly from?: ImportFrom | undefined;
  readonly path?: string | undefined;
}

/** Reads `import codex`, `import codex DIR`, `import FILE` and `import FILE --from KIND`. */
export function importSource<Typed extends { readonly from?: string | undefined; readonly path?: string | undefined }>(
  typed: Typed,
  kind: unknown,
): Omit<Typed, 'from' | 'path'> & Wanted {
  const { from: source = '', path, ...rest } = typed;
  return { ...rest, ...sourceNamed(source, path, typeof kind === 'string' ? kind : undefined) };
}

/** `import codex`, `import codex DIR`, `import FILE` and `import FILE --from KIND`. */
function sourceNamed(source: string, path: string | undefined, kind: string | undefined): Wanted {
  const from = kind === undefined ? undefined : kindNamed(kind);
  const named = IMPORT_SOURCES.find((name) => name === source);
  if (named !== undefined && (from === undefined || path !== undefined)) {
    if (from === undefined || from === named) return { from: named, path };
    throw new MnemeError('usage', `The source is called ${named} and ${from} at once.`, { hint: 'Leave out --from.' });
  }
  if (path !== undefined) throw unknownKind(source);
  if (!fs.existsSync(source) && source !== '-' && !/[./\\]/u.test(source)) throw unknownKind(source);
  return { from, path: source };
}

function kindNamed(kind: string): ImportFrom {
  const from = IMPORT_SOURCES.find((name) => name === kind);
  if (from === undefined) throw unknownKind(kind);
  return from;
}

function unknownKind(kind: string): MnemeError {
  return new MnemeError('usage', `Nothing can be imported from "${kind}".`, {
    hint: `Name a file or folder, or one of: ${IMPORT_SOURCES.join(', ')}.`,
  });
}

/** The usual names of the programs. */
const PROGRAMS: Readonly<Record<ImportFrom, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  openclaw: 'OpenClaw',
  opencode: 'opencode',
  markdown: 'Markdown files',
  transcript: 'a transcript',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  obsidian: 'an Obsidian vault',
  'basic-memory': 'basic-memory',
  'server-memory': 'server-memory',
  mem0: 'mem0',
  pdf: 'PDF files',
  html: 'web pages',
  mneme: 'an export of Mneme',
};

/** `from` may come from a file that a newer version wrote. */
export function programName(from: string): string {
  return (PROGRAMS as Readonly<Record<string, string>>)[from] ?? from;
}

/** Shows on one line how far an import has come. */
export function showImporting({ signal, report }: Progress, terminal: Terminal): ImportControls {
  const startedMs = performance.now();
  return {
    places: terminal.logPlaces,
    readInput: () => terminal.readInput(),
    signal,
    onProgress: (progress: ImportProgress) => {
      const took = showSeconds(performance.now() - startedMs);
      report(`importing ${programName(progress.from)}  ${amounts(progress)} · ${took}`);
    },
  };
}

function amounts({ done, total, bytes, totalBytes, sessions, turns, documents, facts }: ImportProgress): string {
  return [
    `${done} of ${countOf(total, 'file')}`,
    ...(sessions === 0 ? [] : [countOf(sessions, 'session'), countOf(turns, 'turn')]),
    ...(documents === 0 ? [] : [countOf(documents, 'document')]),
    ...(facts === 0 ? [] : [countOf(facts, 'fact')]),
    `${showBytes(bytes)} of ${showBytes(totalBytes)}`,
  ].join(' · ');
}
