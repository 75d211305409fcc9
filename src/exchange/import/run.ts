import { MnemeError } from '../../model/errors.ts';
import type { LogPlaces } from '../../platform/environment.ts';
import { chatgpt } from './conversations/chatgpt.ts';
import { importClaude } from './conversations/import-claude.ts';
import { importConversations } from './conversations/import-conversations.ts';
import { importLogs } from './import-logs.ts';
import { importMarkdown, importNotes, MARKDOWN, type DocumentKind } from './import-markdown.ts';
import { ImportRun } from './import-run.ts';
import { importTranscript } from './import-transcript.ts';
import { importKnowledge, importVaultKnowledge } from './knowledge/import-knowledge.ts';
import { importMnemeExport } from './mneme/import-mneme.ts';
import type { ImportControls, ImportFrom, ImportHome, ImportRequest, ImportResult } from './request.ts';
import { existingFolders, LOG_FORMATS } from './survey.ts';

type Importer = (run: ImportRun, paths: readonly string[]) => Promise<void>;

const PDF: DocumentKind = {
  kind: 'pdf',
  describes: 'PDF files',
  names: /\.pdf$/iu,
  isForeign: true,
  convert: async (bytes) => (await import('./pages/pdf.ts')).readPdf(bytes),
};

const HTML: DocumentKind = {
  kind: 'html',
  describes: 'web pages (.html)',
  names: /\.(?:html?|xhtml)$/iu,
  isForeign: true,
  convert: async (bytes) => (await import('./pages/html.ts')).readHtml(bytes),
};

/** Everything but the logs that programs keep on this machine. */
const IMPORTERS: Partial<Readonly<Record<ImportFrom, Importer>>> = {
  markdown: importMarkdown,
  transcript: importTranscript,
  chatgpt: (run, paths) => importConversations(run, chatgpt, paths),
  claude: importClaude,
  obsidian: importVault,
  'basic-memory': importVault,
  'server-memory': importKnowledge,
  mem0: importKnowledge,
  pdf: (run, paths) => importMarkdown(run, paths, PDF),
  html: (run, paths) => importMarkdown(run, paths, HTML),
  mneme: importMnemeExport,
};

async function importVault(run: ImportRun, paths: readonly string[]): Promise<void> {
  await importMarkdown(run, paths, { ...MARKDOWN, kind: run.request.from });
  if (!run.isAborted) await importVaultKnowledge(run, paths);
}

/** Imports from one source. Doing it again takes only what is new. */
export async function importFrom(
  home: ImportHome,
  request: ImportRequest,
  controls: ImportControls = {},
): Promise<ImportResult> {
  const startedMs = home.clock.now();
  const paths = sourcePaths(request, controls.places);
  const run = new ImportRun(home, request, controls);
  try {
    const importer = IMPORTERS[request.from];
    if (importer !== undefined) await importer(run, paths);
    else await importProgramLogs(run, paths);
    await run.writer.flush();
  } finally {
    run.writer.close();
  }
  return { ...run.result(paths), tookMs: home.clock.now() - startedMs };
}

async function importProgramLogs(run: ImportRun, paths: readonly string[]): Promise<void> {
  const { from } = run.request;
  const format = LOG_FORMATS.find(({ name }) => name === from);
  if (format !== undefined) await importLogs(run, format, paths);
  if (from === 'openclaw') await importNotes(run, paths);
}

/** The source to name, by kind, as the end of a sentence. */
const NEEDED: Partial<Readonly<Record<ImportFrom, string>>> = {
  markdown: 'a folder of Markdown files',
  transcript: 'a file, or - for the input',
  obsidian: 'the folder of the vault',
  'basic-memory': 'the folder of the vault',
};

function sourcePaths({ from, path }: ImportRequest, places: LogPlaces | undefined): string[] {
  if (path !== undefined) return [path];
  const format = LOG_FORMATS.find(({ name }) => name === from);
  if (format === undefined) {
    const what = NEEDED[from] ?? 'the file, folder or .zip to read';
    throw new MnemeError('usage', `import ${from} needs a path.`, { hint: `Name ${what}.` });
  }
  const folders = places === undefined ? [] : existingFolders(format, places);
  if (folders.length > 0) return folders;
  throw new MnemeError('not-found', `There are no ${format.describes} on this machine.`, {
    hint: `If they are elsewhere, name the folder: \`mneme import ${from} FOLDER\`.`,
  });
}
