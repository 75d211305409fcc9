import { findClauseStart, isReminiscence, isReported, mayOpenClause, type ClauseStart } from './clause.ts';
import { wordSet } from './fold.ts';
import { RULES, type Rule } from './grammar.ts';
import { ObjectFinder, type ObjectSpan } from './object.ts';
import { Matcher, type Match } from './pattern.ts';
import { raiseShield, type Shield } from './shield.ts';
import { cutIntoSentences, type Sentence } from './tokens.ts';
import { trimObject } from './trim.ts';
import type { Trigger, TriggerLanguage } from './types.ts';
import type { Work } from './work.ts';

/** A trigger whose object may still be cut short by the trigger behind it. */
interface Draft {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
  /** Where its clause starts in the message: an object before it ends here. */
  readonly clauseStart: number;
  readonly object: ObjectSpan;
  readonly clauseIndex: number;
  readonly sentence: number;
}

interface RuleMatch {
  readonly rule: Rule;
  readonly match: Match;
}

interface Candidate extends RuleMatch {
  readonly clause: ClauseStart;
  readonly object: ObjectSpan;
  readonly isTrailing: boolean;
}

/** "… and forget about" may belong to "I …"; "… and oublie l'histoire de" is said to the agent only. */
const UNMISTAKABLE_TOKENS = 3;
/** How far around a phrase the person's own "I" and "our" are looked for. */
const NEARBY_TOKENS = 60;
/** Shorter sentences before "remember that" are greetings, not something to remember. */
const MIN_WORDS_BEFORE = 3;

/** Finds what a message asks of the memory: to remember, forget, reflect or recall. No model, one pass. */
export function detectTriggers(text: string): readonly Trigger[] {
  return detectCounting(text, { steps: 0 });
}

/** The same, counting its steps. */
export function detectCounting(text: string, work: Work): readonly Trigger[] {
  return new Detection(text, work).run();
}

class Detection {
  readonly #text: string;
  readonly #work: Work;
  readonly #shield: Shield;
  readonly #sentences: readonly Sentence[];
  readonly #matcher: Matcher;
  readonly #objects: ObjectFinder;
  readonly #drafts: Draft[] = [];
  readonly #votes = new Map<TriggerLanguage, number>();

  constructor(text: string, work: Work) {
    this.#text = text;
    this.#work = work;
    this.#shield = raiseShield(text, work);
    this.#sentences = cutIntoSentences(text, this.#shield, work);
    this.#matcher = new Matcher(text, work);
    this.#objects = new ObjectFinder(text, this.#matcher, work);
  }

  run(): readonly Trigger[] {
    for (const index of this.#sentences.keys()) this.#read(index);
    return this.#drafts.map((draft, index) => this.#finish(draft, index));
  }

  #read(index: number): void {
    const sentence = this.#sentences[index];
    if (sentence === undefined) return;
    let at = 0;
    while (at < sentence.tokens.length) {
      const word = sentence.tokens[at]?.word ?? '';
      const rules = word === '' ? undefined : RULES.get(word);
      const best = rules === undefined ? undefined : this.#best(rules, index, at);
      if (best === undefined) {
        at += 1;
        continue;
      }
      this.#drafts.push(this.#draft(best, index, at));
      at = Math.max(best.match.end, at + 1);
    }
  }

  /** The longest phrase that holds; between languages the one that already spoke in this message. */
  #best(rules: readonly Rule[], index: number, at: number): Candidate | undefined {
    const sentence = this.#sentences[index];
    if (sentence === undefined || isRepeated(sentence, at)) return undefined;
    const matches: RuleMatch[] = [];
    for (const rule of rules) {
      if (rule.group.position !== 'standing' && !mayOpenClause(sentence.tokens, at, rule.grammar)) continue;
      const match = this.#matcher.match(rule.pattern, sentence.tokens, at, rule.grammar.fillerAt);
      if (match !== undefined) matches.push({ rule, match });
    }
    matches.sort((one, other) => other.match.end - one.match.end || this.#votesFor(other) - this.#votesFor(one));
    for (const found of matches) {
      const candidate = this.#check(found, sentence, index, at);
      if (candidate !== undefined) return candidate;
    }
    return undefined;
  }

  #votesFor({ rule }: RuleMatch): number {
    return this.#votes.get(rule.grammar.language) ?? 0;
  }

  #check({ rule, match }: RuleMatch, sentence: Sentence, index: number, at: number): Candidate | undefined {
    const { group, grammar } = rule;
    if (this.#isTitle(sentence, at, match.end)) return undefined;
    if (group.weak === true && group.position !== 'standing' && this.#shield.isDocument) return undefined;
    if (group.position === 'standing' && at > 0 && this.#objects.isAtEnd(sentence.tokens, match.end, grammar)) {
      return this.#trailing(rule, sentence, match, at);
    }
    const continuesWish = this.#drafts.at(-1)?.sentence === index && match.end - at >= UNMISTAKABLE_TOKENS;
    const clause = findClauseStart(sentence, at, grammar, this.#matcher, continuesWish);
    if (clause === undefined || !this.#holdsHere(rule, sentence, clause, match)) return undefined;
    if (isReported(sentence, this.#sentences[index - 1], clause.start, grammar)) return undefined;
    const isQuestion = sentence.terminator === '?';
    const object = this.#objects.find(sentence, { start: at, ...match }, rule, isQuestion && !clause.isAsked);
    return this.#isWanted(rule, sentence, clause, match, object)
      ? { rule, match, clause, object, isTrailing: false }
      : undefined;
  }

  #holdsHere({ group, grammar }: Rule, sentence: Sentence, clause: ClauseStart, match: Match): boolean {
    const speaksOfSelf = (): boolean =>
      sentence.tokens
        .slice(Math.max(0, clause.start - NEARBY_TOKENS), match.end + NEARBY_TOKENS)
        .some(({ word }) => grammar.firstPerson.has(word));
    switch (group.position) {
      case 'asked':
        return clause.isAsked;
      case 'short-question':
        return sentence.terminator === '?' && !clause.isAsked;
      case 'label':
        if (!clause.opensSentence || sentence.tokens[match.end]?.word !== ':') return false;
        return group.weak !== true || speaksOfSelf();
      default:
        if (group.weak !== true || group.position === 'standing' || clause.opensSentence) return true;
        return sentence.tokens[clause.start - 1]?.word !== ',' || speaksOfSelf();
    }
  }

  #isWanted(
    { group, grammar }: Rule,
    sentence: Sentence,
    clause: ClauseStart,
    match: Match,
    object: ObjectSpan,
  ): boolean {
    const isQuestion = sentence.terminator === '?';
    if (group.object === 'needed' && object.found === 'nothing') return false;
    if (group.kind === 'forget' && POSTPONED.test(this.#text.slice(sentence.start, sentence.end))) return false;
    if (group.kind === 'remember' || group.kind === 'recall') {
      if (isReminiscence(sentence.tokens, match.end, grammar, isQuestion)) return false;
    }
    if (group.position === 'question' || group.position === 'short-question') return object.found !== 'back';
    if (!isQuestion) return true;
    if (clause.isAsked && (group.kind === 'recall' || group.kind === 'reflect')) return true;
    if (clause.isAsked) return object.found !== 'span' || object.words > 4 || !grammar.generic.has(object.firstWord);
    if (group.kind === 'recall' || group.object === 'back') return true;
    // A question mark without asking: only a question behind the command leaves the command standing.
    const last = sentence.tokens.at(-1);
    return object.found === 'span' && last !== undefined && object.end < last.start;
  }

  /** "Use metric units from now on." */
  #trailing(rule: Rule, sentence: Sentence, match: Match, at: number): Candidate | undefined {
    const first = sentence.tokens[0];
    const last = sentence.tokens[at - 1];
    if (first === undefined || last === undefined || sentence.terminator === '?') return undefined;
    const { grammar, group } = rule;
    const isStatement = grammar.subjects.has(first.word) || STATEMENT_STARTS.has(first.word);
    const addressesAgent = sentence.tokens.some(({ word }) => ADDRESS.has(word));
    if (group.weak === true && isStatement && !addressesAgent) return undefined;
    const object: ObjectSpan = { found: 'span', start: first.start, end: last.end, firstWord: first.word, words: at };
    return { rule, match, clause: { start: 0, isAsked: false, opensSentence: true }, object, isTrailing: true };
  }

  /** "Forget About Me": every word capitalised, so it is a name. */
  #isTitle(sentence: Sentence, start: number, end: number): boolean {
    const words = sentence.tokens
      .slice(start, Math.min(end, start + 6))
      .filter(({ isMark }) => !isMark)
      .map((token) => this.#text.slice(token.start, token.end));
    return (
      words.length >= 2 && words.every((word) => /^\p{Lu}/u.test(word)) && words.some((word) => /\p{Ll}/u.test(word))
    );
  }

  #draft({ rule, match, clause, object, isTrailing }: Candidate, index: number, at: number): Draft {
    const tokens = this.#sentences[index]?.tokens ?? [];
    const language = rule.grammar.language;
    this.#votes.set(language, (this.#votes.get(language) ?? 0) + 1);
    const start = tokens[at]?.start ?? 0;
    return {
      rule,
      start,
      end: tokens[match.end - 1]?.end ?? start,
      clauseStart: isTrailing ? start : (tokens[clause.start]?.start ?? start),
      object: rule.group.object === 'back' ? { found: 'back' } : object,
      clauseIndex: clause.start,
      sentence: index,
    };
  }

  /** Said beside the object, not in it: "forget that I moved permanently to Oslo" is no wish to erase. */
  #isPermanent({ rule, clauseIndex, object, sentence }: Draft, end: number): boolean {
    const { permanence, permanenceStarts, not } = rule.grammar;
    const tokens = this.#sentences[sentence]?.tokens ?? [];
    for (let at = clauseIndex; at < Math.min(tokens.length, clauseIndex + NEARBY_TOKENS); at += 1) {
      const token = tokens[at];
      if (token === undefined || token.start >= end) return false;
      if (!permanenceStarts.has(token.word) || not.has(tokens[at - 1]?.word ?? '')) continue;
      if (object.found === 'span' && token.start >= object.start && token.end <= object.end) continue;
      if (permanence.some((phrase) => this.#matcher.match(phrase, tokens, at, () => 0) !== undefined)) return true;
    }
    return false;
  }

  #finish(draft: Draft, index: number): Trigger {
    const { rule, start, end, object } = draft;
    const next = this.#drafts[index + 1]?.clauseStart ?? Number.POSITIVE_INFINITY;
    const content = object.found === 'back' ? this.#before(draft, index) : this.#spanOf(object, next);
    return {
      kind: rule.group.kind,
      phrase: this.#text.slice(start, end),
      start,
      end,
      content,
      refersBack: object.found === 'back' && content === undefined,
      permanently: rule.group.kind === 'forget' && this.#isPermanent(draft, next),
      language: rule.grammar.language,
    };
  }

  #spanOf(object: ObjectSpan, next: number): string | undefined {
    if (object.found !== 'span') return undefined;
    const end = next > object.start ? Math.min(object.end, next) : object.end;
    this.#work.steps += 1;
    return trimObject(this.#text, object.start, end);
  }

  /** What "remember that" points to inside this message: the clause or the sentence before it. */
  #before(draft: Draft, index: number): string | undefined {
    const sentence = this.#sentences[draft.sentence];
    const previousDraft = this.#drafts[index - 1];
    if (sentence === undefined) return undefined;
    if (previousDraft?.sentence !== draft.sentence && draft.clauseStart > sentence.start) {
      const words = sentence.tokens.filter((token) => !token.isMark && token.end <= draft.clauseStart).length;
      if (words >= MIN_WORDS_BEFORE) return trimObject(this.#text, sentence.start, draft.clauseStart);
    }
    const previous = this.#sentences[draft.sentence - 1];
    if (previous === undefined || previous.paragraph !== sentence.paragraph || previous.terminator === '?')
      return undefined;
    if (previousDraft?.sentence === draft.sentence - 1 || previous.tokens.length < MIN_WORDS_BEFORE) return undefined;
    return trimObject(this.#text, previous.start, previous.end);
  }
}

/** What is left aside for a while is not to go from the memory: "let's forget about the cache for now". */
const POSTPONED =
  /(?<!\p{L})(?:for (?:now|the moment|today|a while|the time being)|erst ?mal|vorerst|fürs erste|por (?:ahora|el momento)|de momento|pour (?:l['’]instant|le moment))[\s.!,)]*$/iu;

/** First words of statements, which "from now on" does not turn into instructions. */
const STATEMENT_STARTS =
  wordSet(`it its this that there things everything the life es das der die dies sie er esto eso el la
  todo ça cela ce c il elle les le tout`);
const ADDRESS = new Set(['you', 'du', 'dir', 'tu', 'te', 'usted', 'vous', 'me', 'mich', 'mir', 'moi']);

/** "Remember, remember, the fifth of November": verse, not a wish. */
function isRepeated({ tokens }: Sentence, at: number): boolean {
  return tokens[at - 1]?.word === ',' && tokens[at - 2]?.word === tokens[at]?.word;
}
