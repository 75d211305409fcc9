import type { Candidate, KnowledgeKind } from '../../model/knowledge.ts';
import type { ExtractInput } from '../port.ts';
import { toCandidate } from './conversation/candidate.ts';
import { findKept } from './conversation/find.ts';
import { setScene } from './conversation/scene.ts';
import type { Finding, Scene } from './kinds/finding.ts';
import { stemsOf } from './text/words.ts';

/** Of a statement's words, told in another of the same message. */
const CONTAINED = 0.85;
/** The same where both take neighbours along: two that share one tell one thing. */
const HALF_TOLD = 0.5;
const TAKES_NEIGHBOURS: ReadonlySet<KnowledgeKind> = new Set(['lesson', 'procedure']);

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
  return findKept(scene)
    .filter(isWanted)
    .map((finding) => toCandidate(finding, scene))
    .filter(isNotContained)
    .filter(isNotTakenAlong)
    .filter(isNotHalfTold);
}

/** A sentence that another statement takes along as its neighbour is told there; of two that say the same, the first. */
function isNotContained({ evidence, statement }: Candidate, index: number, all: readonly Candidate[]): boolean {
  const own = stemsOf(bareOf(statement));
  return !all.some((other, place) => {
    if (place === index || other.evidence.turns[0] !== evidence.turns[0]) return false;
    const theirs = stemsOf(bareOf(other.statement));
    if (theirs.size < own.size || (theirs.size === own.size && place > index)) return false;
    return shareOf(own, theirs) >= CONTAINED;
  });
}

/** A lesson takes its neighbours along; what is left of them as a lesson of their own would say it again. */
function isNotTakenAlong({ kind, evidence }: Candidate, index: number, all: readonly Candidate[]): boolean {
  const own = stemsOf(bareOf(evidence.quote));
  return !all
    .slice(0, index)
    .some(
      (other) =>
        other.kind === kind &&
        other.evidence.turns[0] === evidence.turns[0] &&
        shareOf(own, stemsOf(bareOf(other.statement))) >= CONTAINED,
    );
}

/** "It broke. We had not sealed it. That's the lesson: seal it." is one lesson, however many of its sentences sound like one. */
function isNotHalfTold({ kind, evidence, statement }: Candidate, index: number, all: readonly Candidate[]): boolean {
  if (!TAKES_NEIGHBOURS.has(kind)) return true;
  const own = stemsOf(bareOf(statement));
  return !all.some((other, place) => {
    if (place === index || other.kind !== kind || other.evidence.turns[0] !== evidence.turns[0]) return false;
    const theirs = stemsOf(bareOf(other.statement));
    if (theirs.size < own.size || (theirs.size === own.size && place > index)) return false;
    return shareOf(own, theirs) >= HALF_TOLD;
  });
}

function shareOf(own: ReadonlySet<string>, theirs: ReadonlySet<string>): number {
  return own.size === 0 ? 0 : [...own].filter((stem) => theirs.has(stem)).length / own.size;
}

function bareOf(statement: string): string {
  return statement.toLowerCase().replaceAll(/ \([\d-]+\)| \[[^\]]+\]/gu, '');
}
