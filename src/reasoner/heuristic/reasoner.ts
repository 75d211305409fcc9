import { MnemeError } from '../../model/errors.ts';
import type { Answer, AskOptions, Purpose, Purposes, Reasoner } from '../port.ts';
import { compareStatements } from './compare/compare.ts';
import { extract } from './extract.ts';
import { isWanted } from './gate.ts';
import { route } from './route/route.ts';
import { slugOf } from './summary/slug.ts';
import { summarise } from './summary/summarise.ts';

const NAME = 'heuristic@1';

type Answerers = { readonly [P in Purpose]: (input: Purposes[P]['input']) => Promise<Purposes[P]['output']> };

const ANSWERERS: Answerers = {
  extract,
  flush: extract,
  route,
  summarise,
  resolve_contradiction: compareStatements,
  // Conclusions from relations are drawn by the ontology's rules; from free text only a model draws any.
  infer: async () => [],
  reflect: async ({ draft }) => draft,
  rewrite_core: async ({ candidates, removable }) => ({
    add: candidates.map(({ id }) => id),
    remove: removable.map(({ id }) => id),
  }),
  gate: async (input) => isWanted(input),
  slug: async ({ text }) => slugOf(text),
  // Who asks has put them in order already.
  rerank: async ({ texts }) => texts.map((_, at) => 1 - at / texts.length),
};

/** Judgement without a model: deterministic, local, always there. */
export function createHeuristicReasoner(): Reasoner {
  return {
    name: NAME,
    async ask<P extends Purpose>(
      purpose: P,
      input: Purposes[P]['input'],
      options?: AskOptions,
    ): Promise<Answer<Purposes[P]['output']>> {
      options?.signal?.throwIfAborted();
      const answer = ANSWERERS[purpose] as Answerers[P] | undefined;
      if (answer === undefined) throw new MnemeError('usage', `The heuristic reasoner knows no purpose "${purpose}".`);
      return { output: await answer(input), by: NAME, notes: [] };
    },
  };
}
