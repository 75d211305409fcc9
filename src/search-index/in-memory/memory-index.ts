import { MnemeError, must } from '../../model/errors.ts';
import { PostingBuilder } from '../lexical/builder.ts';
import { LexicalSearch } from '../lexical/search.ts';
import type { DocumentOrder } from '../lexical/select.ts';
import type { IndexedDocument, IndexedEntity, Passage } from '../passage.ts';
import type {
  DocumentState,
  IndexChange,
  IndexStatus,
  IndexView,
  MissingVector,
  SearchFilter,
  SearchIndex,
} from '../port.ts';
import { Corpus } from '../resident/corpus.ts';
import { embeddedKey, keyText } from '../resident/labels.ts';
import { type DocumentAttributes, PassageFacts, importancesOf, latestFirst, timesOf } from '../resident/filter.ts';
import { VECTORS_PER_PAGE, VectorMatrix } from '../vectors/matrix.ts';
import { dequantize, quantize } from '../vectors/quantize.ts';
import { MemoryView } from './memory-view.ts';
import { compareTexts } from '../../model/text.ts';

interface VectorPage {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
}

/** The vectors of one model, by passage and by what was embedded, so that a text that moves keeps its vector. */
class MemoryVectors {
  readonly dimensions: number;
  readonly matrix: VectorMatrix;
  readonly #pages = new Map<number, VectorPage>();
  readonly #changedPages = new Set<number>();
  readonly #known = new Set<number>();
  readonly #byKey = new Map<string, { readonly codes: Int8Array; readonly scale: number }>();

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.matrix = new VectorMatrix(dimensions);
  }

  has(passage: number): boolean {
    return this.#known.has(passage);
  }

  put(key: string, vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new MnemeError('failure', `A vector has ${vector.length} dimensions instead of ${this.dimensions}.`);
    }
    this.#byKey.set(key, quantize(vector));
  }

  find(key: string): Float32Array | undefined {
    const vector = this.#byKey.get(key);
    return vector && dequantize(vector);
  }

  /** Gives a passage the vector kept for its key, if there is one. */
  assign(passage: number, key: string): void {
    const vector = this.#byKey.get(key);
    if (vector === undefined) return;
    const number = Math.floor(passage / VECTORS_PER_PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = {
        codes: new Uint8Array(VECTORS_PER_PAGE * this.dimensions),
        scales: new Float32Array(VECTORS_PER_PAGE),
      };
      this.#pages.set(number, page);
    }
    const row = passage % VECTORS_PER_PAGE;
    page.codes.set(new Uint8Array(vector.codes.buffer), row * this.dimensions);
    page.scales[row] = vector.scale;
    this.#known.add(passage);
    this.#changedPages.add(number);
  }

  forget(passage: number): void {
    this.#known.delete(passage);
  }

  get count(): number {
    return this.#known.size;
  }

  /** The matrix as it is now. */
  load(): VectorMatrix {
    for (const number of this.#changedPages) {
      const page = this.#pages.get(number);
      if (page !== undefined) this.matrix.setPage(number, page.codes, page.scales);
    }
    this.#changedPages.clear();
    return this.matrix;
  }
}

export interface MemoryDocument {
  readonly number: number;
  readonly first: number;
  readonly document: IndexedDocument;
}

/** Everything a view of the index reads. */
export interface MemoryState {
  readonly corpus: Corpus;
  readonly facts: PassageFacts;
  readonly attributes: DocumentAttributes[];
  readonly postings: PostingBuilder;
  readonly search: LexicalSearch;
  readonly byKey: Map<string, MemoryDocument>;
  readonly byNumber: Map<number, MemoryDocument>;
  readonly vectors: Map<string, MemoryVectors>;
  readonly order: DocumentOrder;
}

function emptyState(): MemoryState {
  const byNumber = new Map<number, MemoryDocument>();
  const keyOf = (number: number): string => keyText(must(byNumber.get(number), 'a document in memory').document);
  return {
    corpus: new Corpus(),
    facts: new PassageFacts(),
    attributes: [],
    postings: new PostingBuilder(),
    search: new LexicalSearch(),
    byKey: new Map(),
    byNumber,
    vectors: new Map(),
    order: (left, right) => compareTexts(keyOf(left), keyOf(right)),
  };
}

/** An index that lives as long as its process: for a past state of the files, and where there is no index to ask. */
export class MemoryIndex implements SearchIndex {
  readonly #notes = new Map<string, string>();
  #state = emptyState();
  #nextDocument = 1;
  #changes = 0;

  async version(): Promise<string> {
    return String(this.#changes);
  }

  async listDocuments(): Promise<readonly DocumentState[]> {
    return Array.from(this.#state.byKey.values(), ({ document: { source, path, hash } }) => ({ source, path, hash }));
  }

  async apply({ put, remove }: IndexChange): Promise<void> {
    this.#changes += 1;
    for (const key of remove) this.#remove(keyText(key));
    for (const document of put) this.#put(document);
  }

  async listMissingVectors(model: string, limit: number): Promise<readonly MissingVector[]> {
    const vectors = this.#state.vectors.get(model);
    const lacking = new Map<number, Passage>();
    for (const { first, document } of this.#state.byNumber.values()) {
      for (const [offset, passage] of document.passages.entries()) {
        if (vectors?.has(first + offset) !== true) lacking.set(first + offset, passage);
      }
    }
    const missing = new Map<string, MissingVector>();
    for (const passage of latestFirst([...lacking.keys()], this.#state.facts, limit)) {
      const found = must(lacking.get(passage), 'a passage without a vector');
      const { lead, day, text } = found;
      const key = keyOf(found);
      if (missing.size < limit && !missing.has(key)) missing.set(key, { passage, lead, day, text });
    }
    return Array.from(missing.values());
  }

  async putVectors(
    model: string,
    dimensions: number,
    vectors: readonly { readonly passage: number; readonly vector: Float32Array }[],
  ): Promise<void> {
    let known = this.#state.vectors.get(model);
    if (known?.dimensions !== dimensions) {
      known = new MemoryVectors(dimensions);
      this.#state.vectors.set(model, known);
    }
    const keys = new Set<string>();
    for (const { passage, vector } of vectors) {
      const found = this.#findPassage(passage);
      if (found === undefined) continue;
      const key = keyOf(found);
      known.put(key, vector);
      keys.add(key);
    }
    for (const document of this.#state.byKey.values()) this.#assignVectors(document, keys);
  }

  async readVectors(
    model: string,
    texts: readonly Pick<Passage, 'lead' | 'day' | 'text'>[],
  ): Promise<readonly (Float32Array | undefined)[]> {
    const vectors = this.#state.vectors.get(model);
    return texts.map((text) => vectors?.find(keyOf(text)));
  }

  async keepModels(models: readonly string[]): Promise<void> {
    for (const model of this.#state.vectors.keys()) if (!models.includes(model)) this.#state.vectors.delete(model);
  }

  async view(filter: SearchFilter): Promise<IndexView> {
    return new MemoryView(this.#state, filter);
  }

  async listSpeakers(): Promise<readonly string[]> {
    const speakers = new Set<string>();
    for (const { document } of this.#state.byKey.values()) {
      for (const { speaker } of document.passages) if (speaker !== undefined) speakers.add(speaker);
    }
    return Array.from(speakers).sort(compareTexts);
  }

  async listEntities(): Promise<readonly IndexedEntity[]> {
    return Array.from(this.#state.byKey.entries())
      .sort(([left], [right]) => compareTexts(left, right))
      .flatMap(([, { document }]) => (document.entity === undefined ? [] : [document.entity]));
  }

  async readNote(name: string): Promise<string | undefined> {
    return this.#notes.get(name);
  }

  async writeNote(name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.#notes.delete(name);
    else this.#notes.set(name, value);
  }

  async status(): Promise<IndexStatus> {
    return {
      documents: this.#state.byKey.size,
      passages: this.#state.corpus.passages,
      bytes: 0,
      models: Array.from(this.#state.vectors, ([model, { dimensions, count }]) => ({
        model,
        dimensions,
        vectors: count,
      })),
    };
  }

  async verify(): Promise<readonly string[]> {
    return [];
  }

  async optimize(): Promise<void> {
    // Nothing is written in pieces here that could be merged.
  }

  async clear(): Promise<void> {
    this.#state = emptyState();
    this.#notes.clear();
  }

  async close(): Promise<void> {
    await this.clear();
  }

  #put(document: IndexedDocument): void {
    const key = keyText(document);
    this.#remove(key);
    const { corpus, facts, postings, byKey, byNumber } = this.#state;
    const number = this.#nextDocument++;
    const known: MemoryDocument = { number, first: corpus.capacity, document };
    const lengths = postings.add(document.passages, known.first, document.session);
    corpus.addDocument(number, known.first, lengths, this.#attributeCode(document));
    facts.replace(known.first, timesOf(document.passages), importancesOf(document.passages));
    byKey.set(key, known);
    byNumber.set(number, known);
    this.#assignVectors(known);
  }

  #remove(key: string): void {
    const known = this.#state.byKey.get(key);
    if (known === undefined) return;
    const { first, document } = known;
    this.#state.corpus.removeDocument(first, document.passages.length);
    for (const vectors of this.#state.vectors.values()) {
      for (const offset of document.passages.keys()) vectors.forget(first + offset);
    }
    this.#state.byKey.delete(key);
    this.#state.byNumber.delete(known.number);
  }

  #attributeCode({ store, scope, isArchived }: IndexedDocument): number {
    const { attributes } = this.#state;
    const code = attributes.findIndex(
      (one) => one.store === store && one.scope === scope && one.isArchived === isArchived,
    );
    return code === -1 ? attributes.push({ store, scope, isArchived }) - 1 : code;
  }

  /** Gives the document's passages the vectors of their texts; with `keys`, only where these are the texts. */
  #assignVectors({ first, document }: MemoryDocument, keys?: ReadonlySet<string>): void {
    if (this.#state.vectors.size === 0) return;
    for (const [offset, passage] of document.passages.entries()) {
      const key = keyOf(passage);
      if (keys !== undefined && !keys.has(key)) continue;
      for (const vectors of this.#state.vectors.values()) vectors.assign(first + offset, key);
    }
  }

  #findPassage(passage: number): Passage | undefined {
    const known = this.#state.byNumber.get(this.#state.corpus.documents[passage] ?? 0);
    return known?.document.passages[passage - known.first];
  }
}

function keyOf(passage: Pick<Passage, 'lead' | 'day' | 'text'>): string {
  return embeddedKey(passage).toString('base64');
}
