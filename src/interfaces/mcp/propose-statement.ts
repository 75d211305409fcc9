import { agentsPropose } from '../../operations/agents/propose.ts';
import type { ProposedMemory } from '../../operations/agents/propose-as-written.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runOperation } from '../../operations/operation.ts';
import { remember, type RememberInput } from '../../operations/remember.ts';

/** Of what a statement may carry, what whoever decides on it sets anew. */
const LEFT_OUT = ['type', 'tags', 'importance', 'block', 'turn'] as const;

/** A statement that meets what is known when somebody decides on it: nothing of it is written before. */
export async function proposeStatement(context: OperationContext, input: RememberInput): Promise<ProposedMemory> {
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
