import path from 'node:path';

/** Where a replaced file stays reachable: the name tells when, what its content was, and (below it) which file. */
export function holdPath(replaced: string, mutation: string, oid: string, relative: string): string {
  return path.join(replaced, `${mutation}-${oid}`, relative);
}

export const HOLD_FOLDER = /^([0-9A-Z]{26})-([0-9a-f]{40})$/;
