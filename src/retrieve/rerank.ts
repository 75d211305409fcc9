import { errorMessage } from '../model/errors.ts';
import type { Reasoner } from '../reasoner/port.ts';
import type { Ranked } from './rank.ts';
import { renderPassages } from './hit.ts';

/** Looks at the best hits again, more closely than an index can: a language model, or a cross-encoder. */
export interface Reranker {
  readonly name: string;
  /** The relevance of each text, from 0 to 1, aligned with `texts`. */
  score(question: string, texts: readonly string[]): Promise<readonly number[]>;
}

/** Reading more than these again costs more than it finds. */
const RERANKED = 20;

/** Reorders the best; when the second look fails, the first stands and a note says so. */
export async function rerank(
  question: string,
  ranked: readonly Ranked[],
  reranker: Reranker | undefined,
): Promise<{ readonly ranked: readonly Ranked[]; readonly notes: readonly string[] }> {
  if (reranker === undefined || ranked.length === 0) return { ranked, notes: [] };
  const top = ranked.slice(0, RERANKED);
  try {
    const scores = await reranker.score(
      question,
      top.map(({ passage }) => renderPassages([passage])),
    );
    const isUsable = scores.length === top.length && scores.every((score) => score >= 0 && score <= 1);
    if (!isUsable) throw new Error(`it gave ${scores.length} scores for ${top.length} texts, or some outside 0 to 1`);
    const order = [...top.keys()].sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || left - right);
    const reordered = order.flatMap((from, place): Ranked[] => {
      const item = top[from];
      if (item === undefined) return [];
      const reasons = [...item.reasons, `${reranker.name} ${(scores[from] ?? 0).toFixed(2)}`];
      // The scores stay those of the first look, in their order, so that hits remain comparable with the rest.
      return [{ ...item, score: top[place]?.score ?? item.score, reasons }];
    });
    return { ranked: [...reordered, ...ranked.slice(RERANKED)], notes: [] };
  } catch (error) {
    return { ranked, notes: [`${reranker.name} could not look at the hits again: ${errorMessage(error)}`] };
  }
}

/** A language model that orders the best hits: one call a question, counted and capped like every other. */
export function createModelReranker(reasoner: () => Promise<Reasoner>): Reranker {
  return {
    name: 'the language model',
    async score(question, texts) {
      const { output, notes } = await (await reasoner()).ask('rerank', { question, texts });
      // Without a model the first order stands, and the reason is said.
      if (notes[0] !== undefined) throw new Error(notes[0]);
      return output;
    },
  };
}
