import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, must } from '../../model/errors.ts';
import type { LogPlaces } from '../../platform/environment.ts';
import { chatgpt } from './conversations/chatgpt.ts';
import { importClaude } from './conversations/import-claude.ts';
import { importConversations } from './conversations/import-conversations.ts';
import { importMarkdown, importNotes, MARKDOWN, type DocumentKind } from './import-markdown.ts';
import { ImportRun } from './import-run.ts';
import { importKnowledge, importVaultKnowledge } from './knowledge/import-knowledge.ts';
import { kindOfSource, readLines } from './lines.ts';
import { importMnemeExport } from './mneme/import-mneme.ts';
import type { LogFile, LogFormat } from './port.ts';
import { isUnchanged, readLog } from './read-log.ts';
import type { ImportControls, ImportFrom, ImportHome, ImportRequest, ImportResult } from './request.ts';
import { existingFolders, LOG_FORMATS } from './survey.ts';
import {
  isMarkdown,
  linesOf,
  readMarkdownTranscript,
  TranscriptLines,
  type TranscriptSource,
} from './transcript-file.ts';

type Importer = (run: ImportRun, paths: readonly string[]) => Promise<void>;

const PDF: DocumentKind = {
  kind: 'pdf',
  describes: 'PDF files',
  names: /\.pdf$/iu,
  isForeign: true,
  convert: async (bytes) => (await import('./pages/read-page.ts')).readPdf(bytes),
};

const HTML: DocumentKind = {
  kind: 'html',
  describes: 'web pages (.html)',
  names: /\.(?:html?|xhtml)$/iu,
  isForeign: true,
  convert: async (bytes) => (await import('./pages/read-page.ts')).readHtml(bytes),
};

/** Everything but the logs that programs keep on this machine. */
const IMPORTERS: Readonly<Record<ImportFrom, Importer>> = {
  'claude-code': importProgramLogs,
  codex: importProgramLogs,
  gemini: importProgramLogs,
  openclaw: importProgramLogs,
  opencode: importProgramLogs,
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
    await IMPORTERS[request.from](run, paths);
    await run.writer.flush();
  } finally {
    run.writer.close();
  }
  return { ...run.result(paths), tookMs: home.clock.now() - startedMs };
}

async function importProgramLogs(run: ImportRun, paths: readonly string[]): Promise<void> {
  const { from } = run.request;
  const format = must(
    LOG_FORMATS.find(({ name }) => name === from),
    `the log format of ${from}`,
  );
  await importLogs(run, format, paths);
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

/** Imports a program's session logs. */
async function importLogs(run: ImportRun, format: LogFormat, paths: readonly string[]): Promise<void> {
  const files = paths.flatMap((root) => format.list(root, run.tally));
  // Oldest first, so that of a session and its copies the original comes first.
  files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
  run.expect(files);
  for (const file of files) {
    if (run.isAborted) return;
    await importLog(run, format, file);
    run.finishFile(file.size);
  }
  await run.writer.flush();
  await importOvertaken(run, format, files);
}

/** Sessions that another process imported at the same time are read again: it may not have had all of them. */
async function importOvertaken(run: ImportRun, format: LogFormat, files: readonly LogFile[]): Promise<void> {
  while (run.writer.overtaken.size > 0 && !run.isAborted) {
    const again = files.filter(({ id }) => run.writer.overtaken.has(`${format.name}:${id}`));
    run.writer.startOver();
    for (const file of again) await importLog(run, format, file);
    await run.writer.flush();
  }
}

async function importLog(run: ImportRun, format: LogFormat, file: LogFile): Promise<void> {
  const { sinceMs } = run.request;
  const before = run.writer.stateOf(`${format.name}:${file.id}`);
  if (isUnchanged(file, before?.position)) {
    run.tally.add('session', 'already imported');
    return;
  }
  if (sinceMs !== undefined && file.mtimeMs < sinceMs) {
    run.tally.add('session', 'older than asked for');
    return;
  }
  const pieces = readLog(file, {
    format,
    clock: run.clock,
    tally: run.tally,
    isKnown: run.writer.isKnown,
    signal: run.controls.signal,
    before,
  });
  for await (const piece of pieces) await run.take(piece);
}

/** Imports conversations somebody wrote down or exported: a Markdown transcript, or JSON lines. */
async function importTranscript(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const source of paths) {
    const take = source === '-' ? await openInput(run) : openFile(run, source);
    do {
      run.writer.startOver();
      await take();
      await run.writer.flush();
    } while (run.writer.overtaken.size > 0 && !run.isAborted);
  }
}

async function openInput(run: ImportRun): Promise<() => Promise<void>> {
  const text = (await run.controls.readInput?.()) ?? '';
  if (text.trim() === '') throw new MnemeError('usage', 'The input is empty.', { hint: 'Pipe a transcript into it.' });
  const size = Buffer.byteLength(text);
  run.expect([{ size }]);
  return async () => {
    if (isMarkdown(text)) await takeMarkdown(run, text, 'input');
    else await takeLines(run, { name: 'input', lines: linesOf(text) });
    run.finishFile(size);
  };
}

function openFile(run: ImportRun, source: string): () => Promise<void> {
  if (kindOfSource(source) === 'folder') {
    throw new MnemeError('usage', `${source} is a folder.`, { hint: 'Name a transcript file in it.' });
  }
  const { size } = fs.statSync(source);
  run.expect([{ size }]);
  const name = path.basename(source);
  return async () => {
    if (isMarkdown(readStart(source))) await takeMarkdown(run, fs.readFileSync(source, 'utf8'), name);
    else await takeLines(run, { name: name.replace(/\.\w+$/u, ''), lines: readLines(source) });
    run.finishFile(size);
  };
}

async function takeMarkdown(run: ImportRun, text: string, name: string): Promise<void> {
  await run.take(readMarkdownTranscript(text, name, run.clock.zone, run.writer.isKnown));
}

async function takeLines(run: ImportRun, source: TranscriptSource): Promise<void> {
  const reader = new TranscriptLines(run.clock, run.tally, run.writer.isKnown);
  for await (const piece of reader.read(source)) {
    if (run.isAborted) return;
    await run.take(piece);
  }
}

/** The first bytes of a file tell which of the two formats it is. */
function readStart(file: string): string {
  const buffer = Buffer.alloc(512);
  const descriptor = fs.openSync(file, 'r');
  try {
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, 0)).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}
