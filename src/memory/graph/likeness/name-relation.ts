import { countWords, GENERATION, isRoleAlone, relatePeople } from './person-names.ts';
import { isSameSpelling } from './spelling.ts';
import { relateThings } from './thing-names.ts';

/** The relations of two names, regardless of the facts about their bearers; the nearest first. */
export const NAME_RELATIONS = [
  'identical',
  'single-identical',
  'equal',
  'part',
  'short-form',
  'initial',
  'sound',
  'slip',
  'single-slip',
  'part-slip',
  'handle',
  'letters',
  'other-name',
  'legal-form',
  'description',
  'versioned',
  'tail',
  'longer',
  'sibling',
  'other-number',
  'other-ending',
  'other-given',
  'other-family',
  'generation',
  'unlike',
] as const;
export type NameRelation = (typeof NAME_RELATIONS)[number];

const DESCRIPTION =
  /^(?:the|my|our|his|her|their|that|this|der|die|das|mein|meine|unser|unsere|mi|el|la|mon|ma|le|nasz|moja|mój|meu|minha)\s+\S/iu;

/** Whether a name says what somebody or something is instead of naming it. */
export function isDescription(name: string): boolean {
  if (isRoleAlone(name)) return true;
  return DESCRIPTION.test(name) && name === name.replace(/(?<=\s)(?!I\s)\p{Lu}/gu, '');
}

export function relateNames(left: string, right: string, isPerson: boolean): NameRelation {
  if (isSameButForCase(left, right)) return isPerson && countWords(left) < 2 ? 'single-identical' : 'identical';
  if (generationOf(left) !== generationOf(right)) {
    return isSameSpelling(left.replace(GENERATION, ''), right.replace(GENERATION, '')) ? 'generation' : 'unlike';
  }
  const isDescribed = isDescription(left) || isDescription(right);
  if (isPerson) {
    const relation = relatePeople(left, right);
    // A first name with and without a title is as common as the name.
    if (relation === 'equal' && countWords(left) < 2 && countWords(right) < 2) return 'single-identical';
    return relation === 'unlike' && isDescribed ? 'description' : relation;
  }
  const relation = relateThings(left, right);
  return ['unlike', 'longer', 'sibling', 'tail'].includes(relation) && isDescribed ? 'description' : relation;
}

function isSameButForCase(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase();
}

function generationOf(name: string): string {
  return (GENERATION.exec(name)?.[0] ?? '').trim().toLowerCase();
}
