import { MnemeError } from '../../model/errors.ts';
import type { LogPlaces } from '../../platform/environment.ts';
import { importLogs } from './import-logs.ts';
import { importMarkdown, importNotes } from './import-markdown.ts';
import { ImportRun } from './import-run.ts';
import { importTranscript } from './import-transcript.ts';
import type { ImportControls, ImportHome, ImportRequest, ImportResult } from './request.ts';
import { existingFolders, LOG_FORMATS } from './survey.ts';

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
    if (request.from === 'markdown') await importMarkdown(run, paths);
    else if (request.from === 'transcript') await importTranscript(run, paths);
    else {
      const format = LOG_FORMATS.find(({ name }) => name === request.from);
      if (format !== undefined) await importLogs(run, format, paths);
      if (request.from === 'openclaw') await importNotes(run, paths);
    }
    await run.writer.flush();
  } finally {
    run.writer.close();
  }
  return { ...run.result(paths), tookMs: home.clock.now() - startedMs };
}

function sourcePaths({ from, path }: ImportRequest, places: LogPlaces | undefined): string[] {
  if (path !== undefined) return [path];
  const format = LOG_FORMATS.find(({ name }) => name === from);
  if (format === undefined) {
    const what = from === 'markdown' ? 'a folder of Markdown files' : 'a file, or - for the input';
    throw new MnemeError('usage', `import ${from} needs a path.`, { hint: `Name ${what}.` });
  }
  const folders = places === undefined ? [] : existingFolders(format, places);
  if (folders.length > 0) return folders;
  throw new MnemeError('not-found', `There are no ${format.describes} on this machine.`, {
    hint: `If they are elsewhere, name the folder: \`mneme import ${from} FOLDER\`.`,
  });
}
