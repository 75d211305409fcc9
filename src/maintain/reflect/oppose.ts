import type { Judge } from '../../judge/judge.ts';
import { contentWords, stemOf } from '../../model/content-words.ts';

/**
 * Whether two statements of different days cannot both hold. The pair head of the model has learned updates and denials; of two
 * that differ in one value only ("in room 114", "in room 208") it says that they are different, which is why clauses are compared
 * word by word first.
 */
export function oppose(one: string, other: string, openJudge: () => Pick<Judge, 'comparePair'>): boolean {
  if (opposeInWords(one, other)) return true;
  const [left, right] = [clauseOf(one), clauseOf(other)];
  if (left === undefined || right === undefined || left.isOwn !== right.isOwn) return false;
  // The model is certain about some that have nothing in common.
  if (left.matter.isDisjointFrom(right.matter)) return false;
  return judgeOpposes(one, other, openJudge, left.isDenied === right.isDenied ? CERTAIN : DENIED);
}

/** The part of it that needs no model. */
export function opposeInWords(one: string, other: string): boolean {
  const [left, right] = [clauseOf(one), clauseOf(other)];
  if (left === undefined || right === undefined || left.isOwn !== right.isOwn) return false;
  if (left.isDenied !== right.isDenied) return deniesIt(left, right);
  return hasOtherFigure(left, right) || hasOtherEnd(left, right);
}

interface Clause {
  /** Lower case, articles and small openers left out. */
  readonly words: readonly string[];
  /** Stems of the words that carry content, without figures and denials. */
  readonly matter: ReadonlySet<string>;
  readonly figures: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly isDenied: boolean;
  /** Said of whoever speaks. */
  readonly isOwn: boolean;
}

const OPENER =
  /^(?:fyi|btw|by the way|also|and|so|well|ok(?:ay)?|actually|anyway|remember(?: that)?|note(?: that)?|just so you know|correction)\b[,:]?\s+/iu;
/** A remark behind the clause says why, and differs from one telling to the next. */
const REMARK =
  /[,;:(—]|\s-\s|\s(?:because|since|so|but|if|when|although)\s|\band (?:i|we|it|he|she|they|the|my|our)\b/iu;
const LEAST_WORDS = 3;
const MOST_WORDS = 24;

const SPELLED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can['’]?t|cannot)\b/giu, 'can not'],
  [/\bwon['’]t\b/giu, 'will not'],
  [/n['’]t\b/giu, ' not'],
  [/\b(do|does|is|are|did|has|have|should|must|was|would)nt\b/giu, '$1 not'],
  [/\b(?:can not|could not) stand\b/giu, 'not like'],
  [/\b(?:hates?|dislikes?|detests?|loathes?)\b/giu, 'not like'],
  [/\b(eat|own|run|pay|use|sit|get|say|see)s\b/giu, '$1'],
  [/\b(?:likes|loves?|enjoys?|adores?)\b/giu, 'like'],
  [/\b(?:am|is|are) (?:bad|terrible|awful|horrible|unbearable)\b/giu, 'not like'],
  [/\b(?:am|is|are) not allergic to\b/giu, 'eat'],
  [/\b(?:am|is|are) allergic to\b/giu, 'not eat'],
  [/\b(?:am|is|are) (?:an? )?(?:vegetarian|vegan)s?\b/giu, 'not eat meat'],
  [/\b(?:beers?|wine|vodka|whisky|rum)\b/giu, 'alcohol'],
  [/\b[Mm]y \p{Ll}+ (?=\p{Lu})/gu, ''],
  [/^(\p{Lu}[\p{L} .]+?) is (my|our|the) ([^,;]+)$/u, '$2 $3 is $1'],
];
const ARTICLE = /^(?:the|an?|our)$/u;
const DENIAL = /^(?:not|no|never|none|nobody|nothing|neither)$/u;
/** Words of frequency or amount, which say nothing of the subject. */
const MEASURE =
  /^(?:always|every|each|any|all|only|just|really|very|do|does|may|must|should|can|will|need|ever|too|much|lot)s?$/u;
const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth';
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday';
const MONTHS = 'january february march april may june july august september october november december';
const FIGURES = new Set(`${NUMBERS} ${ORDINALS} ${MONTHS} ${DAYS} ${DAYS.replaceAll(/(\w)\b/gu, '$1s')}`.split(' '));
/** A thing done once may be done otherwise another time. */
const ONCE =
  /\b(?:today|tonight|yesterday|tomorrow|last|next|until|this (?:morning|evening|afternoon|week|month|time))\b/iu;
const STATES =
  /^(?:is|are|am|has|have|takes?|costs?|needs?|keeps?|holds?|lasts?|begins?|starts?|ends?|lives?|works?|meets?|sits?|stands?|lies|hangs?|runs?|goes|go|pays?|charges?|drinks?|listens?|opens?|closes?|belongs?|serves?|uses?)$/u;

function clauseOf(sentence: string): Clause | undefined {
  if (sentence.includes('?') || ONCE.test(sentence)) return undefined;
  let text = sentence.trim().replace(/[.!\s]+$/u, '');
  for (let opener = OPENER.exec(text); opener !== null; opener = OPENER.exec(text)) text = text.slice(opener[0].length);
  const at = REMARK.exec(text)?.index ?? text.length;
  if (text.slice(0, at).split(/\s+/u).length >= LEAST_WORDS) text = text.slice(0, at).trim();
  for (const [form, spelled] of SPELLED) text = text.replace(form, spelled);
  const words = (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}:.,'’/_-]*/gu) ?? [])
    .map((word) => word.replace(/[.,:'’-]+$/u, ''))
    .filter((word) => !ARTICLE.test(word));
  if (words.length < LEAST_WORDS || words.length > MOST_WORDS) return undefined;
  const isFigure = (word: string): boolean => /\d/u.test(word) || FIGURES.has(word);
  const carrying = words.filter((word) => !isFigure(word) && !DENIAL.test(word) && !MEASURE.test(word));
  const matter = new Set(contentWords(carrying.join(' ')).map(stemOf));
  if (words.includes('like')) matter.add('like');
  return {
    words,
    matter,
    figures: new Set(words.filter(isFigure).map((word) => word.replace(/days$/u, 'day'))),
    names: new Set((text.match(/(?<=\S\s+)\p{Lu}\p{L}+/gu) ?? []).map((name) => name.toLowerCase())),
    isDenied: words.some((word) => DENIAL.test(word)),
    isOwn: /^(?:i|we)$/u.test(words[0] ?? ''),
  };
}

const NEARLY_ALL = 0.75;
const MOST = 0.6;

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.intersection(other).size / Math.max(1, one.union(other).size);
}

/** One denies what the other says: "I own a car", "I don't own a car". */
function deniesIt(one: Clause, other: Clause): boolean {
  const [shorter, longer] = one.matter.size <= other.matter.size ? [one, other] : [other, one];
  const isSaid = shorter.matter.size > 0 && shorter.matter.isSubsetOf(longer.matter);
  const isEnough = shorter.matter.size >= 2 || shorter.names.size > 0 || longer.matter.size === 1;
  return isSaid && isEnough && namesAll(one, other) && namesAll(other, one) && haveFiguresInCommon(one, other);
}

function namesAll({ names }: Clause, { words }: Clause): boolean {
  return [...names].every((name) => words.includes(name));
}

/** "Not on Fridays" and "on Tuesdays" go together. */
function haveFiguresInCommon({ figures: one }: Clause, { figures: other }: Clause): boolean {
  return one.size === 0 || other.size === 0 || !one.isDisjointFrom(other);
}

/** Each gives one figure or day that the other does not give, and the rest is the same. */
function hasOtherFigure(one: Clause, other: Clause): boolean {
  const [own] = [...one.figures.difference(other.figures)];
  const [another] = [...other.figures.difference(one.figures)];
  if (own === undefined || another === undefined || one.isDenied) return false;
  if (one.figures.symmetricDifference(other.figures).size !== 2 || !isState(one) || !isState(other)) return false;
  const unitOf = ({ words }: Clause, figure: string): string =>
    stemOf(words[words.findIndex((word) => word.startsWith(figure)) + 1] ?? '');
  const isOfOneUnit = unitOf(one, own) !== '' && unitOf(one, own) === unitOf(other, another);
  return shareOf(one.matter, other.matter) >= (isOfOneUnit ? MOST : NEARLY_ALL);
}

/** A verb of what lasts, behind whatever it is said of: "Take five" asks for something. */
function isState({ words }: Clause): boolean {
  return words.findIndex((word) => STATES.test(word)) > 0;
}

const PLACE = /^(?:in|at|on|by|from|under|behind|beside)$/u;
const SINGLE = /^(?:runs?|leads?|heads?|owns?|manages?|chairs?|organi[sz]es?)$/u;
/** Of these there may be several. */
const SEVERAL =
  /^(?:friend|colleague|cousin|brother|sister|neighbour|neighbor|aunt|uncle|son|daughter|grandson|granddaughter|child|pupil|student|client|customer|guest|supplier|employee)$/u;
const MOST_DIFFERENT = 3;

/** The same words but for the place, the person in charge, or the name of something that has one. */
function hasOtherEnd(one: Clause, other: Clause): boolean {
  const [left, right] = [one.words.map(stemOf), other.words.map(stemOf)];
  if (!isState(one) && !one.words.some((word) => SINGLE.test(word))) return false;
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const [own, another] = [left.length, right.length].map((length) => length - start - end);
  if (
    own === undefined ||
    another === undefined ||
    Math.min(own, another) < 1 ||
    Math.max(own, another) > MOST_DIFFERENT
  )
    return false;
  if (start + end < 2 || one.matter.intersection(other.matter).size === 0) return false;
  const before = one.words.slice(0, start);
  const [first = '', second = ''] = [one, other].map(({ words }) => words[start] ?? '');
  if (start === 0) return isNamed(one, 0) && isNamed(other, 0) && SINGLE.test(one.words[own] ?? '');
  const isPlace = PLACE.test(before.at(-1) ?? '') || (PLACE.test(first) && PLACE.test(second));
  if (isPlace && end === 0 && isState(one) && !before.some((word) => /^(?:has|have)$/u.test(word))) return true;
  const isName = before.at(-1) === 'is' && hasName(one, start, own) && hasName(other, start, another);
  return isName && !before.some((word) => SEVERAL.test(word));
}

function hasName({ words, names }: Clause, start: number, length: number): boolean {
  return words.slice(start, start + length).some((word) => names.has(word));
}

/** A clause may begin with a name, which no capital inside a sentence shows. */
function isNamed({ words, matter }: Clause, at: number): boolean {
  return matter.has(stemOf(words[at] ?? '')) && !/^(?:i|we|my|it|he|she|they|you|who)$/u.test(words[at] ?? '');
}

/** Mean of both orders, where one denies; the least of both, where neither or both do. */
const DENIED = { opposite: 0.6, update: 0.93, isMean: true };
const CERTAIN = { opposite: 0.95, update: 0.93, isMean: false };

function judgeOpposes(
  one: string,
  other: string,
  openJudge: () => Pick<Judge, 'comparePair'>,
  least: typeof DENIED,
): boolean {
  const judge = openJudge();
  const { opposite = 0, update = 0 } = judge.comparePair(one, other);
  if (update >= least.update) return true;
  const back = judge.comparePair(other, one)['opposite'] ?? 0;
  return (least.isMean ? (opposite + back) / 2 : Math.min(opposite, back)) >= least.opposite;
}
