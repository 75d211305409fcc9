import type { Config } from '../../model/config/schema.ts';
import type { ArchivedFile } from '../../memory/archive/list-archive.ts';
import { placeOf, type Layout } from '../../workspace/formats/layout.ts';
import { archivedAges } from './ages.ts';

const DAY_MS = 86_400_000;

/** What has lain in the archive long enough to be packed, or deleted where somebody said so. */
export interface ArchivePlan {
  readonly pack: readonly ArchivedFile[];
  readonly delete: readonly ArchivedFile[];
}

export function planArchiveUpkeep(
  files: readonly ArchivedFile[],
  nowMs: number,
  { retention, layout }: { readonly retention: Config['retention']; readonly layout: Layout },
): ArchivePlan {
  const aged = files.map((file) => ({
    file,
    days: (nowMs - Date.parse(file.at)) / DAY_MS,
    ages: archivedAges(placeOf(file.path, layout).store, retention),
  }));
  const isOver = ({ days, ages }: (typeof aged)[number]): boolean =>
    ages.deleteDays !== undefined && days > ages.deleteDays;
  return {
    // An unreadable date is younger than everything.
    pack: aged
      .filter((one) => !one.file.packed && one.days > one.ages.packDays && !isOver(one))
      .map(({ file }) => file),
    delete: aged.filter(isOver).map(({ file }) => file),
  };
}

const TRANSCRIPT = /^conversations\/(\d{4})\/(\d{2})\/(\d{2})\/[^/]+\.md$/u;

/** Transcripts old enough to be packed, oldest first; their path says their day. */
export function planTranscriptPacking(paths: readonly string[], nowMs: number, packDays: number): readonly string[] {
  return paths
    .filter((path) => {
      const [, year, month, day] = TRANSCRIPT.exec(path) ?? [];
      const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
      return nowMs - startMs > (packDays + 1) * DAY_MS;
    })
    .toSorted();
}
