import { parseArchiveName } from '../../workspace/erase/backup-archives.ts';
import { compareTexts } from '../../model/text.ts';

/** Which backups of a home go so that so many are left: the oldest, by what their names say. */
export function planRetention(names: readonly string[], homeId: string, keepCount: number): string[] {
  return sortArchives(names, homeId).slice(0, -keepCount);
}

/** The backups of a home among some file names, the oldest first. */
export function sortArchives(names: readonly string[], homeId: string): string[] {
  return names
    .flatMap((name) => {
      const parsed = parseArchiveName(name);
      return parsed?.homeId === homeId ? [{ name, parsed }] : [];
    })
    .sort((a, b) => compareTexts(a.parsed.time, b.parsed.time) || a.parsed.number - b.parsed.number)
    .map(({ name }) => name);
}
