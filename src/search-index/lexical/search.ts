import type { LexicalHits, LexicalQuery, QueryTerm } from '../port.ts';
import type { Corpus } from '../resident/corpus.ts';
import { PostingBuffer, type PostingReader } from './postings.ts';
import { rarityOf, ScoringScratch, WindowScores } from './score.ts';
import { selectPassages, type DocumentOrder } from './select.ts';
import type { WindowShape } from './windows.ts';

/** A question longer than this is a text; what tells most among its words finds what the rest would find too. */
const MAX_SCORED_TERMS = 32;
/** Words of a pasted text that are looked up at all, to choose among. */
const MAX_READ_TERMS = 256;

/** The searched data: the passages in use, where their terms are, and which of them may be found. */
export interface LexicalIndex {
  readonly corpus: Corpus;
  readonly readPostings: PostingReader;
  readonly order: DocumentOrder;
  readonly allowed: Uint8Array;
}

/** BM25 over windows of neighbouring passages. Reading a term's postings once serves all shapes of window. */
export class LexicalSearch {
  readonly #scratch = new ScoringScratch();
  readonly #postings = new PostingBuffer();
  readonly #windowScores = new Map<string, WindowScores>();

  find(index: LexicalIndex, query: LexicalQuery): LexicalHits {
    const { corpus } = index;
    const shapes = query.shapes.map((shape) => this.#scoresOf(shape));
    const distinct = new Set(shapes);
    for (const scores of distinct) scores.begin(corpus.capacity);
    const rarities = new Float32Array(query.terms.length);
    if (query.terms.length <= MAX_SCORED_TERMS) {
      const said = new Set<string>();
      for (const [position, term] of query.terms.entries()) {
        if (said.has(term.insteadOf ?? '')) continue;
        const rarity = this.#read(index, term);
        if (rarity > 0) said.add(term.term);
        rarities[position] = rarity;
        this.#score(corpus, distinct, term);
      }
    } else {
      for (const position of this.#chooseTerms(index, query.terms, rarities)) {
        const term = query.terms[position];
        if (term === undefined) continue;
        this.#read(index, term);
        this.#score(corpus, distinct, term);
      }
    }
    const found = new Set<number>();
    for (const passage of query.also ?? []) if (corpus.isLive(passage)) found.add(passage);
    for (const scores of distinct) {
      for (const passage of selectPassages(corpus, scores, query.limit, index.allowed, index.order)) found.add(passage);
    }
    const passages = Int32Array.from(found).sort();
    return {
      passages,
      scores: shapes.map((scores) => scores.scoresOf(corpus, passages)),
      rarities,
    };
  }

  #scoresOf(shape: WindowShape): WindowScores {
    const key = `${shape.size}/${shape.stride}`;
    let scores = this.#windowScores.get(key);
    if (scores === undefined) {
      scores = new WindowScores(shape);
      this.#windowScores.set(key, scores);
    }
    return scores;
  }

  /** Leaves the term's postings in the buffer; returns its rarity among single passages. */
  #read(index: LexicalIndex, { term }: QueryTerm): number {
    this.#postings.clear();
    index.readPostings(term, this.#postings);
    this.#postings.dropDead(index.corpus);
    const holding = this.#postings.length;
    return holding === 0 ? 0 : rarityOf(index.corpus.passages, holding);
  }

  #score(corpus: Corpus, shapes: ReadonlySet<WindowScores>, { weight }: QueryTerm): void {
    if (this.#postings.length === 0) return;
    for (const shape of shapes) shape.add(corpus, this.#postings, weight, this.#scratch);
  }

  /** Positions of the terms that tell most, in the order of the query, which the sums must not depend on. */
  #chooseTerms(index: LexicalIndex, terms: readonly QueryTerm[], rarities: Float32Array): number[] {
    const gains: { readonly position: number; readonly gain: number }[] = [];
    const read = new Set<string>();
    const said = new Set<string>();
    for (const [position, term] of terms.entries()) {
      if (read.size === MAX_READ_TERMS) break;
      if (read.has(term.term) || said.has(term.insteadOf ?? '')) continue;
      read.add(term.term);
      const rarity = this.#read(index, term);
      if (rarity > 0) said.add(term.term);
      rarities[position] = rarity;
      gains.push({ position, gain: rarity * term.weight });
    }
    return gains
      .filter(({ gain }) => gain > 0)
      .sort((left, right) => right.gain - left.gain || left.position - right.position)
      .slice(0, MAX_SCORED_TERMS)
      .map(({ position }) => position)
      .sort((left, right) => left - right);
  }
}
