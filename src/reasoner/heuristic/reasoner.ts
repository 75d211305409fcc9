import { MnemeError } from '../../model/errors.ts';
import type { Answer, AskOptions, Purpose, Purposes, Reasoner, GateInput, ExtractInput } from '../port.ts';
import { compareStatements } from './compare/compare.ts';
import { route } from './route/route.ts';
import { summarise } from './summary/summarise.ts';
import { contentWords } from './text/words.ts';
import type { Candidate, KnowledgeKind } from '../../model/knowledge.ts';
import { sameWords } from '../../model/same-words.ts';
import type { Utterance } from './clauses/utterance.ts';
import { toCandidate } from './conversation/candidate.ts';
import { findKept } from './conversation/find.ts';
import { setScene } from './conversation/scene.ts';
import type { Finding, Scene } from './kinds/finding.ts';
import { surroundingsOf } from './statement/neighbours.ts';

/** Candidates of a conversation, in the order in which they were said. */
async function extract({ conversation, kinds, fromTurn }: ExtractInput): Promise<readonly Candidate[]> {
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

/** Kinds that take several sentences. */
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

const MAX_WORDS = 5;
const MAX_LENGTH = 48;

/** A short name for a file or a session: lower case, ASCII, no more than five words. */
function slugOf(text: string): string {
  const content = contentWords(text.replaceAll(/`/gu, ''));
  const words = (content.length > 0 ? content : text.toLowerCase().split(/\s+/u))
    .map(toAscii)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words.slice(0, MAX_WORDS)) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > MAX_LENGTH) break;
    slug = longer;
  }
  return slug === '' ? (words[0]?.slice(0, MAX_LENGTH).replace(/-+$/u, '') ?? 'untitled') : slug;
}

function toAscii(word: string): string {
  return word
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}

/** As likely as not. Words and meanings were weighed where the likeness comes from; there is nothing more to read here. */
const EVEN = 0.5;

/** Whether a topic is wanted for a message, without a model. */
function isWanted({ message, likeness }: GateInput): boolean {
  return message.trim() !== '' && likeness >= EVEN;
}

const NAME = 'heuristic@1';

type Answerers = { readonly [P in Purpose]: (input: Purposes[P]['input']) => Promise<Purposes[P]['output']> };

const ANSWERERS: Answerers = {
  extract,
  flush: extract,
  route,
  summarise,
  resolve_contradiction: compareStatements,
  // Conclusions from relations are drawn by the ontology's rules; from free text only a model draws any.
  infer: async () => [],
  reflect: async ({ draft }) => draft,
  rewrite_core: async ({ candidates, removable }) => ({
    add: candidates.map(({ id }) => id),
    remove: removable.map(({ id }) => id),
  }),
  gate: async (input) => isWanted(input),
  slug: async ({ text }) => slugOf(text),
  // The caller has put them in order already.
  rerank: async ({ texts }) => texts.map((_, at) => 1 - at / texts.length),
};

/** Judgement without a model: deterministic, local, always there. */
export function createHeuristicReasoner(): Reasoner {
  return {
    name: NAME,
    async ask<P extends Purpose>(
      purpose: P,
      input: Purposes[P]['input'],
      options?: AskOptions,
    ): Promise<Answer<Purposes[P]['output']>> {
      options?.signal?.throwIfAborted();
      const answer = ANSWERERS[purpose] as Answerers[P] | undefined;
      if (answer === undefined) throw new MnemeError('usage', `The heuristic reasoner knows no purpose "${purpose}".`);
      return { output: await answer(input), by: NAME, notes: [] };
    },
  };
}
