import type { TopicTrigger } from '../../model/schemas/topic.ts';
import { isCommonWord } from '../../retrieve/understand/words.ts';
import { languageCode, type ReadMessage } from '../text/message.ts';
import { type TextWord, readWords } from '../text/words.ts';
import { isEventTrigger, watches, wordsOfTrigger, type WatchedTopic } from '../topic-file.ts';
import { compileAddress, compilePathGlob } from './addresses.ts';
import { codeLanguage } from './code.ts';
import { PatternSet } from './patterns.ts';
import { matchTone, type Tone } from './tone.ts';

/** A phrase that stood in a text. */
interface PhraseMatch<Value> {
  readonly value: Value;
  /** Places of its first and last word among the text's words. */
  readonly first: number;
  readonly last: number;
}

interface Node<Value> {
  readonly next: Map<string, Node<Value>>;
  readonly values: Value[];
}

/** All phrases of all topics in one tree over word stems: a text is walked once, however many phrases there are. */
class PhraseTrie<Value> {
  readonly #root: Node<Value> = { next: new Map(), values: [] };

  /** False for a phrase without a word in it. */
  add(phrase: string, value: Value): boolean {
    const words = readWords(phrase);
    if (words.length === 0) return false;
    let node = this.#root;
    for (const { stem } of words) {
      let next = node.next.get(stem);
      if (next === undefined) {
        next = { next: new Map(), values: [] };
        node.next.set(stem, next);
      }
      node = next;
    }
    node.values.push(value);
    return true;
  }

  /** Every phrase that stands in the words, wherever it begins. */
  find(words: readonly TextWord[]): PhraseMatch<Value>[] {
    const found: PhraseMatch<Value>[] = [];
    for (let first = 0; first < words.length; first += 1) {
      let node: Node<Value> | undefined = this.#root;
      for (let last = first; last < words.length && node !== undefined; last += 1) {
        node = node.next.get(words[last]?.stem ?? '');
        for (const value of node?.values ?? []) found.push({ value, first, last });
      }
    }
    return found;
  }
}

/** A trigger that a message set off. */
export interface TriggerHit {
  readonly trigger: TopicTrigger;
  readonly found: string;
  /** The words of the message that it is about, when it is about words. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** The words only come close: a slip of the keyboard, or a path that was named but not touched. */
  readonly isLoose: boolean;
}

interface Owner {
  readonly topic: number;
  readonly trigger: TopicTrigger;
}

/** Looks at something other than words. */
interface Probe extends Owner {
  readonly look: (message: ReadMessage, before: Tone | undefined) => Omit<TriggerHit, 'trigger'>[];
}

export interface Tier1Options {
  /** The tone of the message before, for triggers on a change of mood. */
  readonly before?: Tone | undefined;
}

/** Tier 1: every trigger of every topic against a message, in one pass over its words and one over its letters. */
export class Tier1 {
  readonly #phrases = new PhraseTrie<Owner>();
  readonly #patterns: PatternSet<Owner>;
  readonly #probes: Probe[] = [];

  constructor(topics: readonly WatchedTopic[]) {
    const patterns: { pattern: string; value: Owner }[] = [];
    topics.forEach(({ triggers }, topic) => {
      for (const trigger of triggers) {
        if (isEventTrigger(trigger)) continue;
        if (trigger.type === 'pattern') patterns.push({ pattern: trigger.match, value: { topic, trigger } });
        else if (trigger.type === 'keywords' || trigger.type === 'mention') this.#addWords({ topic, trigger });
        else this.#probes.push(...probesFor({ topic, trigger }));
      }
    });
    this.#patterns = new PatternSet(patterns);
  }

  /** The triggers set off, by the topic's number. */
  match(message: ReadMessage, { before }: Tier1Options = {}): Map<number, TriggerHit[]> {
    const hits = new Map<number, TriggerHit[]>();
    const put = ({ topic, trigger }: Owner, hit: Omit<TriggerHit, 'trigger'>): void => {
      if (!watches(trigger, message.role)) return;
      const own = hits.get(topic) ?? [];
      own.push({ trigger, ...hit });
      hits.set(topic, own);
    };
    for (const { value, first, last } of this.#phrases.find(message.words)) {
      const found = spanOf(message, first, last);
      const isLoose = message.words.slice(first, last + 1).some(({ isCorrected }) => isCorrected === true);
      if (isNamed(value.trigger, message, first, last)) put(value, { found, first, last, isLoose });
    }
    for (const { value, found, start, end } of this.#patterns.find(message.text)) {
      const first = message.wordAt(start);
      const last = Math.max(first, message.wordAt(Math.max(start, end - 1)));
      put(value, { found, first, last, isLoose: false });
    }
    for (const { look, ...owner } of this.#probes) {
      if (!watches(owner.trigger, message.role)) continue;
      for (const hit of look(message, before)) put(owner, hit);
    }
    return hits;
  }

  #addWords(owner: Owner): void {
    const { trigger } = owner;
    const phrases = trigger.type === 'keywords' || trigger.type === 'mention' ? wordsOfTrigger(trigger.match) : [];
    for (const phrase of phrases) this.#phrases.add(phrase, owner);
  }
}

function spanOf({ text, words }: ReadMessage, first: number, last: number): string {
  return text.slice(words[first]?.start, words[last]?.end);
}

/** `@ada` is written with its sign; a name that is also an everyday word needs its capital letter. */
function isNamed(trigger: TopicTrigger, { text, words }: ReadMessage, first: number, last: number): boolean {
  if (trigger.type !== 'mention') return true;
  const word = words[first];
  if (word === undefined) return false;
  const stems = words.slice(first, last + 1).map(({ stem }) => stem);
  const names = wordsOfTrigger(trigger.match).filter((name) => {
    const own = readWords(name);
    return own.length === stems.length && own.every(({ stem }, index) => stem === stems[index]);
  });
  if (names.length > 0 && names.every((name) => name.startsWith('@')) && text[word.start - 1] !== '@') return false;
  if (first !== last || !isCommonWord(word.folded) || text[word.start - 1] === '@') return true;
  return /^\p{Lu}/u.test(text.slice(word.start));
}

function probesFor(owner: Owner): Probe[] {
  const { trigger } = owner;
  const probe = (look: Probe['look']): Probe[] => [{ ...owner, look }];
  const plain = (found: string, isLoose = false): Omit<TriggerHit, 'trigger'> => ({
    found,
    first: undefined,
    last: undefined,
    isLoose,
  });
  switch (trigger.type) {
    case 'glob': {
      const globs = wordsOfTrigger(trigger.match).map(compilePathGlob);
      const isWanted = (path: string): boolean => globs.some((matches) => matches(path));
      return probe((message) => [
        ...message.paths.filter(isWanted).map((path) => plain(path)),
        ...message.namedPaths.filter(isWanted).map((path) => plain(path, true)),
      ]);
    }
    case 'url': {
      const places = wordsOfTrigger(trigger.match).map(compileAddress);
      return probe((message) =>
        message.addresses
          .filter(({ address }) => places.some((matches) => matches(address)))
          .map(({ address }) => plain(address)),
      );
    }
    case 'code': {
      const wanted = wordsOfTrigger(trigger.match).map(codeLanguage);
      const isWanted = (name: string | undefined): boolean => wanted.length === 0 || wanted.includes(name ?? '');
      return probe((message) =>
        message.code
          .filter(({ language }) => isWanted(language))
          .map(({ language }) => plain(`${language ?? 'some'} code`)),
      );
    }
    case 'language': {
      const wanted = new Set(wordsOfTrigger(trigger.match).map(languageCode));
      return probe((message) => (wanted.has(message.language) ? [plain(`written in ${message.language}`)] : []));
    }
    case 'sentiment':
      return probe((message, before) => {
        const found = matchTone(trigger.match, trigger.threshold, message.tone, before);
        return found === undefined ? [] : [plain(found)];
      });
    default:
      return [];
  }
}
