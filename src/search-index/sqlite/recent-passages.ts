import type { StoredPassage } from '../port.ts';
import type { IndexState } from './index-database.ts';

/** About 20 MB with what is kept beside the texts; ten thousand turns of a conversation fit into it. */
const MAX_CHARACTERS = 4_000_000;

/**
 * Passages that were read since the last write. Questions come in numbers and find much the same; what is read again also
 * brings along the terms that were found in it.
 */
export class RecentPassages {
  readonly #maxCharacters: number;
  readonly #passages = new Map<number, StoredPassage>();
  #characters = 0;
  #epoch = '';
  #generation = -1;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** To be called in every transaction: whatever was written, a number may mean something else now. */
  refresh({ epoch, generation }: Pick<IndexState, 'epoch' | 'generation'>): void {
    if (epoch === this.#epoch && generation === this.#generation) return;
    this.clear();
    this.#epoch = epoch;
    this.#generation = generation;
  }

  find(number: number): StoredPassage | undefined {
    return this.#passages.get(number);
  }

  keep(passage: StoredPassage): void {
    this.#passages.set(passage.number, passage);
    this.#characters += passage.text.length;
    while (this.#characters > this.#maxCharacters) {
      const [oldest] = this.#passages.values();
      if (oldest === undefined) return;
      this.#passages.delete(oldest.number);
      this.#characters -= oldest.text.length;
    }
  }

  clear(): void {
    this.#passages.clear();
    this.#characters = 0;
  }
}
