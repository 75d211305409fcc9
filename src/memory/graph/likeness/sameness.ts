import { readContext, type ContextSigns, type Described } from './context.ts';
import { NAME_RELATIONS, relateNames, type NameRelation } from './name-relation.ts';
import { WEIGHTS } from './weights.ts';

/** Somebody or something as far as it takes to tell whether it is another. */
export interface Bearer extends Described {
  readonly type: string | undefined;
}

export interface Sameness {
  /** How surely they are one, 0 to 1. */
  readonly score: number;
  readonly verdict: 'same' | 'unsure' | 'different';
  readonly reasons: readonly string[];
}

/** Where pairs left out of the fitting are right 97 times of 100; between the two somebody should look. */
const SURE = 0.72;
const POSSIBLE = 0.3;

export function compareBearers(left: Bearer, right: Bearer, likeness: number): Sameness {
  const { values, relation, signs } = featuresOf(left, right, likeness);
  const fitted = scoreOf(values);
  const isPerson = left.type === 'person' || right.type === 'person';
  const isToldApart = signs.saysOther > 0 || signs.kin > 0;
  const least = isToldApart ? 0 : leastFor(relation, isPerson, likeness);
  const score = isOtherSex(left, right) ? Math.min(fitted, UNSURE) : Math.max(fitted, least);
  return { score, verdict: verdictOf(score), reasons: reasonsFor(relation, signs) };
}

/**
 * The pairs the weights were fitted to hold many namesakes; in one person's memory the same name twice is hardly ever
 * two. So much alone it counts, and the more what is said of the two is alike.
 */
function leastFor(relation: NameRelation, isPerson: boolean, likeness: number): number {
  if (relation !== 'identical' && relation !== 'single-identical') return 0;
  const isAlike = isPerson ? relation === 'identical' && likeness >= ALIKE_PERSON : likeness >= ALIKE_THING;
  return isAlike ? SURE : UNSURE;
}

const ALIKE_PERSON = 0.84;
const ALIKE_THING = 0.72;
/** Between the two lines. */
const UNSURE = 0.5;

/** Whatever the names are, somebody should look. */
function isOtherSex(left: Bearer, right: Bearer): boolean {
  const [one, other] = [sexIn(left.context), sexIn(right.context)];
  return one !== undefined && other !== undefined && one !== other;
}

function sexIn(context: string): 'he' | 'she' | undefined {
  const he = /\b(?:he|his|him)\b/iu.test(context);
  const she = /\b(?:she|hers?)\b/iu.test(context);
  if (he === she) return undefined;
  return he ? 'he' : 'she';
}

export function verdictOf(score: number): Sameness['verdict'] {
  if (score >= SURE) return 'same';
  return score >= POSSIBLE ? 'unsure' : 'different';
}

function scoreOf(values: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, value] of Object.entries(values)) sum += value * (WEIGHTS[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Relations by which one name may well stand for the other; for the rest only what is known can speak. */
const CLOSE: ReadonlySet<NameRelation> = new Set([
  'equal',
  'slip',
  'short-form',
  'initial',
  'handle',
  'letters',
  'other-name',
  'legal-form',
]);
const LOOSE: ReadonlySet<NameRelation> = new Set(['identical', 'single-identical', 'single-slip', 'part', 'part-slip']);
const APART: ReadonlySet<NameRelation> = new Set([
  'longer',
  'sibling',
  'other-number',
  'other-ending',
  'other-given',
  'other-family',
  'generation',
]);

/** The numbers the weights belong to, by name. */
export function featuresOf(
  left: Bearer,
  right: Bearer,
  likeness: number,
): {
  readonly values: Readonly<Record<string, number>>;
  readonly relation: NameRelation;
  readonly signs: ContextSigns;
} {
  const isPerson = left.type === 'person' || right.type === 'person';
  const relation = bestRelation(left, right, isPerson);
  const signs = readContext(left, right, likeness);
  const { overlap, details, saysSame, saysOther, kin } = signs;
  const kind = CLOSE.has(relation) ? 'close' : LOOSE.has(relation) ? 'loose' : APART.has(relation) ? 'apart' : 'far';
  const values: Record<string, number> = {
    bias: 1,
    [relation]: 1,
    [`${kind}:names`]: 1,
    overlap,
    details,
    likeness,
    saysSame,
    saysOther,
    kin,
    otherType: isOtherType(left.type, right.type) ? 1 : 0,
    sharedAlias: sharesAlias(left, right) ? 1 : 0,
    [`${kind}:overlap`]: overlap,
    [`${kind}:likeness`]: likeness,
  };
  return { values, relation, signs };
}

const ORDER = new Map<NameRelation, number>(NAME_RELATIONS.map((relation, index) => [relation, index]));

/** By their names first; an alias may bring them nearer, unless the names themselves tell them apart. */
function bestRelation(left: Bearer, right: Bearer, isPerson: boolean): NameRelation {
  const own = relateNames(left.name, right.name, isPerson);
  if (APART.has(own)) return own;
  let best = own;
  for (const a of [left.name, ...left.aliases]) {
    for (const b of [right.name, ...right.aliases]) {
      const relation = relateNames(a, b, isPerson);
      if (!APART.has(relation) && (ORDER.get(relation) ?? 0) < (ORDER.get(best) ?? 0)) best = relation;
    }
  }
  return best;
}

function sharesAlias(left: Bearer, right: Bearer): boolean {
  return [
    [left, right],
    [right, left],
  ].some(
    ([a, b]) =>
      a !== undefined && b !== undefined && b.aliases.some((alias) => relateNames(alias, a.name, false) === 'equal'),
  );
}

/** Things people take for one another; a person is never a tool, nor a place a project. */
const LOOSE_TYPES: ReadonlySet<string> = new Set([
  'project',
  'tool',
  'service',
  'concept',
  'document',
  'organization',
  'organisation',
  'thing',
]);

function isOtherType(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || left === right || left === 'thing' || right === 'thing')
    return false;
  const isBritish = (a: string, b: string): boolean =>
    a.replace('isation', 'ization') === b.replace('isation', 'ization');
  return !isBritish(left, right) && (LOOSE_TYPES.has(left) || LOOSE_TYPES.has(right) || left !== right);
}

const IN_WORDS: Readonly<Record<NameRelation, string>> = {
  identical: 'the same name, twice',
  'single-identical': 'the same single name, twice',
  equal: 'the same name, written otherwise',
  'single-slip': 'single names a slip of the hand apart',
  slip: 'names a slip of the hand apart',
  'short-form': 'a short form of the name',
  initial: 'an initial for the first name',
  part: 'part of the name',
  'part-slip': 'part of the name, misspelt',
  handle: 'a user name made of the name',
  letters: 'the first letters of the name',
  'other-name': 'two names for one thing',
  'legal-form': 'the name without its legal form',
  description: 'a description instead of a name',
  longer: 'a longer name',
  sibling: 'names with a part in common',
  'other-number': 'another number or version',
  'other-ending': 'another first name by its ending',
  'other-given': 'another first name',
  'other-family': 'another family name',
  generation: 'another generation',
  unlike: 'unlike names',
};

function reasonsFor(relation: NameRelation, { overlap, details, saysSame, saysOther, kin }: ContextSigns): string[] {
  return [
    IN_WORDS[relation],
    ...(overlap >= 0.3 ? ['much the same is known of both'] : overlap === 0 ? ['nothing known in common'] : []),
    ...(details > 0 ? ['names or numbers in common'] : []),
    ...(saysSame > 0 ? ['one says that it is the other'] : []),
    ...(saysOther > 0 ? ['one speaks of the other as somebody else'] : []),
    ...(kin > 0 && overlap < 0.3 ? ['kin or colleagues of one another'] : []),
  ];
}
