import path from 'node:path';
import type { Random } from '../../platform/random.ts';
import { nodeFileSystem } from '../../platform/fs.ts';

/**
 * Names a home in its backups, also after it was moved or restored elsewhere: several homes may share a folder of
 * backups, and none may thin out or rewrite those of another.
 */
export async function homeIdOf(journal: string, random: Random): Promise<string> {
  const file = path.join(journal, 'home-id');
  const known = readId(file);
  if (known !== undefined) return known;
  nodeFileSystem.makeDirectory(journal);
  const id = Buffer.from(random.bytes(4)).toString('hex');
  const temporary = `${file}.${id}.tmp`;
  nodeFileSystem.write(temporary, Buffer.from(`${id}\n`));
  // Linked instead of renamed: of two processes that do this at once, one wins for both.
  if (!nodeFileSystem.link(temporary, file) && readId(file) === undefined) {
    await nodeFileSystem.rename(temporary, file);
  }
  nodeFileSystem.remove(temporary);
  return readId(file) ?? id;
}

/** Undefined before the first backup. */
export function findHomeId(journal: string): string | undefined {
  return readId(path.join(journal, 'home-id'));
}

function readId(file: string): string | undefined {
  const text = nodeFileSystem.read(file)?.toString('utf8').trim();
  return text !== undefined && /^[0-9a-f]{8}$/u.test(text) ? text : undefined;
}
