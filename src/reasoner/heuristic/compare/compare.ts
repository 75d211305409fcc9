import type { CompareInput, Comparison, Statement } from '../../port.ts';
import { foldBearer } from '../entities/bearer.ts';
import { containment, contentWords, foldWords, jaccard, stemOf } from '../text/words.ts';
import { align, type Alignment } from './alignment.ts';
import { detailsOf } from './details.ts';
import { findOtherSubject, type Said } from './guards.ts';
import { isSameNumber } from './numbers-said.ts';
import { readReminder } from './reminders.ts';
import { samenessOf, type Sameness } from './sameness.ts';
import {
  daysDiffer,
  givesNoOther,
  haveSameValues,
  ownNames,
  ownValues,
  sharedDays,
  sharedNumbers,
  valuesDiffer,
} from './values.ts';

/** Of the logarithm that `samenessOf` gives; lower, what only sounds alike is merged. */
const SAME = 1.1;
/** Whoever says that it is known need not say all of it again. */
const SAME_REMINDED = -0.5;
const REMINDED_WORDS = 0.3;
/** A newer value of the same thing: where the statement says what it takes the place of, and where it only says "now". */
const REPLACES = 1.2;
const CHANGES_VALUE = 2.6;
/** Words alike enough within one conversation. */
const SAME_WORDS = 0.8;
/** How much of a statement has to come again in one that says more. */
const COVERED = 0.8;

const CHANGES =
  /\b(?:now|instead|no longer|not .* any ?more|anymore|from now on|from .{2,20} on|moved|moves|changed|switched|new|since|after all|replaced|renamed|down to|up to|put off|postponed|dropped|cancelled|canceled)\b/iu;
/** Says that something does not come about, or not any more. */
const ENDS =
  /\b(?:after all|(?:is|are) off|called off|dropped|scrapped|cancel(?:led|ed|s)?|no longer|any ?more|goe?s? back|is back|stopped|given up)\b/iu;

/**
 * How a statement stands to a known one. Two memories merged wrongly are worse than one kept twice, so anything that
 * differs in whom, how many, when or whether it speaks of makes two statements different.
 */
export async function compareStatements(input: CompareInput): Promise<Comparison> {
  const { known, incoming, user } = input;
  const byProperty = compareProperties(known, incoming);
  if (byProperty !== undefined) return byProperty;
  if (foldWords(known.text) === foldWords(incoming.text)) return { verdict: 'same', reason: 'the same words' };
  const said = { text: known.text, details: detailsOf(known.text, user) };
  const { text, isReminder } = readReminder(incoming.text);
  if (isForgotten(said, text)) return { verdict: 'different', reason: 'one says to forget it' };
  const heard = { text, details: detailsOf(text, user) };
  if (input.isOneConversation === true && isSaidOnce(said, heard)) {
    return { verdict: 'same', reason: 'the same words, understood in two ways' };
  }
  const { kind: one } = known;
  if (!isReminder && one !== undefined && incoming.kind !== undefined && !areKin(one, incoming.kind)) {
    return { verdict: 'different', reason: `one is a ${one}, the other a ${incoming.kind}` };
  }
  const alignment = await align(said, heard);
  const isSameKind = isReminder || one === undefined || incoming.kind === undefined || areOfOneKind(one, incoming.kind);
  const evidence = { known: said.details, incoming: heard.details, alignment, isSameKind };
  return judge(input, { said, heard, isReminder, alignment, sameness: samenessOf(evidence) });
}

/** "Forget micropython, moss goes to Rust" says nothing again that speaks of micropython. */
const FORGETS = /^forget (?!(?:about )?(?:it|that|to|me)\b)(?:about )?(?<what>[^,;.]{2,40})[,;] /iu;

function isForgotten({ details }: Said, incoming: string): boolean {
  const what = FORGETS.exec(incoming)?.groups?.['what'];
  return what !== undefined && contentWords(what).some((word) => details.stems.includes(stemOf(word)));
}

interface Heard {
  readonly said: Said;
  readonly heard: Said;
  /** The new one says of itself that it is known. */
  readonly isReminder: boolean;
  readonly alignment: Alignment;
  readonly sameness: Sameness;
}

function judge(input: CompareInput, met: Heard): Comparison {
  const { said, heard, alignment, sameness } = met;
  const isLater = input.incoming.saidMs >= input.known.saidMs;
  if (takesThePlaceOf(said, heard)) {
    if (isLater && sameness.apartFromValues >= REPLACES) {
      return { verdict: 'replaces', reason: 'the later one says what it takes the place of' };
    }
    return { verdict: 'different', reason: 'one denies a part of the other' };
  }
  if (said.details.isNegated !== heard.details.isNegated && hasSameFrame(met)) {
    return isLater
      ? { verdict: 'replaces', reason: 'the later one denies what the earlier says' }
      : { verdict: 'contradicts', reason: 'one denies what the other says' };
  }
  const otherSubject = findOtherSubject(said, heard);
  if (otherSubject !== undefined) return { verdict: 'different', reason: otherSubject };
  if (daysDiffer(said.details, heard.details) || valuesDiffer(said.details, heard.details)) {
    return compareValues(met, isLater, input.isOneConversation === true);
  }
  if (ENDS.test(heard.text) && !ENDS.test(said.text)) {
    const isAboutIt = isLater && sameness.apartFromValues >= REPLACES && alignment.ofShorter.ownThings === 0;
    if (isAboutIt) return { verdict: 'replaces', reason: 'the later one says that it no longer holds' };
    return { verdict: 'different', reason: 'one says that something ends' };
  }
  return input.isOneConversation === true ? compareWords(met) : compareMeaning(met);
}

/** People who say two alike things in one conversation mean two things, unless one is a piece of the other. */
function compareWords({ said, heard, alignment }: Heard): Comparison {
  const [one, other] = [new Set(said.details.stems), new Set(heard.details.stems)];
  if (haveSameValues(said.details, heard.details) && jaccard(one, other) >= SAME_WORDS) {
    return { verdict: 'same', reason: 'the same names, figures and nearly the same words' };
  }
  const shortest = Math.min(one.size, other.size);
  if (shortest < MIN_WORDS || containment(one, other) < 1) {
    return { verdict: 'different', reason: 'they say different things' };
  }
  const isPiece = alignment.ofIncoming.byWord === 1 && givesNoOther(heard.details, said.details);
  if (isPiece) return { verdict: 'same', reason: 'a part of what was said' };
  const isWhole = givesNoOther(said.details, heard.details);
  return isWhole
    ? { verdict: 'refines', reason: 'it says the same with more detail' }
    : { verdict: 'different', reason: 'they say different things' };
}

function compareMeaning({ said, heard, isReminder, alignment, sameness }: Heard): Comparison {
  const different: Comparison = { verdict: 'different', reason: 'they say different things' };
  if (saysTooLittle(said, heard) || isTurn(said, heard, alignment)) return different;
  // Of something that is not known it reminds in vain: without words in common it is new.
  if (isReminder && sameness.whole >= SAME_REMINDED && alignment.ofShorter.byWord >= REMINDED_WORDS) {
    return { verdict: 'same', reason: 'a reminder of it' };
  }
  if (sameness.whole < SAME) return different;
  const isCovered = alignment.ofKnown.byMeaning >= COVERED && ownValues(said.details, heard.details) === 0;
  const adds = ownValues(heard.details, said.details) > 0;
  if (adds && !isCovered) return different;
  const saysMore = adds || ownNames(heard.details, said.details) > 0 || alignment.ofIncoming.missing >= 3;
  return isCovered && saysMore
    ? { verdict: 'refines', reason: 'it says the same with more detail' }
    : { verdict: 'same', reason: 'the same in other words' };
}

/** A name and a place are in many statements: two words in common with a longer one are no proof. */
const MIN_WORDS = 3;

function saysTooLittle({ details: one }: Said, { details: other }: Said): boolean {
  const shortest = Math.min(one.words.length, other.words.length);
  const isShorter = shortest < MIN_WORDS && shortest < Math.max(one.words.length, other.words.length);
  // "Seun starts on 1 April": a day that both give is worth a word.
  return isShorter && one.numbers.size === 0 && sharedDays(one, other) === 0;
}

/** "is probable" and "now counts as certain": a change that is put in words instead of figures. */
function isTurn(said: Said, heard: Said, { ofKnown, ofIncoming }: Alignment): boolean {
  const isOtherwise = ofKnown.byWord < 1 && ofIncoming.byWord < 1 && sharedNumbers(said.details, heard.details) === 0;
  return isOtherwise && CHANGES.test(heard.text) && !CHANGES.test(said.text);
}

/** Whether a part of what is known stands in the new statement as what no longer holds. */
function takesThePlaceOf({ details: known }: Said, { details: incoming }: Said): boolean {
  const { denied, numbers } = incoming;
  if (denied.size === 0) return false;
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

/** Other figures or days in otherwise the same statement: a new value, if it says so or comes later. */
function compareValues(met: Heard, isLater: boolean, isOneConversation: boolean): Comparison {
  if (isLater && CHANGES.test(met.heard.text) && met.sameness.apartFromValues >= CHANGES_VALUE) {
    return { verdict: 'replaces', reason: 'the same statement with a newer value' };
  }
  // "On Tuesdays at nine, on Fridays at ten": said side by side, both hold.
  return hasSameFrame(met) && !isOneConversation
    ? { verdict: 'contradicts', reason: 'the same statement with another value' }
    : { verdict: 'different', reason: 'other figures or days' };
}

/** The same words apart from figures, days and "not". */
function hasSameFrame({ said, heard }: Heard): boolean {
  const [one, other] = [new Set(said.details.stems), new Set(heard.details.stems)];
  return one.size === other.size && containment(one, other) === 1;
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
  if (foldWords(known.value) === foldWords(incoming.value))
    return { verdict: 'same', reason: `the same ${known.attribute}` };
  return incoming.saidMs >= known.saidMs
    ? { verdict: 'replaces', reason: `a newer ${known.attribute}` }
    : { verdict: 'contradicts', reason: `another ${known.attribute}, said earlier` };
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

const SAID_ONCE = 0.9;

/** One sentence that was taken for a lesson and for a decision is still one. */
function isSaidOnce({ details: one }: Said, { details: other }: Said): boolean {
  const isCovered = givesNoOther(one, other) || givesNoOther(other, one);
  return isCovered && one.words.length >= MIN_WORDS && jaccard(new Set(one.stems), new Set(other.stems)) >= SAID_ONCE;
}

/** A correction or a decision may be what is known as a fact. */
function areKin(one: string, other: string): boolean {
  if (one === other) return true;
  const kin = new Set(['fact', 'correction', 'person', 'decision']);
  const rules = new Set(['lesson', 'procedure', 'preference']);
  return (kin.has(one) && kin.has(other)) || (rules.has(one) && rules.has(other));
}

/** A correction is a way of saying something: what is said is of any kind. */
function areOfOneKind(one: string, other: string): boolean {
  return one === other || one === 'correction' || other === 'correction';
}
