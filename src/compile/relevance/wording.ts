import { foldInPlace } from '../../retrieve/understand/words.ts';
import { extractTerms } from '../../search-index/text/terms.ts';
import { readInstruction, type Instruction } from './instruction.ts';
import { looksLikeMachineText } from './machine-text.ts';
import * as patterns from './patterns.ts';
import { traitsOf, type Traits } from './traits.ts';
import { isTelling } from './vocabulary.ts';
import { weighOwnThings } from './wording-model.ts';

/** What the wording of a message says about whether anything said earlier could matter, whatever is remembered. */
export interface Wording {
  /** Nothing is left of it without politeness, agreement and the words of everyday work. */
  readonly isEmpty: boolean;
  /** "We", "our", "my": a world that the user shares with somebody. */
  readonly isOurs: boolean;
  readonly isQuestion: boolean;
  /** How many signs there are that anybody could be asked: what a thing is, where one looks it up, "usually". */
  readonly generalSigns: number;
  /** What a question in the present is about, when it is neither ours nor pointed at: a kind of thing, or a name. */
  readonly subject: string | undefined;
  /** It brings along the text it speaks of. */
  readonly carries: boolean;
  /** It asks to make something that needs nothing known, or brings along what it needs. */
  readonly isSelfContained: boolean;
  /** It is addressed to the agent as a conversation partner: "how are you?", "do you like …". */
  readonly isSmallTalk: boolean;
  /** It is mostly the output of a machine: a log, a stack trace. Such texts share words with any other. */
  readonly isMachineText: boolean;
  readonly words: number;
  /** Log-odds that it is about things a memory of this user may hold, as a model of many wordings reads it. */
  readonly ownThings: number;
}

/** What the patterns say, before the model of wordings has read it. */
export type PatternWording = Omit<Wording, 'ownThings'>;

/** A pasted log says at its beginning and at its end what is wanted of it; its middle has no wording. */
const MAX_EDGE = 600;

const WORD = /[\p{L}\p{N}_]+/gu;

export function readWording(message: string): Wording {
  const found = readPatterns(message);
  return { ...found, ownThings: found.isEmpty ? 0 : weighOwnThings(readTraits(message, found)) };
}

/** What the model of wordings reads; `found` is what the patterns say to the same message. */
export function readTraits(message: string, found: PatternWording): Traits {
  const marks = Object.entries(found).flatMap(([name, value]) => (value === true && name !== 'isEmpty' ? [name] : []));
  const general = [`general ${found.generalSigns}`, `kind ${found.subject !== undefined}`];
  return traitsOf({ message, said: readInstruction(edgesOf(message)).text, marks: [...marks, ...general] });
}

export function readPatterns(message: string): PatternWording {
  const edges = edgesOf(message);
  const instruction = readInstruction(edges);
  const said = fold(instruction.text);
  const has = (list: readonly RegExp[]): boolean => list.some((pattern) => pattern.test(said));
  const isOurs = has(patterns.OURS);
  return {
    isEmpty: !extractTerms(message).some(isTelling),
    isOurs,
    isQuestion: message.includes('?') || has(patterns.QUESTION),
    generalSigns: isOurs ? 0 : countGeneralSigns(said),
    subject: isOurs || has(patterns.PAST) ? undefined : findSubject(said),
    carries: instruction.carries,
    isSelfContained: !isOurs && isSelfContained(instruction, said, fold(edges)),
    isSmallTalk: has(patterns.SMALL_TALK),
    isMachineText: looksLikeMachineText(message),
    words: edges.match(WORD)?.length ?? 0,
  };
}

function isSelfContained({ carries }: Instruction, said: string, whole: string): boolean {
  if (patterns.MADE_UP.some((pattern) => pattern.test(whole))) return true;
  return carries && patterns.TRANSFORMED.some((pattern) => pattern.test(said));
}

function countGeneralSigns(said: string): number {
  return [
    patterns.DEFINITION.some((pattern) => pattern.test(said)),
    patterns.GENERAL_WORDS.test(said),
    patterns.GENERAL_QUESTIONS.some((pattern) => pattern.test(said)),
  ].filter(Boolean).length;
}

function findSubject(said: string): string | undefined {
  const subject = patterns.SUBJECT.exec(said)?.[1];
  return subject === undefined || patterns.PARTICULAR_SUBJECTS.has(subject) ? undefined : subject;
}

function fold(text: string): string {
  // The country is not "us".
  const plain = text.normalize('NFKC').replaceAll(/\bUS\b/gu, 'U.S.');
  return foldInPlace(plain).replaceAll(/[’ʼ]/gu, "'");
}

function edgesOf(message: string): string {
  const text = message.trim();
  return text.length <= 2 * MAX_EDGE ? text : `${text.slice(0, MAX_EDGE)}\n${text.slice(-MAX_EDGE)}`;
}
