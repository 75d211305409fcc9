import { AgentStore, type AgentStoreOptions, type Mneme } from '../../index.ts';

export type { AgentStore, AgentStoreOptions } from '../../index.ts';

/** The memory as the `store` of a LangGraph graph, and of agents made with LangChain. */
export function memoryStore(memory: Mneme, options: AgentStoreOptions = {}): AgentStore {
  return new AgentStore(memory, options);
}
