import type { Grammar, Rule } from './grammar.ts';
import type { Matcher, Match, Pattern } from './pattern.ts';
import { parsePatterns } from './pattern.ts';
import type { Sentence, Token } from './tokens.ts';
import type { TriggerKind } from './types.ts';
import type { Work } from './work.ts';

/** What a trigger is about, as a span of the message; `back` when it stands before the trigger or in the previous turn. */
export type ObjectSpan =
  | {
      readonly found: 'span';
      readonly start: number;
      readonly end: number;
      readonly firstWord: string;
      readonly words: number;
    }
  | { readonly found: 'back' }
  | { readonly found: 'nothing' };

/** Said at the end of a wish and no part of its object. */
const TAILS = parsePatterns(`
  please|pls|plz|thanks|ok|okay|right|yes|alright|bitte|danke|porfa|gracias|merci|stp|svp|vale|gut|ja|hein
  thank you
  por favor
  s il te|vous plaît
  for me
  will|would|could you
  d accord
`);
/** Words that open a question behind a command: "remember that I'm vegan, so what should I cook?" */
const QUESTION_OPENERS = new Set(
  `what how which who where when why so and do does is are was can could should will ok okay right yes was wie welche wer wo
  wann warum und kannst que como cual quien donde cuando y puedes quoi comment quel quelle qui ou quand et peux`.split(
    /\s+/,
  ),
);

/** How far the end of an object is looked for; what is longer goes to the end of its sentence. */
const LONGEST_OBJECT_TOKENS = 100;

export class ObjectFinder {
  readonly #text: string;
  readonly #matcher: Matcher;
  readonly #work: Work;
  #blankLine = { from: -1, at: -1 };

  constructor(text: string, matcher: Matcher, work: Work) {
    this.#text = text;
    this.#work = work;
    this.#matcher = matcher;
  }

  find(
    sentence: Sentence,
    match: Match & { readonly start: number },
    { group, grammar }: Rule,
    isQuestion: boolean,
  ): ObjectSpan {
    const { kind } = group;
    const { tokens } = sentence;
    if (match.inner !== undefined) {
      const { start, end } = match.inner;
      if (end - start === 1 && grammar.pronouns.has(tokens[start]?.word ?? '')) return { found: 'back' };
      return this.#span(tokens, start, end, grammar, kind);
    }
    let at =
      group.position === 'standing'
        ? skipMarks(tokens, match.end)
        : this.#skipMarksAndFillers(tokens, match.end, grammar);
    const pronoun = tokens[at];
    if (pronoun !== undefined && grammar.pronouns.has(pronoun.word)) {
      const next = this.#skipTails(tokens, this.#skipFillers(tokens, at + 1, grammar), grammar);
      if (tokens[next]?.word === ':') at = next + 1;
      else if (next >= tokens.length || tokens[next]?.isMark === true) return { found: 'back' };
    } else if (pronoun === undefined) {
      if (tokens.at(-1)?.word === ':') return this.#block(sentence);
      const pointsBack =
        group.object === 'needed' &&
        tokens.slice(match.start, match.end).some(({ word }) => grammar.pronouns.has(word));
      return { found: pointsBack ? 'back' : 'nothing' };
    }
    for (let count = 0; count < 2 && at + 1 < tokens.length; count += 1) {
      if (!this.#isComplementiser(tokens[at], grammar) || tokens[at + 1]?.isMark === true) break;
      at += 1;
    }
    if (at >= tokens.length) return tokens.at(-1)?.word === ':' ? this.#block(sentence) : { found: 'nothing' };
    if (tokens.at(-1)?.word === ':' && sentence.terminator === '\n') {
      const block = this.#block(sentence);
      const first = tokens[at];
      if (block.found === 'span' && first !== undefined) return { ...block, start: first.start };
    }
    return this.#span(tokens, at, this.#endOfObject(tokens, at, kind, grammar, isQuestion), grammar, kind);
  }

  /** Kept from call to call: a message of nothing but announcements must not be searched to its end for each. */
  #blankLineAfter(start: number): number {
    if (start >= this.#blankLine.from && start <= this.#blankLine.at) return this.#blankLine.at;
    const pattern = /\n[ \t]{0,80}\r?\n/g;
    pattern.lastIndex = start;
    this.#blankLine = { from: start, at: pattern.exec(this.#text)?.index ?? this.#text.length };
    return this.#blankLine.at;
  }

  /** Spanish "que" leads to the object, "qué" is its first word. */
  #isComplementiser(token: Token | undefined, grammar: Grammar): boolean {
    if (token === undefined || !grammar.complementisers.has(token.word)) return false;
    return this.#text.slice(token.start, token.end).toLowerCase().normalize('NFC') !== 'qué';
  }

  /** The lines under "remember the following:", up to a blank line. */
  #block(sentence: Sentence): ObjectSpan {
    let start = sentence.end;
    while (start < this.#text.length && /\s/.test(this.#text.charAt(start))) start += 1;
    if (start >= this.#text.length) return { found: 'nothing' };
    return { found: 'span', start, end: this.#blankLineAfter(start), firstWord: '', words: Number.MAX_SAFE_INTEGER };
  }

  #skipMarksAndFillers(tokens: readonly Token[], start: number, grammar: Grammar): number {
    let at = start;
    for (let count = 0; count < 6; count += 1) {
      const past = this.#skipFillers(tokens, skipMarks(tokens, at), grammar);
      if (past === at) break;
      at = past;
    }
    return at;
  }

  #skipFillers(tokens: readonly Token[], start: number, grammar: Grammar): number {
    if (tokens[start]?.word === 'for' && tokens[start + 1]?.word === 'me') return start + 2;
    return start < tokens.length ? start + grammar.fillerAt(tokens, start) : start;
  }

  /** Nothing but politeness follows. */
  isAtEnd(tokens: readonly Token[], end: number, grammar: Grammar): boolean {
    return skipMarks(tokens, this.#skipTails(tokens, skipMarks(tokens, end), grammar)) >= tokens.length;
  }

  #skipTails(tokens: readonly Token[], start: number, grammar: Grammar): number {
    for (const tail of TAILS) {
      const found = this.#matcher.match(tail, tokens, start, grammar.fillerAt);
      if (found !== undefined) return found.end;
    }
    return start;
  }

  #endOfObject(
    tokens: readonly Token[],
    start: number,
    kind: TriggerKind,
    grammar: Grammar,
    isQuestion: boolean,
  ): number {
    if (kind !== 'forget' && !isQuestion) return tokens.length;
    const last = Math.min(tokens.length, start + LONGEST_OBJECT_TOKENS);
    for (let at = start + 1; at < last; at += 1) {
      this.#work.steps += 1;
      const token = tokens[at];
      if (token?.isMark !== true) continue;
      const next = tokens[at + 1]?.word ?? '';
      if (token.word === ',' && isQuestion && QUESTION_OPENERS.has(next)) return at;
      if (kind !== 'forget') continue;
      if (token.word !== ',' || grammar.openers.has(next)) return at;
    }
    return tokens.length;
  }

  #span(tokens: readonly Token[], start: number, end: number, grammar: Grammar, kind: TriggerKind): ObjectSpan {
    let first = start;
    let last = end;
    if (kind === 'forget') {
      for (const pattern of grammar.permanence) {
        const found = this.#matcher.match(pattern, tokens, first, noFiller);
        if (found !== undefined && found.end < last) first = found.end;
      }
    }
    const ends: readonly Pattern[] = kind === 'forget' ? [...TAILS, ...grammar.permanence] : TAILS;
    for (let count = 0; count < 3; count += 1) {
      const firstMark = Math.max(first, last - 20);
      while (last > firstMark && tokens[last - 1]?.isMark === true && !'"”“»›)]'.includes(tokens[last - 1]?.word ?? ''))
        last -= 1;
      const shorter = ends
        .map((pattern) => this.#matcher.matchBackwards(pattern, tokens, last))
        .find((cut) => cut !== undefined && cut < last && cut > first);
      if (shorter === undefined) break;
      last = shorter;
    }
    const firstToken = tokens[first];
    const lastToken = tokens[last - 1];
    if (firstToken === undefined || lastToken === undefined || last <= first) return { found: 'nothing' };
    return {
      found: 'span',
      start: firstToken.start,
      end: lastToken.end,
      firstWord: firstToken.word,
      words: last - first,
    };
  }
}

const noFiller = (): number => 0;

function skipMarks(tokens: readonly Token[], start: number): number {
  let at = start;
  while (at < start + 6 && tokens[at]?.isMark === true && !'"“„«‹([¿'.includes(tokens[at]?.word ?? '')) at += 1;
  return at;
}
