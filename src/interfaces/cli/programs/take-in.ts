import type { ImportFrom, ImportResult } from '../../../exchange/import/request.ts';
import type { FoundLogs } from '../../../exchange/import/survey.ts';
import { isMnemeError } from '../../../model/errors.ts';
import { listKnown, type KnownThing } from '../../../operations/briefing/list-known.ts';
import type { Progress } from '../../../operations/command-line/style.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { importOperation } from '../../../operations/import.ts';
import { programName, showImporting } from '../../../operations/import-source.ts';
import { runOperation } from '../../../operations/operation.ts';
import { afterImport, indexSync, type IndexReport } from '../../../operations/search/index-operations.ts';
import { isFinished } from '../../../operations/search/render-index.ts';
import { elapsedMs } from '../../../platform/clock.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { terminalOf } from '../derive/call-verb.ts';
import { ProgressLine, progressOf, untilInterrupted } from '../progress.ts';
import { learnWithProgress, type LearnedNow } from './learn-now.ts';

/** About as long as a person watches; a long import still leaves time to learn something. */
const WATCHED_MS = 60_000;
const LEAST_LEARNING_MS = 20_000;

/** As many as fit on a screen. */
export const MAX_KNOWN = 10;

export interface TakenIn {
  readonly imported: readonly ImportResult[];
  readonly index: IndexReport;
  readonly learned: LearnedNow;
  /** The most useful things that are known now. */
  readonly knows: readonly KnownThing[];
  readonly isInterrupted: boolean;
}

/** Imports what was found, makes it searchable, and learns from as much of it as fits into about a minute. */
export async function takeIn(
  cli: Cli,
  options: GlobalOptions,
  context: OperationContext,
  found: readonly FoundLogs[],
): Promise<TakenIn> {
  const line = new ProgressLine(cli, options);
  const startedMs = elapsedMs();
  try {
    return await untilInterrupted(cli, async (signal) => {
      const progress = progressOf(cli, options, line, signal);
      const imported = await importAll(cli, context, found, { line, progress });
      const index = await runOperation(indexSync, context, {}, afterImport(context.worker !== undefined, progress));
      line.clear();
      const untilMs = Math.max(startedMs + WATCHED_MS, elapsedMs() + LEAST_LEARNING_MS);
      const learned = await learnWithProgress(cli, context, { line, signal, untilMs });
      // Nothing was written where all was learned before, and closing the home would start no worker.
      if (learned.leftTo === 'background') context.worker?.wake();
      const knows = await runOperation(listKnown, context, { limit: MAX_KNOWN });
      const isInterrupted = signal.aborted || imported.some(({ interrupted }) => interrupted) || !isFinished(index);
      return { imported, index, learned, knows, isInterrupted };
    });
  } finally {
    line.clear();
  }
}

async function importAll(
  cli: Cli,
  context: OperationContext,
  found: readonly FoundLogs[],
  { line, progress }: { readonly line: ProgressLine; readonly progress: Progress },
): Promise<ImportResult[]> {
  const imported: ImportResult[] = [];
  for (const { from } of found) {
    if (progress.signal.aborted) break;
    try {
      const controls = showImporting(progress, terminalOf(cli));
      imported.push(await runOperation(importOperation, context, { from: from as ImportFrom }, controls));
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      // Trouble with one program's logs must not keep the others out.
      line.clear();
      cli.warn(`${programName(from)} was not imported: ${error.message}`);
      cli.exitCode = EXIT_CODES.failure;
    }
  }
  return imported;
}

/** False, and said so, when it was stopped before its end. */
export function finish(cli: Cli, { isInterrupted }: TakenIn): boolean {
  if (isInterrupted) {
    cli.warn('Stopped before the end. What was imported and learned stays; `mneme --yes` goes on from there.');
    cli.exitCode = EXIT_CODES.failure;
  }
  return !isInterrupted;
}
