/** `mneme-1f9a03c2-20260216T040000Z.tar.gz`: which home, and when, in UTC; a number where two fell into one second. */
const ARCHIVE_NAME = /^mneme-([0-9a-f]{8})-(\d{8}T\d{6}Z)(?:-(\d+))?\.tar\.gz$/u;

export interface ArchiveName {
  readonly homeId: string;
  readonly time: string;
  readonly number: number;
}

/** What the name of a backup says; undefined for other files. */
export function parseArchiveName(name: string): ArchiveName | undefined {
  const [, homeId, time, number] = ARCHIVE_NAME.exec(name) ?? [];
  if (homeId === undefined || time === undefined) return undefined;
  return { homeId, time, number: Number(number ?? 1) };
}

export function serializeArchiveName({ homeId, time, number }: ArchiveName): string {
  return `mneme-${homeId}-${time}${number === 1 ? '' : `-${number}`}.tar.gz`;
}

/** A backup in the making; one that was left behind by a crash is of no use to anybody. */
export const PARTIAL_SUFFIX = '.partial';
