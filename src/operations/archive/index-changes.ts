import { indexPathOf, serializeArchiveIndex, type IndexedArchive } from '../../memory/archive/archive-index.ts';
import type { ArchivedFile } from '../../memory/archive/list-archive.ts';
import type { Change } from '../../workspace/door/request.ts';

/** The tables of contents as they should be; `touched` are files whose table has to be written even when it is empty. */
export function indexChanges(files: readonly ArchivedFile[], touched: readonly { readonly path: string }[]): Change[] {
  const tables = new Map<string, Map<string, IndexedArchive>>();
  for (const { path } of touched) tables.set(indexPathOf(path), new Map());
  for (const { path, ...entry } of files) {
    const table = indexPathOf(path);
    const entries = tables.get(table) ?? new Map<string, IndexedArchive>();
    entries.set(path, entry);
    tables.set(table, entries);
  }
  return [...tables].map(([path, entries]) => ({ path, edit: () => serializeArchiveIndex(entries) }));
}
