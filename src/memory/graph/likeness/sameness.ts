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
const SURE = 0.65;
const POSSIBLE = 0.3;
/** Between the two lines. */
const UNSURE = 0.5;

/** Whether two are one, by their names and by what is known of them. */
export async function compareBearers(left: Bearer, right: Bearer): Promise<Sameness> {
  return judge(left, right, await readContext(left, right));
}

/** Names that many bear. */
const LOOSE: ReadonlySet<NameRelation> = new Set(['identical', 'single-identical', 'part', 'part-slip', 'single-slip']);

export function judge(left: Bearer, right: Bearer, signs: ContextSigns): Sameness {
  const { values, relation } = featuresOf(left, right, signs);
  const score = settle(scoreOf(values), relation, signs);
  return { score, verdict: verdictOf(score), reasons: reasonsFor(relation, signs) };
}

/** What is said outright counts more than any sum of signs: then somebody should look, or need not. */
export function settle(fitted: number, relation: NameRelation, signs: ContextSigns): number {
  const isToldApart = signs.rolesApart > 0 || (signs.saysOther > 0 && signs.saysSame === 0);
  const isDoubtful = signs.otherSex > 0 || signs.otherAge > 0 || (isToldApart && LOOSE.has(relation));
  if (isDoubtful) return Math.min(fitted, UNSURE);
  return signs.saysSame > 0 && signs.nameSaid === 1 ? Math.max(fitted, SURE) : fitted;
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

/** What a relation of names lets one expect; what is known of the two counts differently for each. */
const KINDS: Readonly<Record<NameRelation, string>> = {
  identical: 'twice',
  'single-identical': 'twice',
  equal: 'close',
  sound: 'close',
  slip: 'close',
  'short-form': 'close',
  initial: 'close',
  handle: 'close',
  letters: 'close',
  'other-name': 'close',
  'legal-form': 'close',
  'single-slip': 'loose',
  part: 'loose',
  'part-slip': 'loose',
  versioned: 'loose',
  tail: 'loose',
  longer: 'wider',
  sibling: 'wider',
  description: 'described',
  'other-number': 'apart',
  'other-ending': 'apart',
  'other-given': 'apart',
  'other-family': 'apart',
  generation: 'apart',
  unlike: 'far',
};

/** The numbers the weights belong to, by name. */
export function featuresOf(
  left: Bearer,
  right: Bearer,
  signs: ContextSigns,
): { readonly values: Readonly<Record<string, number>>; readonly relation: NameRelation } {
  const isPerson = left.type === 'person' || right.type === 'person';
  const { relation, isByAlias } = bestRelation(left, right, isPerson);
  const isTwice = KINDS[relation] === 'twice';
  const kind = isTwice ? (isByAlias ? 'close' : 'loose') : KINDS[relation];
  // Writers of test pairs invent namesakes by the dozen: that a name is there twice must not count against it by itself.
  const named = isTwice ? 'part' : relation;
  const against = isTwice && !isByAlias ? 'twice' : ['close', 'loose'].includes(kind) ? kind : 'rest';
  const values: Record<string, number> = {
    bias: 1,
    [isByAlias ? 'alias' : named]: 1,
    [`${kind}:names`]: 1,
    otherType: isOtherType(left.type, right.type) ? 1 : 0,
    [`${isPerson ? 'person' : 'thing'}:${kind}`]: 1,
    ...signs,
    rolesShared: isPerson ? signs.rolesShared : 0,
    rolesApart: 0,
    detailsApart: 0,
    kin: 0,
    // What speaks against them speaks loudest between namesakes.
    [`${against}:detailsApart`]: signs.detailsApart,
    [`${against}:rolesApart`]: isPerson ? signs.rolesApart : 0,
    [`${against}:kin`]: signs.kin,
    [`${kind}:near`]: signs.near,
    [`${kind}:shared`]: signs.shared,
    [`${kind}:likeness`]: signs.likeness,
    [`${kind}:nameSaid`]: signs.nameSaid,
  };
  return { values, relation };
}

const ORDER = new Map<NameRelation, number>(NAME_RELATIONS.map((relation, index) => [relation, index]));

/** By their names first; an alias may bring them nearer, unless the names themselves tell them apart. */
function bestRelation(
  left: Bearer,
  right: Bearer,
  isPerson: boolean,
): { readonly relation: NameRelation; readonly isByAlias: boolean } {
  let best = { relation: relateNames(left.name, right.name, isPerson), isByAlias: false };
  if (KINDS[best.relation] === 'apart' || KINDS[best.relation] === 'twice') return best;
  for (const a of [left.name, ...left.aliases]) {
    for (const b of [right.name, ...right.aliases]) {
      const relation = relateNames(a, b, isPerson);
      if (KINDS[relation] === 'apart' || (ORDER.get(relation) ?? 0) >= (ORDER.get(best.relation) ?? 0)) continue;
      best = { relation, isByAlias: true };
    }
  }
  return best;
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
  sound: 'names that sound alike',
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
  versioned: 'one with a number or version',
  tail: 'the end of the name',
  longer: 'a longer name',
  sibling: 'names with a part in common',
  'other-number': 'another number or version',
  'other-ending': 'another first name by its ending',
  'other-given': 'another first name',
  'other-family': 'another family name',
  generation: 'another generation',
  unlike: 'unlike names',
};

function reasonsFor(relation: NameRelation, signs: ContextSigns): string[] {
  const { near, overlap } = signs;
  return [
    IN_WORDS[relation],
    ...(near >= 0.4 ? ['much the same is known of both'] : overlap === 0 ? ['nothing known in common'] : []),
    ...(signs.details > 0 ? ['names or numbers in common'] : []),
    ...(signs.nameSaid >= 0.5 ? ['what one is called is said of the other'] : []),
    ...(signs.rolesShared > 0 ? ['they do the same'] : []),
    ...(signs.rolesApart > 0 ? ['they do something else'] : []),
    ...(signs.otherAge > 0 ? ['another age'] : []),
    ...(signs.saysSame > 0 ? ['one says that it is the other'] : []),
    ...(signs.saysOther > 0 ? ['one speaks of the other as somebody else'] : []),
    ...(signs.kin > 0 && near < 0.4 ? ['kin or colleagues of one another'] : []),
  ];
}
