import { clauseOf, type Clause } from './clauses.ts';
import type { TextWord } from './words.ts';

/** What wording is read from. */
interface SaidText {
  readonly text: string;
  readonly words: readonly TextWord[];
  readonly clauses: readonly Clause[];
}

/** How a keyword is meant where it stands; each is 0 or 1. */
export interface HitWording {
  /** "not about the invoice", "forget the deploy", "instead of the gym". */
  readonly isWavedAway: boolean;
  /** "I'm at the gym", "after the dentist", "on the train". */
  readonly isSetting: boolean;
  /** Within quotation marks, or what somebody else said. */
  readonly isReported: boolean;
  /** A title, a name or a figure of speech: "a film called Deploy", "like a migration". */
  readonly isFigure: boolean;
  /** In the part of the message that wants something. */
  readonly isAsked: boolean;
  /** Before a "but" or "anyway" that leads elsewhere. */
  readonly isBeforeTurn: boolean;
}

const WAVED_BEFORE =
  /(?:\bnot (?:really |actually )?(?:about|for|because of|talking about|asking about|to do with|a|an|the|my|our|another)|\bisn't (?:about|a|an|the)|\bnothing to do with|\bunrelated to|\bno(?: need (?:to|for))?|\bno more|\bnever mind|\bforget(?: about)?|\bskip|\bignore|\bignoring|\bleave|\bleaving|\bdrop|\bpark|\binstead of|\brather than|\baside from|\bapart from|\bother than|\bwithout|\bstop(?: talking)?(?: about)?|\bdon't (?:need|want|worry about|bring up|care about|mean)|\bdoesn't (?:need|involve|concern|touch)|\bdo not (?:need|want|touch)|\bno longer|\bkein(?:e|en|er)?|\bnicht (?:um|über)|\bneither|\bnor|\bnot)(?:\s+(?:the|a|an|any|my|our|this|that|your|some|about|with|on|for|to|it|in|of|real|actual|production|old|new|whole|usual)){0,3}\s*$/iu;

const WAVED_AFTER =
  /^\W*(?:\w+\W+){0,3}?(?:aside\b|can wait|is (?:done|over|fine|sorted|closed|settled)|are (?:done|over|fine|sorted|settled)|isn't (?:the|what|why)|is not (?:the|what|why)|not today|not now|has nothing|have nothing|already (?:done|sorted|paid|went|sent))/iu;

const SETTING_BEFORE =
  /(?:\b(?:i'm|im|i am|we're|we are|sitting|stuck|waiting|standing|still|just|currently|back|home|been|was|were|am|while|met|saw|talked|chatted|ran into|typing this|writing this)\b[^,.;]{0,25}?\b(?:at|in|on|from|after|before|during|between|outside|near|to)|\bon (?:my|the|our) way (?:to|from|back from)|\b(?:after|before|during|since|until|between|despite|following|by the time of|right after|straight from|next to|behind|outside|opposite|across from)|\b(?:at|from) (?:the|my|our)|\bthe (?:one|guy|woman|man|person|people|café|place|shop|street|corner) (?:at|from|near|behind|next to))(?:\s+(?:the|a|an|my|our|his|her|their|this|that|last|yesterday's|today's|tomorrow's|school|morning)){0,3}\s*$/iu;

const REPORTED =
  /\b(?:said|says|saying|told|tells|wrote|writes|asked|asks|mentioned|mentions|claims|claimed|according to|heard|reads?|read that|article|headline|podcast|newsletter|blog|tweet|quote|quoted|quoting|line|slide|poster|sign|T-shirt|news|documentary|film|movie|novel|song|episode)\b/iu;

const FIGURE_BEFORE =
  /(?:\blike(?: a| an| the| some)?|\bas if|\ba kind of|\bsort of|\bso-called|\bthe (?:word|term|name|phrase|song|film|movie|book|novel|band|game|album|series|show|podcast|play|poem)|\b(?:called|named|titled|nicknamed|entitled|metaphor(?:ical)?(?:ly)?|pun on|rhymes with|spelled|translate|anagram of))(?:\s+(?:the|a|an|"|“|'|about))*\s*["“'‘]?$/iu;

export function readHitWording(message: SaidText, first: number, last: number): HitWording {
  const { text, words, clauses } = message;
  const start = words[first]?.start ?? 0;
  const end = words[last]?.end ?? start;
  const clause = clauseOf(clauses, first);
  const from = clause === undefined ? 0 : (words[clause.first]?.start ?? 0);
  const until = clause === undefined ? text.length : (words[clause.last]?.end ?? text.length);
  const before = text.slice(Math.max(from, start - 80), start).replaceAll('’', "'");
  const after = text.slice(end, Math.min(until, end + 60)).replaceAll('’', "'");
  const ownClause = clause?.text ?? '';
  const laterTurn = clauses.some(({ first: begin, isTurn }) => begin > first && isTurn);
  return {
    isWavedAway: WAVED_BEFORE.test(before) || WAVED_AFTER.test(after),
    isSetting: SETTING_BEFORE.test(before),
    isReported: isQuoted(text, start, end) || (REPORTED.test(ownClause) && clause?.isAsk !== true),
    isFigure: FIGURE_BEFORE.test(before),
    isAsked: clause?.isAsk === true,
    isBeforeTurn: laterTurn && clause?.isTurn !== true,
  };
}

/** Between quotation marks of the same kind, as far as they come in pairs. */
function isQuoted(text: string, start: number, end: number): boolean {
  for (const match of text
    .slice(0, MAX_QUOTES)
    .matchAll(/"[^"\n]{1,300}"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»/gu)) {
    if (match.index <= start && end <= match.index + match[0].length) return true;
  }
  return false;
}

const MAX_QUOTES = 20_000;

/** How a message as a whole is meant; each is 0 or 1. */
export interface MessageWording {
  /** Could be asked of anybody: what something is, where a word comes from. */
  readonly isGeneral: boolean;
  /** Says what happened, and wants nothing. */
  readonly isTale: boolean;
  /** Asks about the world: nobody in it says "I" or "our", and nothing is to be done. */
  readonly isImpersonal: boolean;
  /** It is about somebody else's affairs. */
  readonly isOthers: boolean;
}

const GENERAL =
  /\b(?:what (?:is|are|does|do|was|were) (?:a|an|the word|the term|the difference|the history|the origin)\b|who (?:invented|wrote|discovered|came up)|history of|origin of|where does (?:the|that) (?:word|term|name|phrase)|etymology|in general|generally speaking|difference between|fun fact|trivia|curious|quiz|crossword|how do(?:es)? (?:a|an|people|companies|most|they)\b|in theory|for a (?:novel|story|talk|joke|song|poem)|explain (?:to me )?(?:what|how|why)|eli5)/iu;

const OTHERS =
  /\b(?:my|our|a|the|his|her|their) (?:friend|neighbour|neighbor|colleague|cousin|uncle|aunt|brother|sister|dad|father|mum|mom|mother|boss|flatmate|roommate|landlord|coworker|co-worker|ex|in-laws|grandma|grandmother|grandpa|nephew|niece)(?:'s|’s|s')?\b/iu;

const PERSONAL =
  /\b(?:i|i'm|i've|i'd|i'll|im|ive|me|my|mine|myself|we|we're|we've|we'd|we'll|us|our|ours|ich|mir|mich|mein\w*|wir|uns|unser\w*)\b/iu;

export function readMessageWording({ text, clauses }: SaidText): MessageWording {
  const isAsking = clauses.some(({ isAsk }) => isAsk);
  return {
    isGeneral: GENERAL.test(text),
    isTale: !isAsking,
    isImpersonal: !PERSONAL.test(text.replaceAll('’', "'")) && clauses.every(({ isAsk, isOrder }) => isAsk && !isOrder),
    isOthers: OTHERS.test(text),
  };
}
