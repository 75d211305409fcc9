import type { Reasoner } from '../reasoner/port.ts';
import type { Reranker } from './rerank.ts';

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
