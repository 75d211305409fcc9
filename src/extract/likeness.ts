import { dot } from '../providers/embeddings/port.ts';
import type { HomeIndex } from '../search-index/home-index.ts';
import { extractTerms } from '../search-index/text/terms.ts';

/** The similarity in meaning between a text and others, −1 to 1. */
export type Likeness = (text: string, others: readonly string[]) => Promise<readonly number[]>;

/** By the home's embedder; by shared words where there is none. */
export function likenessBy(home: Pick<HomeIndex, 'models'>): Likeness {
  return async (text, others) => {
    if (others.length === 0) return [];
    const [model] = await home.models();
    if (model === undefined) return others.map((other) => sharedWords(text, other));
    const [vector, ...vectors] = await model.embedder.embed([text, ...others], 'document');
    return vectors.map((other) => (vector === undefined ? 0 : dot(vector, other)));
  };
}

function sharedWords(left: string, right: string): number {
  const [a, b] = [new Set(extractTerms(left)), new Set(extractTerms(right))];
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
