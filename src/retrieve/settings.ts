import { chunkFile } from '../search-index/chunk/chunk-file.ts';
import type { ChunkContext } from '../search-index/chunk/draft.ts';
import { MemoryIndex } from '../search-index/in-memory/memory-index.ts';
import type { WindowShape } from '../search-index/lexical/windows.ts';
import type { IndexedDocument, IndexedEntity } from '../search-index/passage.ts';
import type { SearchIndex } from '../search-index/port.ts';
import type { HomeFiles } from '../search-index/sync/home-files.ts';
import { isIndexable } from '../search-index/sync/refresh.ts';
import type { RetrievalSettings } from './retriever.ts';
import { createAliasTable, createSpeakerTable, type AliasTable, type SpeakerTable } from './understand/names.ts';
import type { FoundEntity } from './understand/understanding.ts';

/** The weight of each kind of evidence. The defaults stand in the configuration; `bench:retrieval` measures each of them. */
export interface RetrievalWeights {
  /** BM25 over passages and over windows of neighbouring ones. */
  readonly windows: readonly (WindowShape & { readonly weight: number })[];
  /** A passage's own nearness in meaning, and the average over it and its neighbours. */
  readonly vectors: { readonly passage: number; readonly neighbourhood: number };
  /** The weight of meaning by a sentence model, as a multiple of that by an average of word vectors. */
  readonly sentenceModel: number;
  readonly factors: {
    readonly semantic: number;
    readonly lexical: number;
    readonly temporal: number;
    readonly importance: number;
    readonly access: number;
  };
  /** Added to the score of what matches in other ways than words and meaning. */
  readonly boosts: {
    /** Said by the one person the question names. */
    readonly speaker: number;
    /** Contains a phrase in quotation marks. */
    readonly phrase: number;
    /** About an entity the question names; half of it one relation away, a quarter two away. */
    readonly entity: number;
    /** A procedure, when the question asks how something is done. */
    readonly procedure: number;
  };
}

/** The settings that determine the order of an answer, in the words of retrieval. */
export interface Tuning extends Omit<RetrievalSettings, 'timeZone'> {
  /** Off: by words alone. */
  readonly hybrid: boolean;
}

/** Characters of a hit's snippet: a paragraph. The text of a hit is always whole. */
export const SNIPPET_CHARS = 700;

/**
 * Measured with `npm run bench:retrieval`, which takes each stage away in turn; docs/retrieval.md has the figures. None of it is
 * a setting: a change shows only over thousands of questions, and a home has no labelled ones to see it by.
 */
export const TUNING: Tuning = {
  hybrid: true,
  weights: {
    // Short steps for short runs: a window that begins one turn late misses a third of a three-turn answer.
    windows: [
      { size: 1, stride: 1, weight: 0.7 },
      { size: 3, stride: 1, weight: 0.7 },
      { size: 6, stride: 2, weight: 0.6 },
      { size: 12, stride: 6, weight: 0.3 },
    ],
    vectors: { passage: 1, neighbourhood: 0.6 },
    // A sentence model tells meanings apart better than the static table, so it counts half as much again.
    sentenceModel: 1.5,
    // Only their ratio counts. S2 gives words .2, which loses good answers.
    factors: { semantic: 0.31, lexical: 0.5, temporal: 0.09, importance: 0.05, access: 0.05 },
    boosts: { speaker: 0.18, phrase: 0.2, entity: 0.15, procedure: 0.1 },
  },
  // A normalised sum: measured better than reciprocal ranks.
  fusion: { method: 'weighted' },
  halfLifeDays: 7,
  // The most a fading memory sinks: .1 costs half a point of recall.
  decayInfluence: 0.03,
  diversity: 0.3,
  neighbourTurns: 1,
  expandQuery: true,
  // An entity two relations away is rarely what was asked for; a hub has hundreds of neighbours.
  graphDepth: 2,
  graphNeighbours: 50,
};

export function retrievalSettings(timeZone: string, tuning: Tuning = TUNING): RetrievalSettings {
  return { ...tuning, timeZone };
}

/** Everybody and everything a question may name. */
export interface KnownNames {
  readonly speakers: SpeakerTable;
  readonly aliases: AliasTable;
  /** Entities tied to an entity, in either direction. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
}

/** Roles, not people: a question that says "user" does not name anybody. */
const ROLES = new Set(['user', 'agent', 'assistant', 'system', 'tool']);

export function createKnownNames(speakers: readonly string[], entities: readonly IndexedEntity[]): KnownNames {
  const neighbours = new Map<string, string[]>();
  const tie = (from: string, to: string): void => {
    const known = neighbours.get(from);
    if (known === undefined) neighbours.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  };
  for (const { id, edges } of entities) {
    for (const { to } of edges) {
      tie(id, to);
      tie(to, id);
    }
  }
  return {
    speakers: createSpeakerTable(speakers.filter((name) => !ROLES.has(name.toLowerCase()))),
    aliases: createAliasTable(entities),
    neighbours,
  };
}

/** The distance of each entity from those the question names: entity → facts → one hop → two hops, capped. */
export function entityDistances(
  found: readonly FoundEntity[],
  { neighbours }: KnownNames,
  { graphDepth, graphNeighbours }: { readonly graphDepth: number; readonly graphNeighbours: number },
): Map<string, number> {
  const distances = new Map(found.map(({ id }) => [id, 0]));
  let frontier = found.map(({ id }) => id);
  for (let distance = 1; distance <= graphDepth; distance += 1) {
    const next: string[] = [];
    for (const id of frontier) {
      for (const neighbour of (neighbours.get(id) ?? []).slice(0, graphNeighbours)) {
        if (distances.has(neighbour)) continue;
        distances.set(neighbour, distance);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return distances;
}

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
