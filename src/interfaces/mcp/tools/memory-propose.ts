import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { shorten } from '../../../model/text.ts';
import { quoteLine } from '../../../compile/fence.ts';
import { agentsPropose } from '../../../operations/agents/propose.ts';
import { changeFiles } from '../../../operations/files/change-files.ts';
import { runOperation } from '../../../operations/operation.ts';
import { writingScope } from '../access.ts';
import { showChange } from '../show-change.ts';
import { defineTool } from '../tool.ts';
import { changeFor, UPDATE_ALIASES, updateInput } from './memory-update.ts';

const input = updateInput.extend({
  id: z.string().trim().min(1).optional(),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  evidence: z.array(z.string()).max(50).default([]),
  scope: z.string().optional(),
});

export const memoryPropose = defineTool({
  name: 'memory_propose',
  title: 'Propose',
  description:
    'Suggest a memory, or a change of one, for the user to decide on: what you are not sure of, or what is not yours to change.',
  effect: 'write',
  input,
  listed: {
    text: 'The statement, or the new words.',
    id: 'What to change: id or path.',
    old: '',
    reason: 'Why.',
    confidence: '',
    evidence: 'Turns or items it rests on.',
  },
  aliases: { ...UPDATE_ALIASES, evidence: ['sources', 'based_on'], scope: ['namespace'] },
  async run(call, { id, reason, confidence, evidence, ...given }) {
    const { context, access, conceal } = call;
    if (id === undefined) {
      if (given.text.trim() === '') throw new MnemeError('usage', 'There is nothing to propose.');
      const filed = await runOperation(agentsPropose, context, {
        text: given.text,
        confidence: confidence ?? 'medium',
        evidence,
        trigger: reason,
        scope: writingScope(access, given.scope),
        session: given.session,
      });
      const { outcome, id: proposal, path, redacted, warnings, contradicts } = filed;
      const against = contradicts.map(({ text }) => `It contradicts: ${quoteLine(text)}`);
      const change = {
        outcome,
        proposal,
        files: [path],
        redacted,
        warnings: [...warnings, ...against],
        mutation: null,
      };
      return showChange({ ...change, waitsBecause: 'somebody decides' }, conceal);
    }
    const { change } = await changeFor(call, { ...given, id });
    const result = await runOperation(changeFiles, context, {
      changes: [change],
      summary: `corrected: ${shorten(given.text)}`,
      why: reason ?? '',
      evidence,
      confidence,
      propose: true,
      session: given.session,
    });
    return showChange(result, conceal);
  },
});
