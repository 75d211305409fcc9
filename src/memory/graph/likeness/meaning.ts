import type { Embedder } from '../../../providers/embeddings/port.ts';
import { openStaticEmbedder } from '../../../providers/embeddings/static.ts';
import { dot } from '../../../providers/embeddings/vector.ts';

/**
 * What the scorer was fitted with: always the same table, whichever embedder a home uses, so that a verdict does not
 * depend on that. Read when two are first compared.
 */
let table: Embedder | undefined;

const MAX_CACHED_WORDS = 20_000;
const vectors = new Map<string, Float32Array>();

/** Words that have nothing to do with each other are this alike. */
const UNRELATED = 0.35;

/** How alike two texts mean, −1 to 1. */
export async function likenessOf(left: string, right: string): Promise<number> {
  table ??= openStaticEmbedder();
  const [one, other] = await table.embed([left, right], 'document');
  return one === undefined || other === undefined ? 0 : dot(one, other);
}

/** Words are compared one by one: each must have been looked up before. */
export async function lookUpWords(words: Iterable<string>): Promise<void> {
  table ??= openStaticEmbedder();
  if (vectors.size > MAX_CACHED_WORDS) vectors.clear();
  const unknown = [...new Set(words)].filter((word) => !vectors.has(word));
  const found = await table.embed(unknown, 'document');
  for (const [index, word] of unknown.entries()) {
    const vector = found[index];
    if (vector !== undefined) vectors.set(word, vector);
  }
}

/** How near a word comes to the nearest of the others, 0 to 1. */
export function nearestTo(word: string, others: Iterable<string>): number {
  const own = vectors.get(word);
  if (own === undefined) return 0;
  let best = 0;
  for (const other of others) {
    const vector = vectors.get(other);
    if (vector !== undefined) best = Math.max(best, dot(own, vector));
  }
  return Math.max(0, (best - UNRELATED) / (1 - UNRELATED));
}

/** What everybody says tells nobody from anybody; the square, because rank by rank words grow rare slowly. */
export function weightOf(word: string): number {
  table ??= openStaticEmbedder();
  return (table.rarity?.(word.toLowerCase()) ?? 1) ** 2;
}

/** Below it a text is in another language than English. */
const MIN_LANGUAGE_FIT = 0.5;

/** By what is written small: names are of all languages. */
export function isEnglish(text: string): boolean {
  table ??= openStaticEmbedder();
  const small = text.replaceAll(/\p{Lu}\S*/gu, '');
  return (table.languageFit?.(/\p{L}/u.test(small) ? small : text) ?? 1) >= MIN_LANGUAGE_FIT;
}
