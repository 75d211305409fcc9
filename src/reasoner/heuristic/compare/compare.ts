import { canonicalWords, sameWords } from '../../../model/same-words.ts';
import type { CompareInput, Comparison, Statement } from '../../port.ts';
import { foldBearer } from '../entities/bearer.ts';
import { foldWords, stemOf } from '../text/words.ts';
import { align, type Alignment } from './alignment.ts';
import { datesIn } from './dates-said.ts';
import { detailsOf } from './details.ts';
import { findOtherSubject, type Said } from './guards.ts';
import { isSameNumber, numbersIn } from './numbers-said.ts';
import { aboutnessOf } from './aboutness.ts';
import { daysDiffer, valuesDiffer } from './values.ts';

/** A newer value of the same thing: where the statement says what it replaces, and where it only says "now". */
const REPLACES = 1.2;
const CHANGES_VALUE = 2.6;

const CHANGES =
  /\b(?:now|instead|no longer|not .* any ?more|anymore|from now on|from .{2,20} on|moved|moves|changed|switched|new|since|after all|replaced|renamed|down to|up to|put off|postponed|dropped|cancelled|canceled)\b/iu;
/** Says that something does not come about, or not any more. */
const ENDS =
  /\b(?:after all|called off|dropped|scrapped|cancel(?:led|ed|s)?|no longer|any ?more|goe?s? back|is back|stopped|given up)\b/iu;

/**
 * Compares a statement with a known one. Only the same words are the same statement: a wrong merge loses what was said,
 * a missed one keeps it twice.
 */
export async function compareStatements(input: CompareInput): Promise<Comparison> {
  const { known, incoming, user } = input;
  if (sameWords(known.text, incoming.text)) return { verdict: 'same', reason: 'the same words' };
  const byProperty = compareProperties(known, incoming);
  if (byProperty !== undefined) return byProperty;
  const said = { text: known.text, details: detailsOf(known.text, user) };
  const heard = { text: incoming.text, details: detailsOf(incoming.text, user) };
  if (known.kind !== undefined && incoming.kind !== undefined && !areKin(known.kind, incoming.kind)) {
    return { verdict: 'different', reason: `one is a ${known.kind}, the other a ${incoming.kind}` };
  }
  const alignment = await align(said, heard);
  const isSameKind = known.kind === undefined || incoming.kind === undefined || areOfOneKind(known.kind, incoming.kind);
  const evidence = { known: said.details, incoming: heard.details, alignment, isSameKind };
  return judge(input, { said, heard, alignment, aboutness: aboutnessOf(evidence) });
}

interface Met {
  readonly said: Said;
  readonly heard: Said;
  readonly alignment: Alignment;
  /** How surely both speak of one thing, whatever values they give; a log-likelihood, so 0 is even. */
  readonly aboutness: number;
}

function judge(input: CompareInput, met: Met): Comparison {
  const { said, heard, alignment, aboutness } = met;
  const isLater = input.incoming.saidMs >= input.known.saidMs;
  if (takesThePlaceOf(said, heard)) {
    if (isLater && aboutness >= REPLACES) {
      return { verdict: 'replaces', reason: 'the later one says what it takes the place of' };
    }
    return { verdict: 'different', reason: 'one denies a part of the other' };
  }
  if (said.details.isNegated !== heard.details.isNegated && hasSameFrame(met)) {
    return { verdict: 'contradicts', reason: 'one denies what the other says' };
  }
  const otherSubject = findOtherSubject(said, heard);
  if (otherSubject !== undefined) return { verdict: 'different', reason: otherSubject };
  if (daysDiffer(said.details, heard.details) || valuesDiffer(said.details, heard.details)) {
    return compareValues(met, isLater, input.isOneConversation === true);
  }
  const isAboutIt = isLater && aboutness >= REPLACES && alignment.ownThings === 0;
  if (isAboutIt && ENDS.test(heard.text) && !ENDS.test(said.text)) {
    return { verdict: 'replaces', reason: 'the later one says that it no longer holds' };
  }
  return { verdict: 'different', reason: 'not the same words' };
}

/** Whether a part of what is known stands in the new statement as what no longer holds. */
function takesThePlaceOf({ details: known }: Said, { details: incoming }: Said): boolean {
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

/** Other figures or days in otherwise the same statement: a new value, if it says so or comes later. */
function compareValues(met: Met, isLater: boolean, isOneConversation: boolean): Comparison {
  if (isLater && CHANGES.test(met.heard.text) && met.aboutness >= CHANGES_VALUE) {
    return { verdict: 'replaces', reason: 'the same statement with a newer value' };
  }
  // "On Tuesdays at nine, on Fridays at ten": said side by side, both hold.
  return hasSameFrame(met) && !isOneConversation
    ? { verdict: 'contradicts', reason: 'the same statement with another value' }
    : { verdict: 'different', reason: 'other figures or days' };
}

/** The same words in the same order apart from figures, days and "not". */
function hasSameFrame({ said, heard }: Met): boolean {
  return frameOf(said.text) === frameOf(heard.text);
}

const DENIES = /^(?:not|no|never|do|does|did)$/u;

function frameOf(text: string): string {
  const undated = numbersIn(datesIn(text).rest).words.replaceAll(/n['’]t\b/giu, ' not');
  return canonicalWords(undated)
    .split(' ')
    .filter((word) => !DENIES.test(word))
    .map(stemOf)
    .join(' ');
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
  const isLater = incoming.saidMs >= known.saidMs;
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

/** A correction is a way of saying something: what is said is of any kind. */
function areOfOneKind(one: string, other: string): boolean {
  return one === other || one === 'correction' || other === 'correction';
}
