import type { Detected, ImportProgress, ImportResult } from '../../../exchange/import/request.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { importOperation, runImport, type ImportInput } from '../../../operations/import.ts';
import { runOperation } from '../../../operations/operation.ts';
import { syncIndex, type IndexReport } from '../../../operations/search/index-operations.ts';
import { countOf, showBytes, showSeconds } from '../../../operations/command-line/amounts.ts';
import type { Cli } from '../cli.ts';
import type { ProgressLine } from '../progress.ts';
import { showIndexing } from './index-commands-progress.ts';

export interface Imported {
  readonly result: ImportResult;
  /** Undefined after a dry run. */
  readonly index: IndexReport | undefined;
}

/** How the programs are called by those who use them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  openclaw: 'OpenClaw',
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

export function programName(from: string): string {
  return PROGRAMS[from] ?? from;
}

interface ImportWork {
  readonly line: ProgressLine;
  readonly signal: AbortSignal;
}

/** Imports from one source, with progress. */
export async function importWithProgress(
  cli: Cli,
  context: OperationContext,
  input: ImportInput,
  { line, signal }: ImportWork,
): Promise<ImportResult> {
  const startedMs = performance.now();
  let { from } = input;
  const controls = {
    places: cli.environment.logPlaces,
    readInput: () => cli.io.readInput(),
    signal,
    onDetected: (detected: Detected): void => {
      ({ from } = detected);
    },
    onProgress: (progress: ImportProgress): void =>
      line.show(
        `importing ${programName(from ?? '')}  ${amounts(progress)} · ${showSeconds(performance.now() - startedMs)}`,
      ),
  };
  const operation = {
    ...importOperation,
    run: (...[opened, given]: Parameters<typeof importOperation.run>) => runImport(opened, given, controls),
  };
  return runOperation(operation, context, input);
}

/** Makes what was imported searchable, so that the next question need not wait. */
export function indexWithProgress(context: OperationContext, { line, signal }: ImportWork): Promise<IndexReport> {
  return syncIndex(context, {
    ...showIndexing(line),
    signal,
    vectors: context.worker === undefined ? 'all' : 'instant',
  });
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
