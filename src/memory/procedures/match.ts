import type { Scope } from '../../model/provenance.ts';
import { extractTerms } from '../../search-index/text/terms.ts';
import type { KnownProcedure } from './procedures.ts';

export type MatchedBy = 'keyword' | 'trigger' | 'name' | 'event';

/** A procedure that a message or an event asks for. */
export interface ProcedureMatch {
  readonly known: KnownProcedure;
  /** 0 to 1. */
  readonly score: number;
  readonly by: MatchedBy;
  /** The evidence, as a person reads it. */
  readonly why: string;
}

export interface MatchOptions {
  /** Names of events that happened, compared with `triggers.event`. */
  readonly events?: readonly string[] | undefined;
  /** Only procedures that belong to one of these; all when not given. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly limit?: number | undefined;
  readonly minScore?: number | undefined;
}

/** Half of a longer phrase is about something else as often as not. */
const MIN_SCORE = 0.5;
const KEYWORD_SCORE = 1;
const WHOLE_PHRASE_SCORE = 0.9;
/** One word may be said in passing. */
const SINGLE_WORD_SCORE = 0.7;
const NAME_SCORE = 0.85;
/** Of a phrase of three words and more, this share is enough. */
const MIN_SHARE = 0.66;

/**
 * The procedures a message asks for, the surest first: by a keyword from the frontmatter, by a phrase of the Trigger
 * section, by the name. Only active ones: what is paused, a draft or retired is never pushed.
 */
export function matchProcedures(
  message: string,
  procedures: readonly KnownProcedure[],
  { events = [], scopes, limit, minScore = MIN_SCORE }: MatchOptions = {},
): ProcedureMatch[] {
  const said = new Set(extractTerms(message));
  const happened = new Set(events.map((event) => event.trim().toLowerCase()));
  const matches: ProcedureMatch[] = [];
  for (const known of procedures) {
    if (!isActive(known) || (scopes !== undefined && !scopes.includes(known.scope))) continue;
    const best = bestMatch(known, said, happened);
    if (best !== undefined && best.score >= minScore) matches.push(best);
  }
  matches.sort((left, right) => right.score - left.score || rank(right) - rank(left) || byPath(left, right));
  return limit === undefined ? matches : matches.slice(0, limit);
}

export function isActive({ procedure }: KnownProcedure): boolean {
  return (procedure.frontmatter.status ?? 'active') === 'active';
}

const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;

function rank({ known }: ProcedureMatch): number {
  return PRIORITIES.indexOf(known.procedure.frontmatter.priority ?? 'medium');
}

function byPath(left: ProcedureMatch, right: ProcedureMatch): number {
  return left.known.path < right.known.path ? -1 : 1;
}

function bestMatch(
  known: KnownProcedure,
  said: ReadonlySet<string>,
  happened: ReadonlySet<string>,
): ProcedureMatch | undefined {
  const { event } = known.procedure.frontmatter.triggers ?? {};
  if (event !== undefined && happened.has(event.trim().toLowerCase())) {
    return { known, score: 1, by: 'event', why: `the event "${event}"` };
  }
  let best: ProcedureMatch | undefined;
  for (const { by, phrase } of phrasesOf(known)) {
    const match = matchPhrase(known, phrase, said, by);
    if (match !== undefined && match.score > (best?.score ?? 0)) best = match;
  }
  return best;
}

function matchPhrase(
  known: KnownProcedure,
  { text, terms }: TriggerPhrase,
  said: ReadonlySet<string>,
  by: Exclude<MatchedBy, 'event'>,
): ProcedureMatch | undefined {
  let count = 0;
  for (const term of terms) if (said.has(term)) count += 1;
  if (count === 0) return undefined;
  const share = count / terms.length;
  if (share === 1) return { known, score: wholeScore(by, terms.length), by, why: `the ${by} "${text}"` };
  // A keyword is meant as it stands; a sentence is not.
  if (by === 'keyword' || terms.length < 3 || share < MIN_SHARE) return undefined;
  return { known, score: share * SINGLE_WORD_SCORE, by, why: `most of the ${by} "${text}"` };
}

function wholeScore(by: Exclude<MatchedBy, 'event'>, words: number): number {
  if (by === 'keyword') return KEYWORD_SCORE;
  if (words === 1) return SINGLE_WORD_SCORE;
  return by === 'name' ? NAME_SCORE : WHOLE_PHRASE_SCORE;
}

interface WantedPhrase {
  readonly by: Exclude<MatchedBy, 'event'>;
  readonly phrase: TriggerPhrase;
}

/** Every prompt asks this of every procedure; a file that did not change is the same object. */
const phrasesByProcedure = new WeakMap<KnownProcedure, readonly WantedPhrase[]>();

function phrasesOf(known: KnownProcedure): readonly WantedPhrase[] {
  const cached = phrasesByProcedure.get(known);
  if (cached !== undefined) return cached;
  const { frontmatter, trigger, name } = known.procedure;
  const { keywords = [] } = frontmatter.triggers ?? {};
  const ownName = phraseOf(name.replace(/^how[- ]to\b/iu, ''));
  const phrases: WantedPhrase[] = [
    ...keywords.flatMap((keyword) => keywordOf(keyword) ?? []).map((phrase) => ({ by: 'keyword', phrase }) as const),
    ...triggerPhrases(trigger).map((phrase) => ({ by: 'trigger', phrase }) as const),
    ...(ownName === undefined ? [] : [{ by: 'name', phrase: ownName } as const]),
  ];
  phrasesByProcedure.set(known, phrases);
  return phrases;
}

/** A keyword was chosen by somebody: it counts however common its words are. */
function keywordOf(text: string): TriggerPhrase | undefined {
  const terms = [...new Set(extractTerms(text))];
  return terms.length === 0 ? undefined : { text, terms };
}

/** One way of asking for a procedure, as words that all have to be said. */
interface TriggerPhrase {
  /** As the file has it. */
  readonly text: string;
  readonly terms: readonly string[];
}

/** `When the user asks to`: how people begin a trigger, and nothing anybody says to an agent. */
const OPENING =
  /^(?:(?:when|whenever|if|as soon as|once|after|before|every time)\b[\s,]*)?(?:(?:the\s+)?(?:user|person|customer|somebody|someone|anyone|they|you|we|i)\b\s*)?(?:(?:asks?|wants?|needs?|says?|would like|requests?|tells?|mentions?|is|are|has|have|gets?)\b\s*)?(?:(?:me|us|you|the agent)\b\s*)?(?:(?:to|for|about|that|how to)\b\s*)?/iu;

const SEPARATOR = /\s*(?:[,;.\n•]|\bor\b|\/|\boder\b)\s*/iu;

/** The small words of other languages; the index knows those of English only. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  extractTerms(
    `wenn falls sobald der die das den dem ein eine einen man ich wir nutzer benutzer mich mir bittet möchte will soll zum zur und oder auf für mit nach
    cuando si el la los las un una usuario pide quiere por para con del al y que quand lorsque le les un une utilisateur demande veut pour avec des du
    et de en`,
  ),
);

/** Words of nearly every request decide nothing alone. */
const EVERYDAY: ReadonlySet<string> = new Set(
  extractTerms(
    'ask asks want wants need user something anything please help make do get go start new work thing case time day task',
  ),
);

/** `When the user asks to deploy, push to production, or ship` → deploy · push production · ship. */
export function triggerPhrases(trigger: string): TriggerPhrase[] {
  const phrases: TriggerPhrase[] = [];
  for (const part of trigger.split(SEPARATOR)) {
    const text = part
      .replace(/^[-*+>\s]+/u, '')
      .replace(OPENING, '')
      .trim();
    const phrase = phraseOf(text);
    if (phrase !== undefined) phrases.push(phrase);
  }
  return phrases;
}

/** undefined when nothing in it tells anything apart. */
function phraseOf(text: string): TriggerPhrase | undefined {
  const terms = [...new Set(extractTerms(text))].filter((term) => !SMALL_WORDS.has(term));
  return terms.every((term) => EVERYDAY.has(term)) ? undefined : { text, terms };
}
