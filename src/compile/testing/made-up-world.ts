import { createHash } from 'node:crypto';
import { defaultConfig } from '../../model/config/schema.ts';
import { toHits } from '../../retrieve/hits.ts';
import { retrieve } from '../../retrieve/retriever.ts';
import type { SearchRequest, SearchResult } from '../../retrieve/search.ts';
import { createKnownNames, indexInMemory, retrievalSettings } from '../../retrieve/settings.ts';
import { chunkFile } from '../../search-index/chunk/chunk-file.ts';
import type { DocumentSource } from '../../search-index/passage.ts';
import type { SearchIndex } from '../../search-index/port.ts';
import { readRecord } from '../../memory/stores/registry/entity-record.ts';
import { NO_TOPICS, type TopicsForTurn } from '../../topics/port.ts';
import { HOME_LAYOUT, placeOf, scopeOfPath } from '../../workspace/formats/layout.ts';
import { parseProcedure } from '../../workspace/formats/procedure.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { World } from '../world.ts';
import { CHUNKING } from '../../search-index/chunk/draft.ts';

export interface MadeUpFiles {
  readonly workspace: Readonly<Record<string, string>>;
  /** Transcripts by path. */
  readonly raw?: Readonly<Record<string, string>> | undefined;
  readonly topics?: Partial<TopicsForTurn> | undefined;
  readonly notices?: World['listNotices'] | undefined;
}

export const MADE_UP_NOW_MS = Date.UTC(2026, 2, 10, 12);

/** A home that is nowhere: files in memory, indexed and searched by words. */
export async function makeWorld({ workspace, raw = {}, topics, notices }: MadeUpFiles): Promise<World> {
  const config = defaultConfig();
  const context = { layout: HOME_LAYOUT, chunking: CHUNKING, timeZone: 'UTC' };
  const chunk = (source: DocumentSource, files: Readonly<Record<string, string>>) =>
    Object.entries(files).flatMap(
      ([path, text]) =>
        chunkFile({ source, path, text, hash: createHash('sha1').update(text).digest('hex') }, context) ?? [],
    );
  const index = await indexInMemory([...chunk('workspace', workspace), ...chunk('raw', raw)]);
  const records = Object.entries(workspace)
    .filter(([path]) => placeOf(path, HOME_LAYOUT).kind === 'entity')
    .map(([path, text]) => readRecord(path, text));
  return {
    nowMs: MADE_UP_NOW_MS,
    index,
    search: { ask: (request) => askWords(index, request) },
    config,
    layout: HOME_LAYOUT,
    isPast: false,
    models: [],
    readFile: (path) => Promise.resolve(workspace[path]),
    listActiveEntities: () => Promise.resolve(records.filter(({ status }) => status === 'active')),
    listProcedures: () =>
      Object.entries(workspace)
        .filter(([path]) => placeOf(path, HOME_LAYOUT).kind === 'procedure')
        .map(([path, text]) => ({
          path,
          scope: scopeOfPath(path),
          procedure: parseProcedure(parseDocument(text), path),
          damage: undefined,
        })),
    topics: { activeTopics: () => Promise.resolve({ ...NO_TOPICS, ...topics }) },
    listNotices: notices ?? (() => Promise.resolve([])),
    notes: [],
  };
}

async function askWords(index: SearchIndex, request: SearchRequest): Promise<SearchResult> {
  const { text, filter, limit, tokens } = request;
  const answer = await retrieve(
    { text, filter, limit, tokens, nowMs: MADE_UP_NOW_MS },
    {
      index,
      models: [],
      settings: retrievalSettings('UTC'),
      names: async () => createKnownNames(await index.listSpeakers(), await index.listEntities()),
      uses: new Map(),
      freshnessOf: () => 1,
      isShortLived: false,
    },
  );
  return { hits: toHits(answer, 700), mode: 'lexical', answer, notes: [] };
}
