import { compareTexts } from '../../model/text.ts';

/** A whole backup is one file, sealed or not; an incremental one is a list of parts, which it shares with the others of its home. */
export type ArchiveForm = 'whole' | 'sealed' | 'parts';

const ENDINGS: Readonly<Record<ArchiveForm, string>> = {
  whole: 'tar.gz',
  sealed: 'tar.gz.age',
  parts: 'parts.json',
};

/** `mneme-1f9a03c2-20260216T040000Z.tar.gz`: which home, and when, in UTC; a number where two fell into one second. */
const ARCHIVE_NAME = /^mneme-([0-9a-f]{8})-(\d{8}T\d{6}Z)(?:-(\d+))?\.(tar\.gz|tar\.gz\.age|parts\.json)$/u;
const PARTS_FOLDER = /^mneme-[0-9a-f]{8}\.parts$/u;

export interface ArchiveName {
  readonly homeId: string;
  readonly time: string;
  readonly number: number;
  readonly form: ArchiveForm;
}

/** Parses the name of a backup; undefined for other files. */
export function parseArchiveName(name: string): ArchiveName | undefined {
  const [, homeId, time, number, ending] = ARCHIVE_NAME.exec(name) ?? [];
  if (homeId === undefined || time === undefined) return undefined;
  return { homeId, time, number: Number(number ?? 1), form: formOf(ending ?? '') };
}

export function serializeArchiveName({ homeId, time, number, form }: ArchiveName): string {
  return `mneme-${homeId}-${time}${number === 1 ? '' : `-${number}`}.${ENDINGS[form]}`;
}

/** Tells the kind of a backup file by its name, also while it is being made and under any name a person gave it. */
export function formOf(name: string): ArchiveForm {
  const final = name.endsWith(PARTIAL_SUFFIX) ? name.slice(0, -PARTIAL_SUFFIX.length) : name;
  if (final.endsWith('.age')) return 'sealed';
  return final.endsWith('parts.json') ? 'parts' : 'whole';
}

/** Where the parts of a home's incremental backups are, beside them. */
export function partsFolderName(homeId: string): string {
  return `mneme-${homeId}.parts`;
}

/** Whether a file or folder is a backup or holds parts of some: no plain text, whatever is in it. */
export function isBackupName(name: string): boolean {
  return parseArchiveName(name) !== undefined || PARTS_FOLDER.test(name);
}

/** A backup in the making; one that was left behind by a crash is of no use to anybody. */
export const PARTIAL_SUFFIX = '.partial';

/** Returns the oldest backups of a home, by name, that must be deleted so that `keepCount` are left. */
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
