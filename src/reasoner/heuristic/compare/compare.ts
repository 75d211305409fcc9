import { errorMessage, MnemeError } from '../../../model/errors.ts';
import { canonicalWords, sameWords } from '../../../model/same-words.ts';
import { isEarlierMinute } from '../../../model/time.ts';
import { type Judge, packagedJudge } from '../../../judge/judge.ts';
import type { CompareInput, Comparison, Statement } from '../../port.ts';
import { foldBearer } from '../entities/bearer.ts';
import { stemOf } from '../text/words.ts';
import { coverageOf } from './coverage.ts';
import { type Details, datesIn, detailsOf, isSameNumber, numbersIn } from './details.ts';
import { foldWords } from '../../../model/text.ts';

/** Where a statement says what it replaces: whether it speaks of the known one. */
const NAMES_IT = 0.6;
/**
 * The share of the shorter that must be found in the other for one to replace the other, and the least number of words found.
 * The model alone is right about writers' pairs (150 updates of 204 from a chance of .9 on, and 3 of 136 different things), but in a
 * home half of what it takes for an update from words that share little is none: then both stay, and a person is asked.
 */
const SAME_MATTER = 0.5;
const LEAST_WORDS = 3;
const UPDATE = 0.9;
/** The share that must be found for two to be opposites. */
const COMPARABLE = 0.6;
/** In both orders. Statements with most words in common need less: in other words, the same is taken for its opposite. */
const OPPOSITE = 0.9;
const OPPOSITE_IN_THE_SAME_WORDS = 0.75;
const MOST_WORDS = 0.65;

type PairJudge = Pick<Judge, 'comparePair'>;

/**
 * Compares a statement with a known one. Only the same words are the same statement: a wrong merge loses what was said,
 * a missed one keeps it twice, and no threshold on the model's chance of `same` was without wrong merges.
 */
export async function compareStatements(
  input: CompareInput,
  openJudge: () => PairJudge = packagedJudge,
): Promise<Comparison> {
  const { known, incoming, user } = input;
  if (sameWords(known.text, incoming.text)) return { verdict: 'same', reason: 'the same words' };
  const byProperty = compareProperties(known, incoming);
  if (byProperty !== undefined) return byProperty;
  if (known.kind !== undefined && incoming.kind !== undefined && !areKin(known.kind, incoming.kind)) {
    return { verdict: 'different', reason: `one is a ${known.kind}, the other a ${incoming.kind}` };
  }
  const said = { text: known.text, details: detailsOf(known.text, user) };
  const heard = { text: incoming.text, details: detailsOf(incoming.text, user) };
  const coverage = await coverageOf(said, heard);
  const isLater = !isEarlierMinute(incoming.saidMs, known.saidMs);
  if (takesThePlaceOf(said.details, heard.details)) {
    return isLater && coverage >= NAMES_IT
      ? { verdict: 'replaces', reason: 'the later one says what it takes the place of' }
      : { verdict: 'different', reason: 'one denies a part of the other' };
  }
  // "On Tuesdays at nine, on Fridays at ten": said side by side, both hold.
  if (input.isOneConversation === true || saysNoMore(known.text, incoming.text)) return DIFFERENT;
  if (
    coverage >= COMPARABLE &&
    oneValueDiffers(said.details, heard.details) &&
    frameOf(known.text) === frameOf(incoming.text)
  ) {
    return isLater && NOW.test(incoming.text)
      ? { verdict: 'replaces', reason: 'the same statement with a newer value' }
      : { verdict: 'contradicts', reason: 'the same statement with another value' };
  }
  if (isComparedTheOtherWay(known.text, incoming.text))
    return { verdict: 'contradicts', reason: 'each is said to be more than the other' };
  try {
    const words = Math.min(said.details.words.length, heard.details.words.length);
    return ask(openJudge(), input, { isLater, coverage, words });
  } catch (error) {
    // Without its model a memory still takes in what is new; it only misses what that contradicts.
    if (!(error instanceof MnemeError)) throw error;
    return { verdict: 'different', reason: `not the same words, and not judged: ${errorMessage(error)}` };
  }
}

interface Overlap {
  readonly isLater: boolean;
  readonly coverage: number;
  /** Of the shorter. */
  readonly words: number;
}

const DIFFERENT: Comparison = { verdict: 'different', reason: 'not the same words' };

function ask(judge: PairJudge, { known, incoming }: CompareInput, { isLater, coverage, words }: Overlap): Comparison {
  const { update = 0, opposite = 0 } = judge.comparePair(known.text, incoming.text);
  const least = wordsShared(known.text, incoming.text) >= MOST_WORDS ? OPPOSITE_IN_THE_SAME_WORDS : OPPOSITE;
  const mayDeny = coverage >= COMPARABLE && opposite >= least;
  if (mayDeny && (judge.comparePair(incoming.text, known.text)['opposite'] ?? 0) >= least) {
    return { verdict: 'contradicts', reason: 'one says the opposite of the other' };
  }
  if (!isLater || update < UPDATE) return DIFFERENT;
  return coverage >= SAME_MATTER && words >= LEAST_WORDS
    ? { verdict: 'replaces', reason: 'the later one says what became of it' }
    : { verdict: 'contradicts', reason: 'the later one may say what became of it' };
}

/** Whether a part of what is known stands in the new statement as what no longer holds. */
function takesThePlaceOf(known: Details, incoming: Details): boolean {
  const { denied, numbers } = incoming;
  // "From Lund to Malmö" and "from Malmö to Lund" are two ways; neither is what became of the other.
  if (denied.size === 0 || known.denied.size > 0) return false;
  const { days, weekdays, months } = known.dates;
  if ([...days, ...weekdays, ...months, ...known.names].some((each) => denied.has(each))) return true;
  // "8 seconds instead of 12" is not about the 12 volts.
  const units = new Set([...numbers].map((number) => number.split(' ')[1]).filter((unit) => unit !== undefined));
  const isMeant = (number: string): boolean => {
    const [, unit] = number.split(' ');
    return unit === undefined || units.size === 0 || units.has(unit);
  };
  return [...known.numbers].some((number) => isMeant(number) && [...denied].some((each) => isSameNumber(each, number)));
}

const NOW = /\bnow\b/iu;

/** The same words in the same order apart from figures, days and "now". */
function frameOf(text: string): string {
  return wordsIn(numbersIn(datesIn(text).rest).words)
    .filter((word) => !NOW.test(word))
    .map(stemOf)
    .join(' ');
}

const DENIES = /^(?:not|no|never|none|nobody|nothing|without|neither|nor|cannot|only|instead)$/u;

/**
 * Whether the words of one are all words of the other, and what the other has more denies nothing: "On long flights Ada
 * prefers window seats". The writers of the model's pairs never repeat themselves, so that it takes a repetition for a denial.
 */
function saysNoMore(one: string, other: string): boolean {
  const [left, right] = [wordsIn(one), wordsIn(other)];
  if (areExchanged(left, right)) return false;
  const bags = [left, right].map((words) => new Set(words.filter((word) => word !== 'of').map(stemOf)));
  const [fewer, more] = bags.sort((smaller, larger) => smaller.size - larger.size);
  if (fewer === undefined || more === undefined) return false;
  return [...fewer].every((word) => more.has(word)) && ![...more].some((word) => DENIES.test(word) && !fewer.has(word));
}

/** "Ilse tutors Radek", "Radek tutors Ilse": most words stay where they are. In "Miso and Nori" the order says nothing. */
function areExchanged(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const moved = left
    .keys()
    .filter((at) => left[at] !== right[at])
    .toArray();
  const [first = 0, second = 0] = moved;
  const isList = moved.length === 2 && second - first === 2 && /^(?:and|or)$/u.test(left[first + 1] ?? '');
  return !isList && moved.length <= left.length / 2;
}

const COMPARES = /\b(?:\p{L}+er|more|less|worse) than\b/iu;

/** "Finn is older than Liv" and "Liv is older than Finn": the model takes what only has other places for the same. */
function isComparedTheOtherWay(one: string, other: string): boolean {
  return (
    COMPARES.test(one) && COMPARES.test(other) && isSameBag(one, other) && areExchanged(wordsIn(one), wordsIn(other))
  );
}

function isSameBag(one: string, other: string): boolean {
  return wordsIn(one).toSorted().join(' ') === wordsIn(other).toSorted().join(' ');
}

/** Of all words of both, the share that both have. */
function wordsShared(one: string, other: string): number {
  const [left, right] = [wordsIn(one), wordsIn(other)];
  const rest = [...right];
  for (const word of left) if (rest.includes(word)) rest.splice(rest.indexOf(word), 1);
  return (2 * (right.length - rest.length)) / (left.length + right.length);
}

function wordsIn(text: string): string[] {
  return canonicalWords(text.replaceAll(/n['’]t\b/giu, ' not')).split(' ');
}

function compareProperties(known: Statement, incoming: Statement): Comparison | undefined {
  if (known.subject === undefined || incoming.subject === undefined) return undefined;
  if (known.attribute === undefined || incoming.attribute === undefined) return undefined;
  const isSameSubject = foldBearer(known.subject) === foldBearer(incoming.subject);
  if (!isSameSubject) return { verdict: 'different', reason: 'they are about different subjects' };
  if (known.attribute !== incoming.attribute)
    return { verdict: 'different', reason: 'they state different properties' };
  if (known.value === undefined || incoming.value === undefined) return undefined;
  if (areOfOtherThings(known, incoming)) return { verdict: 'different', reason: 'they are about different things' };
  if (sameWords(known.value, incoming.value))
    return { verdict: 'different', reason: `the same ${known.attribute} in other words` };
  const isLater = !isEarlierMinute(incoming.saidMs, known.saidMs);
  return { verdict: 'replaces', reason: isLater ? `a newer ${known.attribute}` : `an earlier ${known.attribute}` };
}

/** `harbor-ledger`, or a capital letter inside a sentence. */
const THING = /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}]+|[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu;

/**
 * "The port of harbor-ledger is …" stands in the file of whoever said it, and so does the port of crane-api: where a
 * statement does not speak of the file's subject at all, the things it names are what the property belongs to.
 */
function areOfOtherThings(known: Statement, incoming: Statement): boolean {
  const [one, other] = [thingsIn(known), thingsIn(incoming)];
  return one.size > 0 && other.size > 0 && [...one].every((thing) => !other.has(thing));
}

function thingsIn({ text, subject = '', value = '' }: Statement): Set<string> {
  if (foldWords(text).includes(foldWords(subject))) return new Set();
  const things = [...text.matchAll(THING)].map(([thing]) => foldWords(thing));
  return new Set(things.filter((thing) => !foldWords(value).includes(thing)));
}

/** A correction or a decision may be what is known as a fact. */
function areKin(one: string, other: string): boolean {
  if (one === other) return true;
  const kin = new Set(['fact', 'correction', 'person', 'decision']);
  const rules = new Set(['lesson', 'procedure', 'preference']);
  return (kin.has(one) && kin.has(other)) || (rules.has(one) && rules.has(other));
}

/** Each gives one figure or day that the other does not give: of two that differ, one tells which thing is meant. */
function oneValueDiffers(one: Details, other: Details): boolean {
  return ownValues(one, other) === 1 && ownValues(other, one) === 1;
}

/** Figures and days of one that the other does not give; a day of a month that is all the other says is no new one. */
function ownValues(one: Details, other: Details): number {
  const { days, months, weekdays } = other.dates;
  const ownDays = [...one.dates.days].filter(
    (day) => !days.has(day) && !(days.size === 0 && months.has(day.slice(0, 2))),
  );
  const ownMonths = one.dates.days.size > 0 ? [] : [...one.dates.months].filter((month) => !months.has(month));
  const ownWeekdays = [...one.dates.weekdays].filter((weekday) => !weekdays.has(weekday));
  const ownNumbers = [...one.numbers].filter(
    (number) => ![...other.numbers].some((each) => isSameNumber(number, each)),
  );
  return ownNumbers.length + ownDays.length + ownMonths.length + ownWeekdays.length;
}
