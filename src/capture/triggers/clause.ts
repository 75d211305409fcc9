import type { Grammar } from './grammar.ts';
import { ANY_WORD, type Matcher } from './pattern.ts';
import type { Sentence, Token } from './tokens.ts';

/** Where the clause of a command starts and what stands before it. */
export interface ClauseStart {
  /** Index of the first token of the clause, lead-ins included. */
  readonly start: number;
  /** A lead-in asks politely: the question mark belongs to the command. */
  readonly isAsked: boolean;
  readonly opensSentence: boolean;
}

const BOUNDARIES = new Set([',', ';', ':', '—', '–', '-', '(', '[', ')', ']', '¿', '¡', '|']);
const MAX_LEAD_INS = 8;
/** How far back a statement's subject or a say verb is looked for. */
const LOOK_BACK_TOKENS = 30;
const NEAR_TOKENS = 3;

/**
 * Finds the start of the clause when nothing but lead-ins stands between it and the phrase. `continuesWish`: another
 * wish stands before it in the sentence and the phrase is too long to be a mere verb of that wish's object.
 */
export function findClauseStart(
  sentence: Sentence,
  phrase: number,
  grammar: Grammar,
  matcher: Matcher,
  continuesWish: boolean,
): ClauseStart | undefined {
  const { tokens } = sentence;
  let at = phrase;
  let isAsked = false;
  let safe: ClauseStart | undefined;
  for (let count = 0; count < MAX_LEAD_INS && at > 0; count += 1) {
    // "Could you, please, remember": lead-ins may be set off by commas; if nothing comes of it, the comma is the start.
    const before = tokens[at - 1]?.word === ',' ? at - 1 : at;
    if (before < at) safe = { start: at, isAsked, opensSentence: false };
    const leadIn = findLeadIn(tokens, before, grammar, matcher);
    if (leadIn === undefined) break;
    at = leadIn.start;
    isAsked ||= leadIn.asks;
  }
  if (at === 0 || startsList(tokens, at)) return { start: at, isAsked, opensSentence: true };
  if (isBoundary(tokens[at - 1])) return { start: at, isAsked, opensSentence: false };
  return (continuesWish && isConjunction(tokens[at], grammar)) || isCoordinated(tokens, at, grammar)
    ? { start: at, isAsked, opensSentence: false }
    : safe;
}

/** A quick look that spares most words of a message the matching: can a clause start here at all? */
export function mayOpenClause(tokens: readonly Token[], at: number, grammar: Grammar): boolean {
  const before = tokens[at - 1];
  if (before === undefined || before.isMark || grammar.leadIns.has(before.word)) return true;
  return at <= 2 || tokens[at - 3]?.isMark === true;
}

function isBoundary(token: Token | undefined): boolean {
  return token !== undefined && token.isMark && BOUNDARIES.has(token.word);
}

function startsList(tokens: readonly Token[], at: number): boolean {
  return at === 1 && isBoundary(tokens[0]) && tokens[0]?.word !== ',';
}

function findLeadIn(
  tokens: readonly Token[],
  end: number,
  grammar: Grammar,
  matcher: Matcher,
): { readonly start: number; readonly asks: boolean } | undefined {
  let best: { readonly start: number; readonly asks: boolean } | undefined;
  const candidates = [grammar.leadIns.get(tokens[end - 1]?.word ?? ''), grammar.leadIns.get(ANY_WORD)];
  for (const { pattern, asks } of candidates.flatMap((leadIns) => leadIns ?? [])) {
    const start = matcher.matchBackwards(pattern, tokens, end);
    if (start === undefined || start >= end) continue;
    if (best === undefined || start < best.start || (start === best.start && asks)) best = { start, asks };
  }
  return best;
}

function isConjunction(token: Token | undefined, grammar: Grammar): boolean {
  return token !== undefined && grammar.conjunctions.has(token.word);
}

/** "Fix the header and remember …": a command joined to a command, not the second verb of a statement. */
function isCoordinated(tokens: readonly Token[], at: number, grammar: Grammar): boolean {
  if (!isConjunction(tokens[at], grammar)) return false;
  for (let index = at - 1; index >= Math.max(0, at - LOOK_BACK_TOKENS); index -= 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.isMark && token.word !== ',') break;
    if (grammar.subjects.has(token.word)) return false;
  }
  return at >= 2;
}

/** "He said: forget it", "told me, remember …", "… , she said": the words are somebody else's. */
export function isReported(
  sentence: Sentence,
  previous: Sentence | undefined,
  clause: number,
  grammar: Grammar,
): boolean {
  const { tokens } = sentence;
  const boundary = tokens[clause - 1];
  if (boundary !== undefined && isBoundary(boundary)) {
    const reach = boundary.word === ',' ? NEAR_TOKENS : LOOK_BACK_TOKENS;
    if (saysBetween(tokens, Math.max(0, clause - 1 - reach), clause - 1, grammar)) return true;
  }
  if (clause === 0 && previous?.tokens.at(-1)?.word === ':') {
    const before = previous.tokens;
    if (saysBetween(before, Math.max(0, before.length - LOOK_BACK_TOKENS), before.length - 1, grammar)) return true;
  }
  return endsWithSpeaker(tokens, clause, grammar);
}

function saysBetween(tokens: readonly Token[], start: number, end: number, grammar: Grammar): boolean {
  for (let index = start; index < end; index += 1) {
    if (!grammar.sayVerbs.has(tokens[index]?.word ?? '')) continue;
    const subjects = tokens.slice(Math.max(0, index - NEAR_TOKENS), index);
    if (!subjects.some(({ word }) => FIRST_PERSON_SUBJECTS.has(word))) return true;
  }
  return false;
}

const WHAT = new Set(['what']);
const FIRST_PERSON_SUBJECTS = new Set(['i', 'ich', 'yo', 'je', 'j', 'we', 'wir', 'ive']);

/** "… is what he tells me", "…, she said". */
function endsWithSpeaker(tokens: readonly Token[], clause: number, grammar: Grammar): boolean {
  for (let index = tokens.length - 1; index > Math.max(clause, tokens.length - 7); index -= 1) {
    const token = tokens[index];
    if (index < tokens.length - 2 && WHAT.has(token?.word ?? ''))
      return saysBetween(tokens, index, tokens.length, grammar);
    if (token?.word !== ',' || index < tokens.length - 5) continue;
    if (grammar.complementisers.has(tokens[index + 1]?.word ?? '')) return false;
    return saysBetween(tokens, Math.max(index + 1, tokens.length - NEAR_TOKENS), tokens.length, grammar);
  }
  return false;
}

/** "that day in June", "those summers": what is remembered is a time, and nobody asks to store it. */
export function isReminiscence(
  tokens: readonly Token[],
  start: number,
  grammar: Grammar,
  isQuestion: boolean,
): boolean {
  let at = start;
  while (at < start + 5 && grammar.determiners.has(tokens[at]?.word ?? '')) at += 1;
  if (at === start || !grammar.nostalgia.has(tokens[at]?.word ?? '')) return false;
  const next = tokens[at + 1];
  return (
    isQuestion ||
    next === undefined ||
    next.isMark ||
    /^(in|when|we|i|on|at|with|mit|als|en|cuando|quand|où)$/.test(next.word)
  );
}
