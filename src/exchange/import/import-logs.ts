import type { ImportRun } from './import-run.ts';
import type { LogFile, LogFormat } from './port.ts';
import { isUnchanged, readLog } from './read-log.ts';

/** Imports a program's session logs. */
export async function importLogs(run: ImportRun, format: LogFormat, paths: readonly string[]): Promise<void> {
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
