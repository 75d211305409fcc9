import { z } from 'zod';
import { roleOf } from '../../model/mutation.ts';
import { lowestTrust, TRUST_LEVELS } from '../../model/provenance.ts';
import type { Proposed } from '../../proposals/request.ts';
import { defineOperation } from '../operation.ts';
import { assertMayTouch } from '../visible-to.ts';
import { toWorkspacePath } from '../workspace-files.ts';

export const addProposal = defineOperation({
  name: 'proposals add',
  summary: 'Propose a new content for a file, or to delete it.',
  input: z.strictObject({
    path: z.string().min(1).max(1000),
    after: z.string().nullable().describe('The whole new text; null to delete the file.'),
    title: z.string().trim().min(1).max(200).describe('What it is about.'),
    why: z.string().max(4000).default(''),
    evidence: z.array(z.string().max(400)).max(50).default([]),
    kind: z
      .string()
      .regex(/^[a-z][a-z-]{0,30}$/u, 'is one word in small letters')
      .default('memory'),
    confidence: z.enum(['high', 'medium', 'low']).optional(),
    trust: z.enum(TRUST_LEVELS).optional().describe('Where it comes from; never more than whoever asks.'),
  }),
  effect: 'propose',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, { path, after, trust, ...request }): Promise<Proposed> {
    const { actor } = context;
    const file = toWorkspacePath(context, path);
    assertMayTouch(context, file);
    // An agent's word is an agent's, whatever it says about itself.
    const own = roleOf(actor) === 'human' ? 'user' : 'agent';
    return context.proposals.propose({
      ...request,
      actor,
      trust: lowestTrust([own, trust ?? own]),
      changes: [{ path: file, after: after ?? undefined }],
    });
  },
});
