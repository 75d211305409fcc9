import { nodeFileSystem } from '../platform/fs.ts';
import type { LogPlaces } from '../platform/environment.ts';
import { ImportLedger } from '../exchange/import/ledger.ts';
import { isUnchanged } from '../exchange/import/read-log.ts';
import { existingFolders, LOG_FORMATS, type FoundLogs } from '../exchange/import/survey.ts';
import { Tally } from '../exchange/import/port.ts';
import type { HomePaths } from '../workspace/home-paths.ts';

/** Logs on this disk that an import would read: new ones, and those that have grown since the last. */
export function findPendingLogs({ journal }: Pick<HomePaths, 'journal'>, places: LogPlaces): FoundLogs[] {
  const ledger = new ImportLedger(journal, nodeFileSystem, () => false);
  return LOG_FORMATS.flatMap((format) => {
    const folders = existingFolders(format, places);
    const files = folders
      .flatMap((folder) => format.list(folder, new Tally()))
      .filter((file) => !isUnchanged(file, ledger.session(`${format.name}:${file.id}`)?.position));
    if (files.length === 0) return [];
    const times = files.map(({ mtimeMs }) => mtimeMs);
    return {
      from: format.name,
      folders,
      sessions: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      newestMs: times.reduce((newest, time) => Math.max(newest, time), 0),
      oldestMs: times.reduce((oldest, time) => Math.min(oldest, time), Infinity),
    };
  });
}
