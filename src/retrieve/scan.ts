import { chunkFile } from '../search-index/chunk/chunk-file.ts';
import type { ChunkContext } from '../search-index/chunk/draft.ts';
import { MemoryIndex } from '../search-index/in-memory/memory-index.ts';
import type { IndexedDocument } from '../search-index/passage.ts';
import type { SearchIndex } from '../search-index/port.ts';
import type { HomeFiles } from '../search-index/sync/home-files.ts';
import { isIndexable } from '../search-index/sync/refresh.ts';

/** Reads every file into an index in memory: slow, but it needs nothing but the files. */
export async function scanFiles(files: HomeFiles, context: ChunkContext): Promise<SearchIndex> {
  const documents: IndexedDocument[] = [];
  for (const key of files.list((candidate) => isIndexable(candidate, context))) {
    const file = files.read(key);
    const document = file && chunkFile({ ...file, hash: file.oid }, context);
    if (document !== undefined) documents.push(document);
  }
  return indexInMemory(documents);
}

export async function indexInMemory(documents: readonly IndexedDocument[]): Promise<SearchIndex> {
  const index = new MemoryIndex();
  await index.apply({ put: documents, remove: [] });
  return index;
}
