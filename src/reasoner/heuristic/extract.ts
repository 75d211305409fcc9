import type { Candidate, KnowledgeKind } from '../../model/knowledge.ts';
import { sameWords } from '../../model/same-words.ts';
import type { ExtractInput } from '../port.ts';
import type { Utterance } from './clauses/utterance.ts';
import { toCandidate } from './conversation/candidate.ts';
import { findKept } from './conversation/find.ts';
import { setScene } from './conversation/scene.ts';
import type { Finding, Scene } from './kinds/finding.ts';
import { surroundingsOf } from './statement/neighbours.ts';

/** Candidates of a conversation, in the order in which they were said. */
export async function extract({ conversation, kinds, fromTurn }: ExtractInput): Promise<readonly Candidate[]> {
  const start = fromTurn === undefined ? 0 : conversation.turns.findIndex(({ id }) => id === fromTurn);
  const fresh = new Set(conversation.turns.slice(Math.max(0, start)).map(({ id }) => id));
  const wanted = new Set<KnowledgeKind>(kinds);
  return candidatesOf(
    await setScene(conversation),
    ({ kind, heard, alsoTurns = [] }) =>
      wanted.has(kind) && [heard.utterance.turn.id, ...alsoTurns].some((id) => fresh.has(id)),
  );
}

export function candidatesOf(scene: Scene, isWanted: (finding: Finding) => boolean = () => true): Candidate[] {
  return withoutTakenAlong(findKept(scene).filter(isWanted), scene)
    .map((finding) => toCandidate(finding, scene))
    .filter(isFirstToSay);
}

/** What these say takes several sentences. */
const OF_SEVERAL = new Set<KnowledgeKind>(['lesson', 'procedure', 'correction']);

/**
 * Leaves out a sentence that is part of another statement: "It broke. We had not sealed it. That's the lesson: seal it." is
 * one lesson, however many of its sentences sound like one.
 */
function withoutTakenAlong(findings: readonly Finding[], scene: Scene): Finding[] {
  const told = new Map(
    findings.map((finding) => {
      const { before, after } = surroundingsOf(finding, scene);
      return [finding, [...before, ...after]] as const;
    }),
  );
  const along = (finding: Finding): readonly Utterance[] => told.get(finding) ?? [];
  const taken = new Set<Utterance>();
  const kept = new Set<Finding>();
  for (const finding of findings.toSorted((one, other) => along(other).length - along(one).length)) {
    if (taken.has(finding.heard.utterance)) continue;
    kept.add(finding);
    if (OF_SEVERAL.has(finding.kind)) for (const utterance of along(finding)) taken.add(utterance);
  }
  return findings.filter((finding) => kept.has(finding));
}

/** One sentence that was understood as two kinds is told once. */
function isFirstToSay({ evidence, statement }: Candidate, index: number, all: readonly Candidate[]): boolean {
  return !all
    .slice(0, index)
    .some((other) => other.evidence.turns[0] === evidence.turns[0] && sameWords(other.statement, statement));
}
