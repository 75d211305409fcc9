import { type Judge, packagedJudge } from '../../../judge/judge.ts';
import { NAME_RELATIONS, relateNames, type NameRelation } from './name-relation.ts';
import { type Embedder, dot } from '../../../providers/embeddings/port.ts';
import { openStaticEmbedder } from '../../../providers/embeddings/static.ts';
import { splitWords, termsOfWord } from '../../../search-index/text/terms.ts';
import { spellings } from './spelling.ts';

/** A person or thing, with the data that tells it from another. */
export interface Bearer extends Described {
  readonly type: string | undefined;
}

export interface Sameness {
  /** The certainty that they are one, 0 to 1. */
  readonly score: number;
  readonly verdict: 'same' | 'unsure' | 'different';
  readonly reasons: readonly string[];
}

/** The evidence for and against two being one. */
export interface Signs {
  readonly relation: NameRelation;
  readonly likeness: number;
  /** The model's log-odds that both records are of one. */
  readonly odds: number;
  /** One is said to be called like the other. */
  readonly isSaid: boolean;
}

/** Of authors left out of the fitting .96 above it are one (of the worst .87); between the two lines somebody should look. */
const SURE = 0.92;
const POSSIBLE = 0.3;

/** Fitted by `node training/records.ts`; log-odds. */
const BIAS = -2.42;
const ODDS = 0.6;
const LIKENESS = 3.08;
/** A name that is there twice counts neither way: writers of pairs invent namesakes by the dozen. */
const RELATION: Readonly<Record<NameRelation, number>> = {
  identical: 0,
  'single-identical': 0,
  equal: 1.23,
  part: 1.37,
  'short-form': 2.07,
  initial: 1.67,
  sound: 0.51,
  slip: -0.06,
  'single-slip': -0.96,
  'part-slip': 1.65,
  handle: 0.2,
  letters: 1.43,
  'other-name': 1.81,
  'legal-form': 0.86,
  description: 1.32,
  versioned: -0.1,
  tail: 0.43,
  longer: -0.11,
  sibling: -0.25,
  'other-number': -2.13,
  'other-ending': -1.17,
  'other-given': -1.19,
  'other-family': -0.2,
  generation: -0.72,
  unlike: 0.93,
};

/** Whether two are one, by their names and by what is known of them. */
export async function compareBearers(
  left: Bearer,
  right: Bearer,
  judge: Pick<Judge, 'compareRecords'> = packagedJudge(),
): Promise<Sameness> {
  const signs = await signsOf(left, right, judge);
  const { relation, likeness, odds, isSaid } = signs;
  const fitted = 1 / (1 + Math.exp(-(BIAS + ODDS * odds + LIKENESS * likeness + RELATION[relation])));
  const score = isSaid ? Math.max(fitted, SURE) : fitted;
  return { score, verdict: verdictOf(score), reasons: reasonsFor(signs) };
}

export async function signsOf(left: Bearer, right: Bearer, judge: Pick<Judge, 'compareRecords'>): Promise<Signs> {
  const isPerson = left.type === 'person' || right.type === 'person';
  const relation = bestRelation(left, right, isPerson);
  // In one order, so that it does not matter which is asked about the other.
  const [one = '', other = ''] = [recordOf(left), recordOf(right)].sort();
  const { same = 0 } = judge.compareRecords(one, other);
  // The writers of the model's records never repeat themselves, so that it takes the same words for namesakes.
  const least = CLOSE.has(relation) && isSaidOfBoth(left, right) ? REPEATED : 1 - MOST_CHANCE;
  const chance = Math.min(MOST_CHANCE, Math.max(least, same));
  return {
    relation,
    likeness: await contextLikeness(left, right),
    odds: Math.log(chance / (1 - chance)),
    isSaid: !TWICE.has(relation) && (isSaidToBe(left, right) || isSaidToBe(right, left)),
  };
}

/** Beyond it the model is no surer. */
const MOST_CHANCE = 0.99;
/** When much of what is known of one is said of the other in the same words. */
const REPEATED = 0.9;

/** A record as the model learned to read it. */
function recordOf({ name, type, context }: Bearer): string {
  return `${name} | ${type?.replace('ization', 'isation') ?? 'thing'} | ${context}`;
}

function verdictOf(score: number): Sameness['verdict'] {
  if (score >= SURE) return 'same';
  return score >= POSSIBLE ? 'unsure' : 'different';
}

const CLOSE: ReadonlySet<NameRelation> = new Set([
  'equal',
  'part',
  'short-form',
  'initial',
  'sound',
  'slip',
  'handle',
  'letters',
  'other-name',
  'legal-form',
]);
const TWICE: ReadonlySet<NameRelation> = new Set(['identical', 'single-identical']);
const APART: ReadonlySet<NameRelation> = new Set([
  'other-number',
  'other-ending',
  'other-given',
  'other-family',
  'generation',
]);
const ORDER = new Map<NameRelation, number>(NAME_RELATIONS.map((relation, index) => [relation, index]));

/** By their names first; an alias may bring them nearer, unless the names themselves tell them apart. */
function bestRelation(left: Bearer, right: Bearer, isPerson: boolean): NameRelation {
  let best = relateNames(left.name, right.name, isPerson);
  if (APART.has(best) || TWICE.has(best)) return best;
  for (const a of [left.name, ...left.aliases]) {
    for (const b of [right.name, ...right.aliases]) {
      const relation = relateNames(a, b, isPerson);
      if (APART.has(relation) || (ORDER.get(relation) ?? 0) >= (ORDER.get(best) ?? 0)) continue;
      best = relation;
    }
  }
  return best;
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

/** From here on what is known is alike, or the model is fairly sure. */
const ALIKE = 0.5;
const FAIRLY_SURE = Math.log(0.8 / 0.2);

function reasonsFor({ relation, likeness, odds, isSaid }: Signs): string[] {
  return [
    IN_WORDS[relation],
    ...(isSaid ? ['one says that it is the other'] : []),
    ...(likeness >= ALIKE ? ['much the same is known of both'] : []),
    ...(odds >= FAIRLY_SURE ? ['what is known of them fits one'] : []),
    ...(odds <= -FAIRLY_SURE ? ['what is known of them tells them apart'] : []),
  ];
}

interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The facts about it, in a few sentences. */
  readonly context: string;
}

/** Always the same table, whichever embedder a home uses, so that a verdict does not depend on that. */
let table: Embedder | undefined;

/** The similarity of the facts about two, 0 to 1. Their names are left out: they would drown the rest. */
async function contextLikeness(left: Described, right: Described): Promise<number> {
  table ??= openStaticEmbedder();
  const names = namesOf(left, right);
  const texts = [left, right].map(({ context }) => withoutNames(context, names));
  const [one, other] = await table.embed(texts, 'document');
  return one === undefined || other === undefined ? 0 : Math.max(0, dot(one, other));
}

function namesOf(left: Described, right: Described): Set<string> {
  return new Set([left.name, right.name].concat(left.aliases, right.aliases).flatMap(wordForms));
}

function withoutNames(context: string, names: ReadonlySet<string>): string {
  return context.replaceAll(/[\p{L}\p{N}+#]+/gu, (word) => (names.has(wordForms(word)[0] ?? '') ? '' : word));
}

function wordForms(text: string): string[] {
  return (text.replaceAll(/['’]s\b/gu, '').match(/[\p{L}\p{N}+#]+/gu) ?? []).map(
    (word) => spellings(word)[0] ?? word.toLowerCase(),
  );
}

/** Fewer words are soon found in the other's by chance. */
const FEW_WORDS = 4;
/** Of pairs with names as near as this asks for, 95 of 100 that share so much are one. */
const MUCH = 0.5;

/** Whether much of what is known of one is said of the other in the same words, and no figure speaks against it. */
function isSaidOfBoth(left: Described, right: Described): boolean {
  const names = namesOf(left, right);
  const [fewer, more] = [left, right]
    .map(({ context }) => new Set(splitWords(withoutNames(context, names)).flatMap(termsOfWord)))
    .sort((one, other) => one.size - other.size);
  if (fewer === undefined || more === undefined || fewer.size < FEW_WORDS) return false;
  const hasOwnFigure = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].some((word) => /\d/u.test(word) && !other.has(word));
  if (hasOwnFigure(fewer, more) && hasOwnFigure(more, fewer)) return false;
  return [...fewer].filter((word) => more.has(word)).length >= MUCH * fewer.size;
}

const CALLED =
  /\b(?:renamed|formerly|previously|used to be|was called|now called|also called|known as|alias|aka|a\.k\.a|real name|short for|stands for|goes by|nicknamed|nickname|rebranded|née|maiden name|new name|old name|full name|früher|ehemals)\b/iu;

/** Whether what is known of one says that it is called like the other. */
function isSaidToBe({ context }: Described, { name, aliases }: Described): boolean {
  const said = ` ${wordForms(context).join(' ')} `;
  const names = [name, ...aliases].map((each) => wordForms(each).join(' '));
  return CALLED.test(context) && names.some((each) => each !== '' && said.includes(` ${each} `));
}
