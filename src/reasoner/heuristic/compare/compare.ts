import type { CompareInput, Comparison, Statement } from '../../port.ts';
import { containment, jaccard, stemsOf } from '../text/words.ts';
import { detailsOf, type Details } from './details.ts';

/** Words alike enough to speak of the same thing, and to say the same. */
const SAME_FRAME = 0.6;
const SAME_WORDS = 0.8;
const SAME_MEANING = 0.9;
const CHANGES =
  /\b(?:now|instead|no longer|not .* any ?more|anymore|from now on|moved|changed|switched|new|since|after all|replaced|renamed|down to|up to|dropped|cancelled|canceled)\b/iu;

/**
 * How a statement stands to a known one. Two memories merged wrongly are worse than one kept twice, so anything that
 * differs in whom, how many, when or whether it speaks of makes two statements different.
 */
export function compareStatements({ known, incoming, similarity }: CompareInput): Comparison {
  const byProperty = compareProperties(known, incoming);
  if (byProperty !== undefined) return byProperty;
  if (normal(known.text) === normal(incoming.text)) return { verdict: 'same', reason: 'the same words' };
  if (
    known.kind !== undefined &&
    incoming.kind !== undefined &&
    known.kind !== incoming.kind &&
    !areKin(known.kind, incoming.kind)
  ) {
    return { verdict: 'different', reason: `one is a ${known.kind}, the other a ${incoming.kind}` };
  }
  const one = detailsOf(known.text);
  const other = detailsOf(incoming.text);
  if (conflicts(one.names, other.names))
    return { verdict: 'different', reason: 'they name different people or things' };
  const frame = jaccard(one.frame, other.frame);
  const isSameFrame = frame >= SAME_FRAME && one.names.size === other.names.size;
  const isDenied = [...one.numbers, ...one.dates, ...one.names].some((each) => other.denied.has(each));
  if (isDenied && later(known, incoming) && containment(one.frame, other.frame) >= SAME_FRAME) {
    return { verdict: 'replaces', reason: 'the later one says what it takes the place of' };
  }
  if (isDenied) return { verdict: 'different', reason: 'one denies a part of the other' };
  if (conflicts(one.numbers, other.numbers) || conflicts(one.dates, other.dates))
    return compareValues(one, other, isSameFrame, known, incoming);
  if (one.isNegated !== other.isNegated) {
    if (!isSameFrame) return { verdict: 'different', reason: 'one denies something else' };
    return later(known, incoming)
      ? { verdict: 'replaces', reason: 'the later one denies what the earlier says' }
      : { verdict: 'contradicts', reason: 'one denies what the other says' };
  }
  return compareWords(known, incoming, similarity, one, other);
}

function compareWords(
  known: Statement,
  incoming: Statement,
  similarity: number,
  one: Details,
  other: Details,
): Comparison {
  const knownStems = stemsOf(known.text);
  const incomingStems = stemsOf(incoming.text);
  const alike = jaccard(knownStems, incomingStems);
  const hasSameFigures = equal(one.numbers, other.numbers) && equal(one.dates, other.dates);
  // "Two daughters" and "two cats": where each has a word of its own, they speak of different things.
  const isNear =
    alike >= SAME_WORDS ||
    (similarity >= SAME_MEANING && alike >= 0.5 && containment(knownStems, incomingStems) >= 0.9);
  if (hasSameFigures && equal(one.names, other.names) && isNear) {
    return { verdict: 'same', reason: 'the same names, figures and nearly the same words' };
  }
  const addsDetail = incomingStems.size > knownStems.size && hasSameFigures && isSubset(one.names, other.names);
  if (
    addsDetail &&
    similarity >= SAME_MEANING &&
    containment(knownStems, incomingStems) >= 0.8 &&
    knownStems.size >= 3
  ) {
    return { verdict: 'refines', reason: 'it says the same with more detail' };
  }
  return { verdict: 'different', reason: 'they say different things' };
}

/** Other figures or days in otherwise the same statement: a new value, if it says so or comes later. */
function compareValues(
  one: Details,
  other: Details,
  isSameFrame: boolean,
  known: Statement,
  incoming: Statement,
): Comparison {
  if (!isSameFrame || jaccard(one.frame, other.frame) < 0.7)
    return { verdict: 'different', reason: 'other figures or days' };
  if (later(known, incoming) && CHANGES.test(incoming.text))
    return { verdict: 'replaces', reason: 'the same statement with a newer value' };
  return { verdict: 'contradicts', reason: 'the same statement with another value' };
}

function compareProperties(known: Statement, incoming: Statement): Comparison | undefined {
  if (known.subject === undefined || incoming.subject === undefined) return undefined;
  if (known.attribute === undefined || incoming.attribute === undefined) return undefined;
  const isSameSubject = normal(known.subject) === normal(incoming.subject);
  if (!isSameSubject) return { verdict: 'different', reason: 'they are about different subjects' };
  if (known.attribute !== incoming.attribute)
    return { verdict: 'different', reason: 'they state different properties' };
  if (known.value === undefined || incoming.value === undefined) return undefined;
  if (normal(known.value) === normal(incoming.value)) return { verdict: 'same', reason: `the same ${known.attribute}` };
  return later(known, incoming)
    ? { verdict: 'replaces', reason: `a newer ${known.attribute}` }
    : { verdict: 'contradicts', reason: `another ${known.attribute}, said earlier` };
}

/** A correction or a decision may be what is known as a fact. */
function areKin(one: string, other: string): boolean {
  const kin = new Set(['fact', 'correction', 'person', 'decision']);
  const rules = new Set(['lesson', 'procedure', 'preference']);
  return (kin.has(one) && kin.has(other)) || (rules.has(one) && rules.has(other));
}

function later(known: Statement, incoming: Statement): boolean {
  return incoming.saidMs >= known.saidMs;
}

function conflicts(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((each) => !other.has(each)) && [...other].some((each) => !one.has(each));
}

function equal(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && isSubset(one, other);
}

function isSubset(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((each) => other.has(each));
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
