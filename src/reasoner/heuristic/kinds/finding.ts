import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../../model/knowledge.ts';
import type { HeardConversation } from '../../port.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { type DateParser, type NamedDate, findNamedDates } from '../dates/dates.ts';
import type { Lexicon } from '../entities/lexicon.ts';
import { type People, RELATION_NOUN } from '../entities/people.ts';
import { contentWords } from '../text/words.ts';

/** A conversation with everything that is known before its statements are judged. */
export interface Scene {
  readonly conversation: HeardConversation;
  /** By turn, in order. */
  readonly turns: readonly (readonly Utterance[])[];
  /** Statements from tools' answers. */
  readonly told: readonly Utterance[];
  readonly people: People;
  /** Types of names inferred from people working there or from a place: `organization` or `place`, by lower-case name. */
  readonly types: ReadonlyMap<string, string>;
  readonly lexicon: Lexicon;
  readonly dates: DateParser;
  /** The model's verdict on a statement; computed on first use. */
  readonly chancesOf: (utterance: Utterance) => Chances;
  /** Where tools do the work, most of what is said is about the hour: 0 for a talk, 1 for a log of work. */
  readonly strictness: number;
  /** The user's name in statements. */
  readonly user: string;
}

/** A statement with what was noticed about it. */
export interface Heard {
  readonly utterance: Utterance;
  readonly dates: readonly NamedDate[];
  /** People named or spoken of by what they are to the user. */
  readonly persons: readonly string[];
  readonly contentWords: number;
  readonly scene: Scene;
}

/** A statement that one kind's judge would keep. */
export interface Finding {
  readonly kind: KnowledgeKind;
  readonly heard: Heard;
  readonly score: number;
  /** Turns it rests on besides its own. */
  readonly alsoTurns?: readonly string[] | undefined;
  /** Replaces the utterance's text in the statement. */
  readonly text?: string | undefined;
  /** Statements of the same message that are surely something else: they are told on their own. */
  readonly apart?: readonly Utterance[] | undefined;
  readonly corrects?: string | undefined;
  readonly owner?: string | undefined;
}

/** The agent's turn next to this one; tools between them do not count, another word of the user's does. */
export function neighbour(
  { turnIndex }: Utterance,
  { turns, conversation }: Scene,
  step: 1 | -1,
): readonly Utterance[] | undefined {
  for (let index = turnIndex + step; index >= 0 && index < turns.length; index += step) {
    const role = conversation.turns[index]?.role;
    if (role === 'agent') return turns[index];
    if (role === 'user' && step === -1) return undefined;
    if (Math.abs(index - turnIndex) > 3) return undefined;
  }
  return undefined;
}

/** The kinds a statement may have; in the order of the model's answers. */
export const OUTCOMES = ['none', ...KNOWLEDGE_KINDS] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Chances = Readonly<Record<Outcome, number>>;

/** Nothing is known of a statement without words. */
export const NOTHING: Chances = {
  none: 1,
  decision: 0,
  lesson: 0,
  person: 0,
  procedure: 0,
  fact: 0,
  preference: 0,
  task: 0,
  correction: 0,
};

export function likeliestKind(chances: Chances): KnowledgeKind {
  const kinds = OUTCOMES.filter((outcome) => outcome !== 'none');
  return kinds.reduce((best, kind) => (chances[kind] > chances[best] ? kind : best));
}

const RELATIVE = new RegExp(
  `\\b(?:my|our|her|his|their) (?:new |old |little |big |older |younger )?${RELATION_NOUN}\\b`,
  'giu',
);

export function notice(utterance: Utterance, scene: Scene): Heard {
  return {
    utterance,
    dates: findNamedDates(utterance.text, utterance.turn.timeMs, scene.conversation.timeZone, scene.dates),
    persons: personsIn(utterance.text, scene),
    contentWords: contentWords(utterance.text).length,
    scene,
  };
}

function personsIn(text: string, scene: Scene): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(/\p{L}[\p{L}'-]*/gu)) {
    const name = scene.people.nameOf(word);
    if (name !== undefined && !found.includes(name)) found.push(name);
  }
  for (const [phrase] of text.matchAll(RELATIVE)) found.push(phrase);
  return found;
}
