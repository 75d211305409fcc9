import type { Certainty, KnowledgeKind } from '../../../model/knowledge.ts';
import type { Route } from '../../port.ts';

const FOR_EVER =
  /\b(?:forever|for ever|permanently|never forget|always remember|no matter what|must never be (?:lost|forgotten)|vault|für immer|para siempre|pour toujours)\b/iu;
/** Who the user is, and what must never be wrong. */
const IDENTITY =
  /\b(?:(?:my|i'm|i am) (?:name|called|married|divorced|pregnant|allergic|diabetic|vegan|vegetarian)|my (?:name|birthday|blood type|allergy|wife|husband|partner|son|daughter|children|kids|pronouns|job|employer|company)|i (?:live|moved|work|was born|am from|'m from|speak)|i(?:'m| am) (?:a|an|the|from|allergic|based))\b/iu;
const WORKING_STYLE = /\b(?:always|never|from now on|by default|every time|in future)\b/iu;
const HAPPENED =
  /\b(?:today|yesterday|last (?:night|week)|this morning|met|happened|visited|went|had (?:a|an|the))\b/iu;

/** Properties that say who somebody is. */
const IDENTIFYING = new Set(['residence', 'employer', 'role', 'birthday']);

export function storeOf(
  text: string,
  kind: KnowledgeKind | undefined,
  property: Route['property'] = undefined,
): Route['store'] {
  if (FOR_EVER.test(text)) return 'vault';
  if (property?.subject.isUser === true && IDENTIFYING.has(property.attribute) && kind === 'fact') return 'core';
  if (kind === 'procedure') return 'procedural';
  if (IDENTITY.test(text) && kind !== 'task' && kind !== 'decision') return 'core';
  if (kind === 'preference') return 'core';
  if (kind === 'decision' || kind === 'task') return 'episodic';
  if (kind === 'lesson') return 'procedural';
  if (kind === undefined && HAPPENED.test(text)) return 'episodic';
  return 'semantic';
}

export function isCoreWorthy(text: string, kind: KnowledgeKind | undefined): boolean {
  if (kind === 'task' || kind === 'procedure') return false;
  return IDENTITY.test(text) || (kind === 'preference' && WORKING_STYLE.test(text));
}

export function confidenceOf(chance: number): Certainty {
  if (chance >= 0.7) return 'high';
  return chance >= 0.4 ? 'medium' : 'low';
}
