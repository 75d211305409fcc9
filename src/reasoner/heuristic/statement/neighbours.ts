import type { Utterance } from '../clauses/utterance.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import { type Finding, type Scene, neighbour } from '../kinds/finding.ts';
import { contentWords } from '../text/words.ts';
import { findMeantPerson, withoutPronouns } from './meant-person.ts';

/** Kinds that take more than one sentence: the experience and its lesson, the steps, the mix-up. */
const REACH: Readonly<Record<string, { readonly before: number; readonly after: number }>> = {
  lesson: { before: 1, after: 1 },
  procedure: { before: 0, after: 2 },
  correction: { before: 0, after: 2 },
};
/** A statement about something unnamed takes sentences along until one names it. */
const REACH_OF_OPEN = 2;
/** A new thought, a question or an aside is not part of it. */
const APART = new Set(['btw', 'by', 'also', 'oh', 'anyway', 'one', 'another']);
/** Speaks of something that was named before. */
const ANAPHOR =
  /\b(?:it|its|it's|it'll|them|they|they're|he|he's|he'll|she|she's|him|his|her|that one|this one|those|these|both(?! .{1,40} and )|same|there(?!'s| is| are| was| were| will|'ll)|(?<!, )which|the (?:first|second|third|other|latter|former|new|old) one)\b|^(?:that|that's|this)\b|\b(?:do|like|use|take|keep|leave|with|for|about|change) (?:that|this)\b/iu;
/** A statement with a subject and a verb of its own says what it is about. */
const SELF_CONTAINED =
  /^(?:i|we|i'm|we're|i've|we've|i'll|we'll|my|our|the|every|each|all|there|let's|\p{Lu}\p{L}+|\p{L}+) (?:\p{L}+ ){0,4}(?:is|are|was|were|has|have|had|will|must|need|needs|can|goes|go|gets?|stays?|moves?|comes?|takes?|uses?|runs?|lives?|works?|wants?|\p{L}{3,}(?:s|ed))\b/iu;
const RELATIVE = new RegExp(`\\b${RELATION_NOUN}\\b`, 'iu');
/** Matches a person's name by a title or by a capital inside the sentence. */
const SURNAME = /(?:^|\s)(?:dr|mr|mrs|ms|frau|herr|prof)\.? \p{L}|[\p{L},] \p{Lu}\p{Ll}{2,}/u;
const MAX_LEAD = 160;
const MOOD =
  /(?::\)|:d\b|;\)|\p{Extended_Pictographic}|^(?:good (?:morning|evening|night)|hi|hello|thanks|thank you|it's fine|no worries|sorry)\b|\b(?:nice|lovely|great|funny|not bad|phew|ugh|haha)[.!]*$)/u;
const MIN_OF_A_NEIGHBOUR = 2;

export interface Surroundings {
  readonly before: readonly Utterance[];
  readonly after: readonly Utterance[];
  /** The agent's words without which an answer or a correction cannot be understood, ready to stand in front. */
  readonly lead: string | undefined;
  /** The person a "she" or "he" refers to. */
  readonly person?: string | undefined;
}

/** The sentences that belong to a statement, in their original words. */
export function surroundingsOf(finding: Finding, scene: Scene): Surroundings {
  const { kind, heard, text } = finding;
  const { utterance } = heard;
  if (text !== undefined) return { before: [], after: [], lead: undefined };
  const turn = scene.turns[utterance.turnIndex] ?? [];
  if (kind === 'procedure' && utterance.isListed) return stepsAround(utterance, turn);
  const person = findMeantPerson(utterance, scene);
  const isOpen = leavesOpen(utterance, person, scene);
  const reach = REACH[kind] ?? { before: 0, after: 0 };
  const before: Utterance[] = [];
  const most = Math.max(reach.before, isOpen ? REACH_OF_OPEN : 0);
  for (let index = utterance.index - 1; index >= utterance.index - most; index -= 1) {
    const each = turn[index];
    if (each === undefined || !belongs(each, utterance) || startsAnew(utterance)) break;
    if (isSmallTalk(each) || (!isOpen && finding.apart?.includes(each) === true)) break;
    before.unshift(each);
    // A sentence that is open itself does not resolve the reference.
    if (reach.before < before.length && !leavesOpen(each, findMeantPerson(each, scene), scene)) break;
  }
  const after: Utterance[] = [];
  for (let index = utterance.index + 1; index <= utterance.index + reach.after; index += 1) {
    const each = turn[index];
    if (each === undefined || !belongs(each, utterance) || startsAnew(each)) break;
    if (isSmallTalk(each) || finding.apart?.includes(each) === true) break;
    after.push(each);
  }
  return { before, after, lead: before.length > 0 ? undefined : leadOf(finding, scene, isOpen), person };
}

/** A step of a list belongs to the whole list and to the sentence that announces it. */
function stepsAround({ index }: Utterance, turn: readonly Utterance[]): Surroundings {
  const isStep = (place: number): boolean => turn[place]?.isListed === true;
  let first = index;
  while (isStep(first - 1)) first -= 1;
  let last = index;
  while (isStep(last + 1)) last += 1;
  const announced = turn[first - 1]?.isAsked === false ? first - 1 : first;
  return { before: turn.slice(announced, index), after: turn.slice(index + 1, last + 1), lead: undefined };
}

/** Whether a statement speaks of something that it does not name. */
function leavesOpen({ text, plain }: Utterance, person: string | undefined, scene: Scene): boolean {
  if (pointsElsewhere(person === undefined ? plain : withoutPronouns(plain))) return true;
  return isAnaphoric(person === undefined ? text : withoutPronouns(text), scene);
}

/** "Joana is the product manager, she decides": whoever is named before the pronoun is meant by it. */
function isAnaphoric(text: string, scene: Scene): boolean {
  const found = ANAPHOR.exec(text);
  if (found === null) return false;
  const isPerson = /^(?:he|she|him|his|her)/iu.test(found[0]);
  if (!isPerson || found.index === 0) return true;
  const before = text.slice(0, found.index);
  const isNamed = [...before.matchAll(/\p{L}[\p{L}'-]*/gu)].some(([word]) => scene.people.nameOf(word) !== undefined);
  return !isNamed && !RELATIVE.test(before) && !SURNAME.test(before);
}

function leadOf({ kind, heard, corrects }: Finding, scene: Scene, isOpen: boolean): string | undefined {
  const { utterance } = heard;
  if (utterance.index > 0 || (!isOpen && SELF_CONTAINED.test(utterance.text))) return undefined;
  if (kind === 'correction') return corrects === undefined ? undefined : `Correcting “${cutAtWord(corrects)}”:`;
  const said = neighbour(utterance, scene, -1) ?? [];
  const asked = said.findLast(({ isAsked }) => isAsked);
  if (asked !== undefined && !ASKS_NOTHING.test(asked.plain)) return `${cutAtWord(asked.text)}?`;
  const last = isOpen ? said.findLast((each) => !isSmallTalk(each)) : undefined;
  return last === undefined ? undefined : `About “${cutAtWord(last.text)}”:`;
}

/** An agent's greeting: ignored when pairing questions with answers. */
const ASKS_NOTHING =
  /\b(?:what can i do|(?:how|what) (?:can|may|could) i help|can i help|what (?:do|would) you (?:need|like me)|what is it about|what's (?:up|on your mind)|anything else|what's next|how are you)\b/u;

function belongs(each: Utterance, utterance: Utterance): boolean {
  return !each.isAsked && each.line === utterance.line && each.text !== '';
}

/** A mood, a heading or a single word explains nothing. */
function isSmallTalk({ plain }: Utterance): boolean {
  return MOOD.test(plain) || contentWords(plain).length < MIN_OF_A_NEIGHBOUR;
}

function startsAnew({ openers }: Utterance): boolean {
  return openers.some((opener) => APART.has(opener.split(' ')[0] ?? ''));
}

function cutAtWord(text: string): string {
  const clean = text
    .replaceAll(/\s+/gu, ' ')
    .replace(/[.,;:!?]+$/u, '')
    .trim();
  return clean.length <= MAX_LEAD ? clean : `${clean.slice(0, clean.lastIndexOf(' ', MAX_LEAD))}…`;
}

/** Begins with, or acts on, something that was named elsewhere. */
const OPEN_SUBJECT =
  /^(?:(?:if|when|once|unless) (?:he|she)|it|that|this|they|those|these|he|she|the (?:one|other|rest|other one|first one|second one))\b(?! (?:is why|means|way|is how))/u;
const OPEN_OBJECT =
  /\b(?:drop|do|did|tried|use|take|keep|ship|pause|restart|leave|make|put|write|kill|merge|fix|move|run|try|send|skip|buy|book|cancel|tell|ask|remind) (?:it|that|this|them|him|her)\b(?! \p{L})|\bput (?:me |us )?(?:it|that|this) on\b/u;
/** An order about, or a plan for, something that stands in another sentence. */
const POINTS_ELSEWHERE =
  /^(?:(?:please|pls|and|then|just|now|also) )*(?:write|send|ask|tell|ship|put|take|drop|make|give|show|trigger|apply|merge|fix|run|try|skip|buy|book|cancel|move|print|post|pull|push|answer) (?:me |us )?(?:it|that|this|them|him|her)\b|^(?:i|we)(?:'ll| will|'ve| have|'re going to|'m going to| need to| have to| must)? (?!think|know|like|love|hate|mean|said)\p{L}+ (?:it|them|that one|those|him|her)\b/u;

/** Leaves out who or what stays or is to be restarted, or before which day. */
const INCOMPLETE =
  /^(?:please )?(?:restart|rerun|announce|wait|ship|deploy|merge|push|publish|release|continue) (?:on|in|at|until|till|with|from|by|before|after)\b|^(?:stays?|moves?|goes|gets|remains|keeps|always at)\b|^\p{L}+ stays? at \d+[.!]*$|\ban? (?:[\p{L}\d]+ ){1,3}one(?=[,.!]| (?:in|on|at|from)\b|$)|\bthe (?:day|week|night|evening|month) (?:before|after)[.!]*$|\b(?:by|until|since) then\b|\bwith (?:and|or) without[.!]*$|^(?:take back|forget|ignore|scrap) what\b/u;

/** Whether a statement cannot be understood without the one before it. */
export function pointsElsewhere(plain: string): boolean {
  return OPEN_SUBJECT.test(plain) || OPEN_OBJECT.test(plain) || POINTS_ELSEWHERE.test(plain) || INCOMPLETE.test(plain);
}
