import { hash } from 'node:crypto';
import path from 'node:path';
import type { FileSystem } from './fs.ts';

/** The file of a session in a folder of such; a name that is no file name goes by its hash. */
export function sessionFile(folder: string, session: string): string {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u.test(session);
  return path.join(folder, `${isName ? session : `by-hash-${hash('sha256', session).slice(0, 32)}`}.json`);
}

/** Removes the files written longest ago once there are `spare` more than `most`, so that not every write has to look. */
export function clearOldest(fs: FileSystem, folder: string, most: number, spare: number): void {
  const names = fs.list(folder);
  if (names.length <= most + spare) return;
  const dated = names.map((name) => {
    const file = path.join(folder, name);
    return { file, timeNs: fs.stamp(file)?.mtimeNs ?? 0n };
  });
  dated.sort((left, right) => Number(left.timeNs - right.timeNs));
  for (const { file } of dated.slice(0, dated.length - most)) fs.remove(file);
}
