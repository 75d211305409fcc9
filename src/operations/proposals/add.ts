import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { lowestTrust, TRUST_LEVELS } from '../../model/provenance.ts';
import type { Proposed } from '../../proposals/request.ts';
import { defineVerb } from '../verb.ts';
import { assertMayTouch } from '../visible-to.ts';
import { settlePendingMemories } from './find.ts';
import { toWorkspacePath } from '../workspace-files.ts';

export const addProposal = defineVerb({
  name: 'proposals add',
  summary: 'Propose a new content for a file, or to delete it.',
  description:
    'Propose a new content for a file, or to delete it; sub-agents do this instead of writing (`--as subagent:NAME`).',
  examples: ['mneme proposals add memory/reference/house.md --title "The new meter" --content - < house.md'],
  input: z.strictObject({
    path: z.string().min(1).max(1000).describe('The file.'),
    after: z.string().nullable().describe('The whole new text; null to delete the file.'),
    title: z.string().trim().min(1).max(200).describe('What it is about.'),
    why: z.string().max(4000).default('').describe('Why it should change.'),
    evidence: z.array(z.string().max(400)).max(50).default([]).describe('What it rests on.'),
    kind: z
      .string()
      .regex(/^[a-z][a-z-]{0,30}$/u, 'is one word in small letters')
      .default('memory')
      .describe('memory, merge, refinement, archive …'),
    confidence: z.enum(['high', 'medium', 'low']).optional().describe('How sure you are.'),
    trust: z.enum(TRUST_LEVELS).optional().describe('Where it comes from; never more than whoever asks.'),
  }),
  args: ['path'],
  effect: 'propose',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, { path, after, trust, ...request }): Promise<Proposed> {
    const { actor } = context;
    const file = toWorkspacePath(context, path);
    assertMayTouch(context, file);
    // An agent's word is an agent's, whatever it says about itself.
    const own = roleOf(actor) === 'human' ? 'user' : 'agent';
    const proposed = await context.proposals.propose({
      ...request,
      actor,
      trust: lowestTrust([own, trust ?? own]),
      changes: [{ path: file, after: after ?? undefined }],
    });
    await settlePendingMemories(context, [context]);
    return proposed;
  },
  library: { args: [] },
  cli: {
    options: {
      after: false,
      title: { value: 'words' },
      why: { value: 'words' },
      evidence: { list: 'repeated', value: 'words' },
      kind: { value: 'kind' },
      confidence: { value: 'level' },
      trust: { value: 'level' },
    },
    extra: {
      content: { flags: '--content <text>', help: 'the whole new text; `-` reads it from standard input' },
      delete: { flags: '--delete', help: 'propose to delete the file' },
    },
    async prepare({ input: { path = '', title = '', ...input }, extra: { content, delete: isDeleting } }, terminal) {
      if ((typeof content === 'string') === (isDeleting === true)) {
        throw new MnemeError('usage', 'Say what the file should become: --content TEXT, or --delete.');
      }
      const after = content === '-' ? await terminal.readInput() : typeof content === 'string' ? content : null;
      return { ...input, path, title, after };
    },
  },
  render: async (view, output) => (await import('./render-proposals.ts')).renderProposed(view, output),
});
