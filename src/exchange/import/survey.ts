import fs from 'node:fs';
import type { LogPlaces } from '../../platform/environment.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { ImportLedger } from './ledger.ts';
import { opencode } from './opencode.ts';
import { openclaw } from './openclaw.ts';
import { type LogFormat, Tally } from './port.ts';
import { isUnchanged } from './read-log.ts';

export const LOG_FORMATS: readonly LogFormat[] = [claudeCode, codex, gemini, openclaw, opencode];

/** Logs of one program that are on this disk. */
export interface FoundLogs {
  /** The name to give to `import`. */
  readonly from: string;
  readonly folders: readonly string[];
  readonly sessions: number;
  readonly bytes: number;
  /** When the last of them was written to, in UTC milliseconds. */
  readonly newestMs: number;
  readonly oldestMs: number;
}

/** Lists importable logs, without reading a single conversation. Programs without sessions are left out. */
export function findLogs(places: LogPlaces): FoundLogs[] {
  return LOG_FORMATS.flatMap((format) => {
    const folders = existingFolders(format, places);
    const files = folders.flatMap((folder) => format.list(folder, new Tally()));
    if (files.length === 0) return [];
    return {
      from: format.name,
      folders,
      sessions: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      newestMs: files.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), 0),
      oldestMs: files.reduce((oldest, { mtimeMs }) => Math.min(oldest, mtimeMs), Number.MAX_SAFE_INTEGER),
    };
  });
}

export function existingFolders(format: LogFormat, places: LogPlaces): string[] {
  return format.folders(places).filter((folder) => fs.existsSync(folder));
}

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
