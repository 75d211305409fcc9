import type { Config } from '../../model/config/schema.ts';
import type { ArchivedFile } from '../../memory/archive/list-archive.ts';
import { placeOf, type Layout } from '../../workspace/formats/layout.ts';
import { archivedAges } from './ages.ts';
import { DAY_MS } from '../../model/time.ts';

/** Files that have been archived long enough to be packed, or deleted where the settings say so. */
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

const TRANSCRIPT = /^conversations\/(\d{4})\/(\d{2})\/(\d{2})\/[^/]+\.md(\.gz)?$/u;

/** Transcripts old enough to be packed, oldest first; their path says their day. */
export function planTranscriptPacking(paths: readonly string[], nowMs: number, packDays: number): readonly string[] {
  return olderThan(paths, nowMs, packDays).filter((path) => path.endsWith('.md'));
}

export interface DeletionRules {
  readonly nowMs: number;
  readonly days: number;
  /** When each was announced, by its plain name. */
  readonly announced: ReadonlyMap<string, number>;
  /** Of which nothing was learned yet, by their plain names: they stay. */
  readonly unlearned: ReadonlySet<string>;
}

export interface DeletionPlan {
  /** Announced long enough ago: they go now. */
  readonly due: readonly string[];
  /** Over the age, and announced now or lately. */
  readonly waiting: readonly string[];
  /** Over the age, and kept because nobody has learned from them. */
  readonly spared: readonly string[];
}

/** Transcripts that are over the age somebody set, and whether they were announced long enough ago to go. */
export function planTranscriptDeletion(
  paths: readonly string[],
  { nowMs, days, announced, unlearned }: DeletionRules,
): DeletionPlan {
  const over = olderThan(paths, nowMs, days);
  const isSpared = (path: string): boolean => unlearned.has(path.replace(/\.gz$/u, ''));
  const going = over.filter((path) => !isSpared(path));
  const isDue = (path: string): boolean =>
    nowMs - (announced.get(path.replace(/\.gz$/u, '')) ?? nowMs) >= ANNOUNCED_DAYS * DAY_MS;
  return {
    due: going.filter(isDue),
    waiting: going.filter((path) => !isDue(path)),
    spared: over.filter(isSpared),
  };
}

/** Between the announcement of a deletion and the deletion. */
export const ANNOUNCED_DAYS = 7;

function olderThan(paths: readonly string[], nowMs: number, days: number): readonly string[] {
  return paths
    .filter((path) => {
      const [, year, month, day] = TRANSCRIPT.exec(path) ?? [];
      const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
      return nowMs - startMs > (days + 1) * DAY_MS;
    })
    .toSorted();
}
