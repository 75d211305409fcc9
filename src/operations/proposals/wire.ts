import type { OperationContext } from '../context.ts';

/**
 * Tells proposals, which stand above the stores, how an agent's words are kept and marked. Loaded when the first one is: most
 * calls propose nothing.
 */
export function wireAgents(context: OperationContext): OperationContext {
  context.proposals.keepStatementsBy(async (proposal, override) => {
    const { planStatement } = await import('./keep-statement.ts');
    return planStatement(context, proposal, override);
  });
  context.proposals.markWordsBy(async (writer, before, after) => {
    const { markAgentWords } = await import('../agent-words.ts');
    return markAgentWords({ ...writer, layout: context.layout }, before, after);
  });
  return context;
}
