import type { Candidate, KnowledgeKind } from '../../model/knowledge.ts';
import type { ExtractInput } from '../port.ts';
import { toCandidate } from './conversation/candidate.ts';
import { findKept } from './conversation/find.ts';
import { setScene } from './conversation/scene.ts';

/** Candidates of a conversation, in the order in which they were said. */
export async function extract({ conversation, kinds, fromTurn }: ExtractInput): Promise<readonly Candidate[]> {
  const scene = await setScene(conversation);
  const start = fromTurn === undefined ? 0 : conversation.turns.findIndex(({ id }) => id === fromTurn);
  const fresh = new Set(conversation.turns.slice(Math.max(0, start)).map(({ id }) => id));
  const wanted = new Set<KnowledgeKind>(kinds);
  return findKept(scene)
    .filter(
      ({ kind, heard, alsoTurns = [] }) =>
        wanted.has(kind) && [heard.utterance.turn.id, ...alsoTurns].some((id) => fresh.has(id)),
    )
    .map((finding) => toCandidate(finding, scene));
}
