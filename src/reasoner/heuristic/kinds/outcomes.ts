import type { KnowledgeKind } from '../../../model/knowledge.ts';

/** The kinds a statement may have; in the order of the model's answers. */
export const OUTCOMES = [
  'none',
  'decision',
  'lesson',
  'person',
  'procedure',
  'fact',
  'preference',
  'task',
  'correction',
] as const satisfies readonly ('none' | KnowledgeKind)[];
export type Outcome = (typeof OUTCOMES)[number];
export type Chances = Readonly<Record<Outcome, number>>;

/** Nothing is known of a statement without words. */
export const NOTHING: Chances = {
  none: 1,
  decision: 0,
  lesson: 0,
  person: 0,
  procedure: 0,
  fact: 0,
  preference: 0,
  task: 0,
  correction: 0,
};

export function likeliestKind(chances: Chances): KnowledgeKind {
  const kinds = OUTCOMES.filter((outcome) => outcome !== 'none');
  return kinds.reduce((best, kind) => (chances[kind] > chances[best] ? kind : best));
}
