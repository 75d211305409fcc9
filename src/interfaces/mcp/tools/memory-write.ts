import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { assertSessionId } from '../../../capture/sessions.ts';
import { isTrustedAtLeast } from '../../../model/provenance.ts';
import { proposeAsWritten, type ProposedMemory } from '../../../operations/agents/propose-as-written.ts';
import { runOperation } from '../../../operations/operation.ts';
import { remember, type Remembered, type RememberInput } from '../../../operations/remember.ts';
import { writingScope } from '../access.ts';
import { proposeStatement } from '../propose-statement.ts';
import { defineTool, type ToolAnswer, type ToolCall } from '../tool.ts';

/** `user` is left out: that a person said it themselves is not for an agent to claim. */
const input = remember.input.extend({
  // Where none is named a client writes into its own; `shared` is said only by who means it.
  scope: remember.input.shape.scope.removeDefault().optional(),
  source: z.enum(['user-explicit', 'conversation', 'inferred']).default('conversation'),
  trust: z.enum(['agent', 'tool', 'import', 'external']).optional(),
});

const output = z.object({
  outcome: z.string(),
  id: z.string().optional(),
  proposal: z.string().optional(),
  mutation: z.string().optional(),
  store: z.string(),
  path: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  redacted: z.array(z.string()),
  warnings: z.array(z.string()),
});

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Remember',
  description:
    'Keep something for later conversations: a fact, decision, preference, correction. One self-contained statement with names and dates; no secrets. It is found from the moment this returns.',
  proposerDescription:
    'Propose something to keep for later conversations: a fact, decision, preference, correction. One self-contained statement with names and dates; no secrets. A person or the main agent decides.',
  effect: 'write',
  input,
  listed: {
    text: 'What to remember, in plain words.',
    type: '',
    store:
      'episodic: the day it happened; core: always in context, only for what matters in every conversation; vault: never fades; a person must agree.',
    tags: '',
    importance: '',
    source: 'user-explicit: the user asked to remember it.',
    trust: 'external: from web pages, mail and the like.',
    scope: 'Private to project:NAME, user:NAME …',
    session: '',
  },
  aliases: {
    text: ['content', 'memory', 'note', 'fact', 'message', 'value', 'statement', 'observation', 'body'],
    type: ['kind', 'category', 'note_type'],
    tags: ['tag', 'labels', 'topics'],
    importance: ['priority', 'weight'],
    session: ['session_id', 'conversation_id'],
    scope: ['namespace'],
    block: ['section'],
  },
  output,
  async run({ context, access, conceal }, given) {
    if (given.session !== undefined) assertSessionId(given.session);
    if (given.store === 'core' && given.trust !== undefined && !isTrustedAtLeast(given.trust, 'agent')) {
      throw new MnemeError('refused', `Text from ${given.trust} sources does not become core memory by itself.`, {
        hint: 'Keep it as an episode (store: episodic); a person can promote it.',
      });
    }
    const memory: RememberInput = { ...given, scope: writingScope(access, given.scope) };
    // Where it would go is fixed for these; anything else meets what is known, and is compared when somebody decides.
    const hasPlace = given.store === 'core' || given.store === 'vault';
    // What never fades is for a person to decide: the door would refuse it, a proposal can wait.
    if (given.store === 'vault' || (access.mode === 'proposer' && hasPlace))
      return showProposed(await runOperation(proposeAsWritten, context, memory), conceal);
    if (access.mode === 'proposer') return showProposed(await proposeStatement(context, memory), conceal);
    return showRemembered(await runOperation(remember, context, memory), conceal);
  },
});

function showRemembered(memory: Remembered, conceal: ToolCall['conceal']): ToolAnswer {
  const { id, mutation, store, path, startLine, endLine, redacted } = memory;
  const warnings = memory.warnings.map(conceal);
  const lines = [`Remembered as ${id} (${store}) in ${path}:${startLine}-${endLine}.`, ...remarks(redacted, warnings)];
  return {
    text: lines.join('\n'),
    structured: { outcome: 'remembered', id, mutation, store, path, startLine, endLine, redacted, warnings },
  };
}

const OUTCOMES: Readonly<Record<ProposedMemory['outcome'], string>> = {
  filed: 'Proposed as',
  applied: 'Proposed and applied at once, as',
  'already-open': 'The same is waiting for a decision already:',
  'rejected-before': 'The same was rejected before:',
};

function showProposed(memory: ProposedMemory, conceal: ToolCall['conceal']): ToolAnswer {
  const { outcome, proposal, path, redacted } = memory;
  const warnings = memory.warnings.map(conceal);
  const lines = [`${OUTCOMES[outcome]} ${proposal} (${path}).`, ...remarks(redacted, warnings)];
  return { text: lines.join('\n'), structured: { ...memory, warnings } };
}

function remarks(redacted: readonly string[], warnings: readonly string[]): string[] {
  return [
    ...(redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}.`]),
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
}
