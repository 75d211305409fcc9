import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { HeardConversation } from '../../port.ts';
import type { Utterance } from '../clauses/utterance.ts';
import type { DateParser, NamedDate } from '../dates/dates.ts';
import type { Lexicon } from '../entities/lexicon.ts';
import type { People } from '../entities/people.ts';
import type { Chances } from './outcomes.ts';

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
