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
    .map((finding) => toCandidate(finding, scene))
    .filter(isNotContained);
}

/** A sentence that another statement takes along as its neighbour is told there. */
function isNotContained({ evidence, statement }: Candidate, index: number, all: readonly Candidate[]): boolean {
  const own = bareOf(statement);
  return !all.some(
    (other, place) =>
      place !== index &&
      other.evidence.turns[0] === evidence.turns[0] &&
      other.statement.length > statement.length &&
      bareOf(other.statement).includes(own),
  );
}

function bareOf(statement: string): string {
  return statement
    .toLowerCase()
    .replaceAll(/ \([\d-]+\)| \[[^\]]+\]/gu, '')
    .replace(/[.\s]+$/u, '');
}
