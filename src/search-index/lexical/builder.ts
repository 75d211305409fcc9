import { searchedText, type Passage } from '../passage.ts';
import { grow } from '../resident/bitmap.ts';
import { labelTerm, type LabelKind } from '../resident/labels.ts';
import { splitWords, termsOfWord } from '../text/terms.ts';
import type { PostingBuffer } from './postings.ts';

/** Lengths are kept in two bytes; a longer passage is as long as this. */
const MAX_LENGTH = 0xffff;
const NONE = -1;

/**
 * Gathers the postings of documents that are being written. All of them stand in one row in the order they came, each
 * pointing to the one before it of the same term: a list for every term would cost more than everything else.
 */
export class PostingBuilder {
  readonly #termIds = new Map<string, number>();
  readonly #wordIds = new Map<string, readonly number[]>();
  readonly #labelIds = new Map<LabelKind, Map<string, number>>();
  /** By term: its latest posting. */
  readonly #latest: number[] = [];
  #passages = new Int32Array(1024);
  #values = new Int32Array(1024);
  #previous = new Int32Array(1024);
  #length = 0;

  /** Adds a document's passages, numbered from `first` on; returns how many terms each has. */
  add(passages: readonly Passage[], first: number, documentSession: string | undefined): Uint16Array {
    const lengths = new Uint16Array(passages.length);
    for (const [offset, passage] of passages.entries()) {
      lengths[offset] = Math.min(this.#addText(searchedText(passage), first + offset), MAX_LENGTH);
      this.#addLabels(passage, first + offset, first, documentSession);
    }
    return lengths;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get terms(): Iterable<string> {
    return this.#termIds.keys();
  }

  /** Adds a term's postings to the buffer, in the order they came. */
  read(term: string, into: PostingBuffer): void {
    const begin = into.length;
    let posting = this.#latest[this.#termIds.get(term) ?? NONE] ?? NONE;
    for (; posting !== NONE; posting = this.#previous[posting] ?? NONE) {
      into.push(this.#passages[posting] ?? 0, this.#values[posting] ?? 0);
    }
    into.passages.subarray(begin, into.length).reverse();
    into.values.subarray(begin, into.length).reverse();
  }

  #addText(text: string, passage: number): number {
    let length = 0;
    for (const word of splitWords(text)) {
      let ids = this.#wordIds.get(word);
      if (ids === undefined) {
        ids = termsOfWord(word).map((term) => this.#idOf(term));
        this.#wordIds.set(word, ids);
      }
      length += ids.length;
      for (const id of ids) {
        const latest = this.#latest[id] ?? NONE;
        if (latest !== NONE && this.#passages[latest] === passage) this.#increment(latest);
        else this.#append(id, latest, passage);
      }
    }
    return length;
  }

  #addLabels(passage: Passage, number: number, documentFirst: number, documentSession: string | undefined): void {
    const add = (kind: LabelKind, value: string): void => {
      const id = this.#labelIdOf(kind, value);
      const latest = this.#latest[id] ?? NONE;
      const start = this.#passages[latest] ?? NONE;
      // A label's run ends with its document, so that the whole of it is in use or not.
      const isContinued = latest !== NONE && start >= documentFirst && start + (this.#values[latest] ?? 0) === number;
      if (isContinued) this.#increment(latest);
      else this.#append(id, latest, number);
    };
    add('type', passage.type);
    add('source', passage.source);
    add('trust', passage.trust);
    if (passage.speaker !== undefined) add('speaker', passage.speaker);
    const session = passage.session ?? documentSession;
    if (session !== undefined) add('session', session);
    if (passage.tags.length > 0) for (const tag of new Set(passage.tags)) add('tag', tag);
    if (passage.entities.length > 0) for (const entity of new Set(passage.entities)) add('entity', entity);
  }

  #idOf(term: string): number {
    let id = this.#termIds.get(term);
    if (id === undefined) {
      id = this.#latest.push(NONE) - 1;
      this.#termIds.set(term, id);
    }
    return id;
  }

  #labelIdOf(kind: LabelKind, value: string): number {
    let ids = this.#labelIds.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.#labelIds.set(kind, ids);
    }
    let id = ids.get(value);
    if (id === undefined) {
      id = this.#idOf(labelTerm(kind, value));
      ids.set(value, id);
    }
    return id;
  }

  #increment(posting: number): void {
    this.#values[posting] = (this.#values[posting] ?? 0) + 1;
  }

  #append(id: number, latest: number, passage: number): void {
    if (this.#length === this.#passages.length) this.#grow();
    this.#passages[this.#length] = passage;
    this.#values[this.#length] = 1;
    this.#previous[this.#length] = latest;
    this.#latest[id] = this.#length;
    this.#length += 1;
  }

  #grow(): void {
    const size = this.#length * 2;
    this.#passages = grow(this.#passages, size);
    this.#values = grow(this.#values, size);
    this.#previous = grow(this.#previous, size);
  }
}
