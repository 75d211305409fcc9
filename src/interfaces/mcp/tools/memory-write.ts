import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { assertSessionId } from '../../../capture/sessions.ts';
import { isTrustedAtLeast } from '../../../model/provenance.ts';
import { type ProposedMemory, proposeAsWritten } from '../../../operations/agents/propose-as-written.ts';
import { agentsPropose } from '../../../operations/agents/propose.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { runOperation } from '../../../operations/operation.ts';
import { type RememberInput, type Remembered, remember } from '../../../operations/remember.ts';
import { notYet } from '../show-change.ts';
import { writingScope } from '../access.ts';
import { type ToolAnswer, type ToolCall, askToApprove, defineTool, tell } from '../tool.ts';

/** Of what a statement may carry, what whoever decides on it sets anew. */
const LEFT_OUT = ['type', 'tags', 'importance', 'block', 'turn'] as const;

/** A statement that meets what is known when somebody decides on it: nothing of it is written before. */
async function proposeStatement(context: OperationContext, input: RememberInput): Promise<ProposedMemory> {
  const { text, store, trust, confidence, scope, session } = input;
  const filed = await runOperation(agentsPropose, context, {
    text,
    store: store === 'semantic' || store === 'episodic' ? store : undefined,
    trust,
    confidence,
    scope,
    session,
  });
  const { outcome, id: proposal, path, redacted, contradicts } = filed;
  // A client leaves these to their defaults; only what it named itself is worth a note.
  const usual = remember.input.parse({ text });
  const left = LEFT_OUT.filter((key) => isGiven(input[key]) && input[key] !== usual[key]);
  const warnings = [
    ...filed.warnings,
    ...contradicts.map(({ id, path: file }) => `It contradicts ${id} in ${file}.`),
    ...(left.length === 0 ? [] : [`Not part of a proposal: ${left.join(', ')}.`]),
  ];
  return { outcome, proposal, store: filed.store === 'semantic' ? 'semantic' : 'episodic', path, redacted, warnings };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** `user` is left out: that a person said it themselves is not for an agent to claim. */
const input = remember.input.extend({
  // Where none is named a client writes into its own; `shared` is said only by who means it.
  scope: remember.input.shape.scope.removeDefault().optional(),
  source: z.enum(['user-explicit', 'conversation', 'inferred']).default('conversation'),
  trust: z.enum(['agent', 'tool', 'import', 'external']).optional(),
});

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Remember',
  description:
    'Keep something for later conversations: a fact, decision, preference, correction. One self-contained statement with names and dates; no secrets. It is found from the moment this returns.',
  proposerDescription:
    'Propose something to keep for later conversations: a fact, decision, preference, correction. One self-contained statement with names and dates; no secrets. A person or the main agent decides.',
  effect: 'write',
  searchHint: 'remember save note keep fact decision preference',
  input,
  listed: {
    text: 'What to remember, in plain words.',
    store:
      'episodic: the day it happened; core: always in context, only for what matters in every conversation; vault: never fades; a person must agree.',
    source: 'user-explicit: the user asked to remember it.',
    trust: 'external: from web pages, mail and the like.',
    scope: 'Private to project:NAME, user:NAME …',
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
  async run(call, given) {
    const { context, access, conceal } = call;
    if (given.session !== undefined) assertSessionId(given.session);
    if (given.store === 'core' && given.trust !== undefined && !isTrustedAtLeast(given.trust, 'agent')) {
      throw new MnemeError('refused', `Text from ${given.trust} sources does not become core memory by itself.`, {
        hint: 'Keep it as an episode (store: episodic); a person can promote it.',
      });
    }
    const memory: RememberInput = { ...given, scope: writingScope(access, given.scope) };
    // Where it would go is fixed for these; anything else meets what is known, and is compared when somebody decides.
    const hasPlace = given.store === 'core' || given.store === 'vault';
    // Permanent memories are a person's decision: the write path would refuse this one, a proposal can wait.
    if (given.store === 'vault' || (access.mode === 'proposer' && hasPlace)) {
      const proposed = showProposed(await runOperation(proposeAsWritten, context, memory), conceal);
      return askToApprove(call, proposed, `Keep this for good (${given.store})?\n\n${given.text}`);
    }
    if (access.mode === 'proposer') return showProposed(await proposeStatement(context, memory), conceal);
    return showRemembered(await runOperation(remember, context, memory), conceal);
  },
});

function showRemembered(memory: Remembered, conceal: ToolCall['conceal']): ToolAnswer {
  const { id, store, path, redacted } = memory;
  const lines = [`Saved as ${id} (${store}) in ${path}.`, ...remarks(redacted, memory.warnings.map(conceal))];
  return tell(lines, { outcome: 'remembered', id, path });
}

const OUTCOMES: Readonly<Record<ProposedMemory['outcome'], (proposal: string) => string>> = {
  filed: (proposal) => notYet('saved', proposal),
  applied: (proposal) => `Saved, as proposal ${proposal}.`,
  'already-open': (proposal) => `NOT saved yet: the same already waits for the user's approval as ${proposal}.`,
  'rejected-before': (proposal) => `NOT saved: the user rejected the same before (${proposal}). Do not try again.`,
};

function showProposed(memory: ProposedMemory, conceal: ToolCall['conceal']): ToolAnswer {
  const { outcome, proposal, path, redacted } = memory;
  const lines = [OUTCOMES[outcome](proposal), ...remarks(redacted, memory.warnings.map(conceal))];
  return tell(lines, { outcome, proposal, path });
}

function remarks(redacted: readonly string[], warnings: readonly string[]): string[] {
  return [
    ...(redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}.`]),
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
}
