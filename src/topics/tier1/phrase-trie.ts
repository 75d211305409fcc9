import { readWords, type TextWord } from '../text/words.ts';

/** A phrase that stood in a text. */
export interface PhraseMatch<Value> {
  readonly value: Value;
  /** Places of its first and last word among the text's words. */
  readonly first: number;
  readonly last: number;
}

interface Node<Value> {
  readonly next: Map<string, Node<Value>>;
  readonly values: Value[];
}

/** All phrases of all topics in one tree over word stems: a text is walked once, however many phrases there are. */
export class PhraseTrie<Value> {
  readonly #root: Node<Value> = { next: new Map(), values: [] };

  /** False for a phrase without a word in it. */
  add(phrase: string, value: Value): boolean {
    const words = readWords(phrase);
    if (words.length === 0) return false;
    let node = this.#root;
    for (const { stem } of words) {
      let next = node.next.get(stem);
      if (next === undefined) {
        next = { next: new Map(), values: [] };
        node.next.set(stem, next);
      }
      node = next;
    }
    node.values.push(value);
    return true;
  }

  /** Every phrase that stands in the words, wherever it begins. */
  find(words: readonly TextWord[]): PhraseMatch<Value>[] {
    const found: PhraseMatch<Value>[] = [];
    for (let first = 0; first < words.length; first += 1) {
      let node: Node<Value> | undefined = this.#root;
      for (let last = first; last < words.length && node !== undefined; last += 1) {
        node = node.next.get(words[last]?.stem ?? '');
        for (const value of node?.values ?? []) found.push({ value, first, last });
      }
    }
    return found;
  }
}
