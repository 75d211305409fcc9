import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';
import type { Hit } from '../../retrieve/hit.ts';
import { defineOperation } from '../operation.ts';

const input = z.object({
  query: z.string().trim().min(1).max(10_000).describe('What is looked for.'),
  limit: z.number().int().min(1).max(100).default(10).describe('Most hits.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type ArchiveSearchInput = z.input<typeof input>;

export interface ArchiveSearchResult {
  readonly hits: readonly Hit[];
  readonly mode: string;
  readonly notes: readonly string[];
}

/** Hits beyond the archive are left out afterwards; so many are asked for that enough remain. */
const SPARE = 30;

export const archiveSearch = defineOperation({
  name: 'archive search',
  summary: 'Find something in the archive by its words or its meaning.',
  input,
  effect: 'read',
  async run(context, { query, limit, scope }): Promise<ArchiveSearchResult> {
    const { index } = await context.homeIndex.prepare();
    const isArchived = ({ path }: { readonly path: string }): boolean => /(?:^|\/)memory\/archive\//u.test(path);
    const request = {
      text: query,
      filter: { scopes: scope === 'shared' ? ['shared'] : ['shared', scope], withArchived: true },
      limit: limit * SPARE,
      tokens: undefined,
    };
    // Asking as of now is not noted down: nothing that was put away becomes fresh by being looked at.
    const at = index === undefined ? undefined : { index, nowMs: context.clock.now() };
    const { hits, mode, notes } = await context.search.ask({ ...request, at });
    return { hits: hits.filter(isArchived).slice(0, limit), mode, notes };
  },
});
