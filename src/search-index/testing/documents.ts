import type { IndexedDocument, Passage } from '../passage.ts';
import type { IndexChange, IndexView, LexicalQuery, SearchFilter, SearchIndex, StoredPassage } from '../port.ts';
import { extractQueryTerms } from '../text/terms.ts';

export const EVERYTHING: SearchFilter = { scopes: ['shared'] };

export function put(...documents: IndexedDocument[]): IndexChange {
  return { put: documents, remove: [] };
}

/** A passage with everything that does not matter to a test filled in. */
export function makePassage(parts: Partial<Passage> & { readonly text: string }): Passage {
  return {
    id: parts.text.slice(0, 12),
    lead: '',
    day: '',
    startLine: 1,
    endLine: 1,
    type: 'note',
    timeMs: undefined,
    speaker: undefined,
    turn: undefined,
    session: undefined,
    source: 'conversation',
    trust: 'user',
    importance: undefined,
    confidence: undefined,
    tags: [],
    entities: [],
    ...parts,
  };
}

/** A passage as an index would give it back, alone in its document. */
export function makeStored(parts: Parameters<typeof makePassage>[0]): StoredPassage {
  const document = {
    source: 'raw',
    path: 'a.md',
    store: 'episodic',
    scope: 'shared',
    isArchived: false,
    title: 'A',
    session: undefined,
  } as const;
  return { ...makePassage(parts), number: 0, first: 0, count: 1, document };
}

type DocumentParts = Partial<Omit<IndexedDocument, 'passages'>> & { readonly path: string };

export function makeDocument(parts: DocumentParts, passages: readonly (Passage | string)[]): IndexedDocument {
  return {
    source: 'workspace',
    hash: 'h1',
    store: 'semantic',
    scope: 'shared',
    isArchived: false,
    title: parts.path,
    session: undefined,
    entity: undefined,
    ...parts,
    passages: passages.map((passage) => (typeof passage === 'string' ? makePassage({ text: passage }) : passage)),
  };
}

export const TYPICAL_SHAPES = [
  { size: 1, stride: 1 },
  { size: 3, stride: 1 },
  { size: 6, stride: 2 },
  { size: 12, stride: 6 },
] as const;

export function askFor(text: string, parts: Partial<LexicalQuery> = {}): LexicalQuery {
  const terms = extractQueryTerms(text).map((term) => ({ term, weight: 1 }));
  return { terms, shapes: [{ size: 1, stride: 1 }], limit: 100, ...parts };
}

/** The texts of the passages found, the best first, equal ones by the alphabet. */
export async function findTexts(view: IndexView, text: string): Promise<string[]> {
  const { passages, scores } = await view.findByTerms(askFor(text));
  const texts = await textsOf(view, [...passages]);
  return texts
    .map((found, index) => ({ found, score: scores[0]?.[index] ?? 0 }))
    .sort((left, right) => right.score - left.score || (left.found < right.found ? -1 : 1))
    .map(({ found }) => found);
}

export async function textsOf(view: IndexView, passages: readonly number[]): Promise<string[]> {
  return (await view.read(passages)).map(({ text }) => text);
}

export interface KeyedHit {
  /** Where the passage is: source, path and how many stand before it in its document. */
  readonly key: string;
  readonly scores: readonly number[];
}

/** Hits with a name that does not depend on how the index numbers its passages. */
export async function findKeyedHits(view: IndexView, query: LexicalQuery): Promise<KeyedHit[]> {
  const { passages, scores } = await view.findByTerms(query);
  const stored = await view.read([...passages]);
  return stored
    .map(({ document, number, first }, index) => ({
      key: `${document.source} ${document.path} ${number - first}`,
      scores: scores.map((shape) => shape[index] ?? 0),
    }))
    .sort((left, right) => (left.key < right.key ? -1 : 1));
}

export const axis = (dimension: number, length = 1): Float32Array => {
  const vector = new Float32Array(16);
  vector[dimension] = length;
  return vector;
};

export async function embed(
  index: SearchIndex,
  model: string,
  vectorOf: (text: string) => Float32Array,
): Promise<string[]> {
  const missing = await index.listMissingVectors(model, 1000);
  const vectors = missing.map(({ passage, text }) => ({ passage, vector: vectorOf(text) }));
  await index.putVectors(model, 16, vectors);
  return missing.map(({ text }) => text);
}
