import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import type { OperationContext } from '../context.ts';

/**
 * Tells proposals, which stand above the stores, how an agent's words are kept and marked, and which pages show them. Loaded
 * when first needed: most calls propose nothing.
 */
export function wireProposals(context: OperationContext): OperationContext {
  context.proposals.wire({
    planStatement: async (proposal, override) =>
      (await import('./keep-statement.ts')).planStatement(context, proposal, override),
    markWords: async (writer, before, after) =>
      (await import('../agent-words.ts')).markAgentWords({ ...writer, layout: context.layout }, before, after),
    planPages: async (after) =>
      after.some(({ kind }) => kind === REFLECTION_KIND)
        ? (await import('./reflection-pages.ts')).planReflectionPages(context, after)
        : [],
  });
  return context;
}
