import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { SimilarResult } from '../../retrieve/search.ts';
import { defineVerb } from '../verb.ts';
import { filterOptions, filterShape, toFilter } from './filter.ts';

// Strict: a misspelt filter would otherwise be no filter.
const input = z.strictObject({
  id: z.string().trim().min(1).describe('The id of an item, a turn (SESSION#t12) or a file.'),
  limit: z.number().int().min(1).max(100).default(10).describe('Most hits.'),
  ...filterShape,
});

export type SimilarInput = z.input<typeof input>;

export const similar = defineVerb({
  name: 'similar',
  summary: 'Find what is like an item, a turn or a file.',
  description: 'Find what is like an item, a turn (SESSION#t12) or a file, by words and by meaning.',
  examples: ['mneme memory similar 7k2m9x0q4t1za'],
  input,
  args: ['id'],
  effect: 'read',
  async run(context, given): Promise<SimilarResult> {
    const filter = toFilter(context, given);
    const found = await context.search.askSimilar(given.id, { filter, limit: given.limit });
    if (found !== undefined) return found;
    throw new MnemeError('not-found', `There is nothing with the id ${given.id}.`, {
      hint: 'Ids stand in the hits of `mneme recall --json`; a file is named by its path.',
    });
  },
  cli: { path: 'memory similar', formerly: ['similar'], options: filterOptions },
  render: async (view, found) => (await import('./render-recall.ts')).renderSimilar(view, found),
});
