import type { KnowledgeKind } from '../../../model/knowledge.ts';

/** In the order in which the fitted weights count them; nothing worth keeping comes first. */
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

/** Sums of weights as chances that add up to one. */
export function toChances(sums: Float64Array): Chances {
  const highest = Math.max(...sums);
  const powers = sums.map((value) => Math.exp(value - highest));
  const total = powers.reduce((one, other) => one + other, 0);
  return Object.fromEntries(OUTCOMES.map((outcome, place) => [outcome, (powers[place] ?? 0) / total])) as Chances;
}

export function likeliestKind(chances: Chances): KnowledgeKind {
  let best: KnowledgeKind = 'decision';
  for (const outcome of OUTCOMES) if (outcome !== 'none' && chances[outcome] > chances[best]) best = outcome;
  return best;
}
