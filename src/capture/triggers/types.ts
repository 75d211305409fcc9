export type TriggerKind = 'remember' | 'forget' | 'reflect' | 'recall';
export type TriggerLanguage = 'en' | 'de' | 'es' | 'fr';

/** A wish about memory that the message itself expresses; start and end are the phrase's place in the message. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly phrase: string;
  readonly start: number;
  readonly end: number;
  /** What the wish is about; undefined when the wish has no object, or when it is about the previous turn. */
  readonly content: string | undefined;
  /** "Remember this" with nothing before it in the message: the previous turn is meant. */
  readonly refersBack: boolean;
  /** Only for forget: erase, do not merely archive. */
  readonly permanently: boolean;
  readonly language: TriggerLanguage;
}

/**
 * Where a phrase counts as a wish.
 * - command: at the start of a clause, at most behind a lead-in ("please", "can you")
 * - asked: like a command, and only behind a lead-in that asks ("kannst du … merken")
 * - question: at the start of a clause; the sentence is a question to the agent
 * - short-question: like a question, and only with a question mark ("remember my address?")
 * - label: at the start of a line or sentence, with a colon behind it
 * - standing: at the start ("from now on, …") or the end ("… from now on") of a sentence
 */
export type Position = 'command' | 'asked' | 'question' | 'short-question' | 'label' | 'standing';

/**
 * What must stand behind the phrase.
 * - needed: an object, or a word like "this" that points back
 * - optional: an object or nothing
 * - back: nothing; the phrase itself points back ("scratch that")
 */
export type ObjectNeed = 'needed' | 'optional' | 'back';

export interface RuleGroup {
  readonly kind: TriggerKind;
  readonly position: Position;
  readonly object: ObjectNeed;
  /** Explanations and documentation use the phrase as well ("note that"): it counts only where a person speaks. */
  readonly weak?: true;
  /**
   * A phrase per line. `a|b` either word, `a?` may be missing, `...` one to ten words that are the object, `^a` the
   * object starts with this word, `=qué` exactly as written, `*` any word; behind `>` what must follow, behind each `!` what must
   * not (`.` is the end of the clause).
   */
  readonly phrases: string;
}

export interface LanguageTable {
  readonly language: TriggerLanguage;
  readonly rules: readonly RuleGroup[];
  /** Phrases that may stand between the start of a clause and a command; a line each, same notation as rules. */
  readonly leadIns: string;
  /** Lead-ins that turn the command into a polite question. */
  readonly asks: string;
  readonly conjunctions: string;
  /** A clause with one of these before a bare "and" is a statement, so what follows "and" is no command. */
  readonly subjects: string;
  readonly firstPerson: string;
  readonly sayVerbs: string;
  /** Words that may stand inside a phrase or between it and its object. */
  readonly fillers: string;
  readonly permanence: string;
  readonly not: string;
  readonly pronouns: string;
  /** Words between phrase and object that are not part of the object. */
  readonly complementisers: string;
  /** Objects that make "can you remember …?" a question about abilities. */
  readonly generic: string;
  /** Behind a comma these open a new thought, where the object of a forget ends. */
  readonly openers: string;
  /** Nouns that make "remember that …" a reminiscence. */
  readonly nostalgia: string;
  readonly determiners: string;
  /** Text of these kinds is named before a colon; what follows is not the person's own wish. */
  readonly textNouns: string;
  readonly machineNouns: string;
  readonly transformVerbs: string;
  /** Named with a text noun before a colon on the same line, they announce that text. */
  readonly creationVerbs: string;
  /** With one of these before the colon the person speaks about memory, not about a text. */
  readonly memoryVerbs: string;
  /** A line each, plain words. */
  readonly rolePlay: string;
  /** Words of mail programs before a quoted mail. */
  readonly mailMarks: string;
}
