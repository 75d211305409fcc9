import { estimateCounter } from '../../compile/tokens.ts';
import type { AgentMemory } from './agent-memory.ts';
import { questionIn } from './conversation.ts';
import type { ContextEngine, HostMessage, SessionParams } from './host.ts';

/** The host's own compaction, for a full window. */
export type DelegateCompaction = (params: SessionParams) => Promise<unknown>;

/**
 * Adds what is remembered to what OpenClaw assembles, and takes in what was said. Shortening a window stays OpenClaw's:
 * what matters of it is saved first.
 */
export function createContextEngine(
  id: string,
  memory: AgentMemory,
  delegateCompaction: DelegateCompaction | undefined,
): ContextEngine {
  const begun = new Map<string, string>();
  const committed = new Set<string>();
  const start = async (sessionId: string): Promise<string> => {
    const known = begun.get(sessionId);
    if (known !== undefined) return known;
    const briefing = await memory.brief(sessionId, '', true);
    begun.set(sessionId, briefing);
    return briefing;
  };
  return {
    info: {
      id,
      name: 'Mneme',
      ownsCompaction: false,
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    },
    async commitTurn({ sessionId, advancementKey, messages }) {
      if (committed.has(advancementKey)) return { status: 'duplicate' };
      // Messages that were taken in before are known by what they say, also after a restart.
      await memory.capture(sessionId, messages);
      committed.add(advancementKey);
      return { status: 'committed' };
    },
    async bootstrap({ sessionId }) {
      await start(sessionId);
      return { bootstrapped: true };
    },
    // A run is taken in as a whole when it is over.
    ingest: () => Promise.resolve({ ingested: false }),
    async afterTurn({ sessionId, messages, prePromptMessageCount = 0, isHeartbeat }) {
      if (isHeartbeat === true) return;
      await memory.capture(sessionId, messages.slice(prePromptMessageCount));
    },
    async assemble({ sessionId, messages, prompt }) {
      const question = prompt ?? questionIn(messages);
      // The start of a session stays the same, so that the host's cache of the prompt keeps.
      const parts = [await start(sessionId), question === '' ? '' : await memory.brief(sessionId, question, false)];
      const systemPromptAddition = parts.filter((part) => part !== '').join('\n\n');
      const estimatedTokens = countTokens(messages) + estimateCounter.count(systemPromptAddition);
      return { messages, estimatedTokens, ...(systemPromptAddition === '' ? {} : { systemPromptAddition }) };
    },
    async compact(params) {
      await memory.flush(params.sessionId);
      begun.delete(params.sessionId);
      if (delegateCompaction !== undefined) return delegateCompaction(params);
      return { ok: true, compacted: false, reason: 'this host offers no compaction to hand it to' };
    },
    dispose: () => {
      begun.clear();
      return Promise.resolve();
    },
  };
}

function countTokens(messages: readonly HostMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateCounter.count(JSON.stringify(content ?? '')), 0);
}
