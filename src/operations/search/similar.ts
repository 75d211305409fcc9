import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { SimilarResult } from '../../retrieve/search.ts';
import { defineOperation } from '../operation.ts';
import { filterShape, toFilter } from './filter.ts';

// Strict: a misspelt filter would otherwise be no filter.
const input = z.strictObject({
  id: z.string().trim().min(1).describe('The id of an item, a turn (SESSION#t12) or a file.'),
  limit: z.number().int().min(1).max(100).default(10),
  ...filterShape,
});

export type SimilarInput = z.input<typeof input>;

export const similar = defineOperation({
  name: 'similar',
  summary: 'What is like an item, a turn or a file.',
  input,
  effect: 'read',
  async run(context, given): Promise<SimilarResult> {
    const filter = toFilter(context, given);
    const found = await context.search.askSimilar(given.id, { filter, limit: given.limit });
    if (found !== undefined) return found;
    throw new MnemeError('not-found', `There is nothing with the id ${given.id}.`, {
      hint: 'Ids stand in the hits of `mneme recall --json`; a file is named by its path.',
    });
  },
});
