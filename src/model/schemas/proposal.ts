import { z } from 'zod';
import { MUTATION_ID_PATTERN } from '../ids.ts';
import { STORES, TRUST_LEVELS } from '../provenance.ts';
import { confidence, flag, oneOf, text, textList, timestamp } from './fields.ts';

export const PROPOSAL_STATES = [
  'pending',
  'approved',
  'applied',
  'rejected',
  'withdrawn',
  'deferred',
  'stale',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

const mutationId = z
  .string({ error: 'must be a mutation id (26 characters)' })
  .regex(MUTATION_ID_PATTERN, 'must be a mutation id (26 characters)');

export const proposedFileSchema = z.looseObject({
  path: text,
  action: text.optional(),
  base_hash: text.optional().describe('Hash of the file the patch was made against.'),
});

/** One change that waits for a decision; its patches are fences in the body. */
export const proposalSchema = z.looseObject({
  type: z.literal('proposal', { error: 'must be proposal' }).optional(),
  id: mutationId,
  state: oneOf(PROPOSAL_STATES),
  kind: z
    .string({ error: 'must be a word, such as memory, merge or reflection' })
    .regex(/^[a-z][a-z-]*$/, 'must be a word, such as memory, merge or reflection'),
  title: text.optional(),
  base: mutationId.optional().describe('The workspace mutation the patches were made against.'),
  actor: text,
  trust: oneOf(TRUST_LEVELS),
  created: timestamp,
  decided: timestamp.optional(),
  decided_by: text.optional(),
  reason: text.optional(),
  applied_as: mutationId.optional(),
  files: z.array(z.union([text, proposedFileSchema]), { error: 'must be a list of paths' }).optional(),
  store: oneOf(STORES).optional(),
  entities: textList.optional(),
  confidence: confidence.optional(),
  core_worthy: flag.optional(),
  subject: text.optional(),
  attribute: text.optional(),
  value: text.optional(),
  contradicts: textList.optional().describe('Ids of what the memory holds and this denies.'),
  conflicts_with: textList.optional(),
  session: text.optional(),
  trigger: text.optional(),
  scope: text.optional(),
});
