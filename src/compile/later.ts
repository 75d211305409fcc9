import type { Scope } from '../model/provenance.ts';
import type { SearchIndex, StoredPassage } from '../search-index/port.ts';
import { extractTerms } from '../search-index/text/terms.ts';
import { cutText } from '../model/text.ts';
import type { Owner } from './project.ts';
import { repeats } from '../model/repeated.ts';
import type { DayOf } from './quote.ts';
import { DAY_MS } from '../model/time.ts';

/** The latest turns of the user that are looked through for changes: reading a thousand takes tens of milliseconds. */
const LOOKED_AT = 1000;

/** Words that say that something is no longer as it was. */
const CHANGE =
  /\b(?:instead|no longer|any ?more|mov(?:ed|es|ing)|chang(?:ed|es)|switch(?:ed|es|ing)|replac(?:ed|es)|left|leaves|leaving|gone|quits?|stopped|from now on|from today|goe?s? (?:down|up|to)|as of|postponed|cancel+ed|dropped|dead|raised|sold|retire[sd]?|broke|cracked|declined|refused|g[ai]ven? up|not possible|don['’]?t want|different from|unlike|is out|out of|off|stattdessen|statt|nicht mehr|umgezogen|gewechselt|verschoben|abgesagt|ab sofort)\b/giu;
/** Words that may say so. */
const MAY_CHANGE =
  /\b(?:now|new|back|out|until|since|again|goes|becomes?|leave|stop|switch|drop|change|not|jetzt|neue[nrs]?|seit|bis)\b|n['’]t\b/giu;
/** In too many sentences to say what one is about. */
const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)da[iy]s?$|^(?:januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|er)$|^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|today|tomorrow|week|month|year)$/u;
const SHORTEST_TERM = 3;
/** A short sentence with one of these ends what was known of whom or what it names: "Lucyna has left.", "sold the Fabia!" */
const ENDS =
  /\b(?:left|leaves|leaving|gone|quits?|resign(?:s|ed)|fired|dismissed|died|dead|sold|retire[sd]?|replaced|cancel+ed|weg|verkauft|gekündigt|gestorben)\b/iu;
const SHORT_WORDS = 8;

/** Of the words that both have, the sum of their rarities; a word of one sentence in a thousand has about 6. */
const LEAST_SHARED = 6.5;
/** One word alone names the same thing where it is in three sentences of a thousand at most. */
const LEAST_SHARED_ALONE = 5.8;
const LEAST_SHARED_NAME = 3.8;
/** Of what the later words are about, the part that the earlier statement is about as well. */
const LEAST_OF_LATER = { surely: 0.15, maybe: 0.33 } as const;
/** Words of change that are about little else mean it. */
const MOST_OF_LATER = 0.5;
const MAYBE_WORTH = 0.7;
/** A share this large of the earlier statement counts as repeating it. */
const REPEATED = 0.85;
/** In a small home no word is rare: counted as if so many sentences had been said besides. */
const UNSEEN_SENTENCES = 500;
const NOTE_CHARACTERS = 140;
/** Sentences that are no longer than this together are read as one. */
const SHORT_TURN = 160;

/** A sentence of the user that says how something changed. */
export interface Later {
  readonly text: string;
  readonly timeMs: number;
  readonly turn: StoredPassage;
  /** `ended`: the text is what was learned from the memory and no longer holds. */
  readonly says: 'surely' | 'maybe' | 'ended';
  /** The sentence of the memory that it changes. */
  readonly about: string;
  /** The words are injected themselves. */
  readonly isBeside?: boolean | undefined;
}

/** Later words that share words with a sentence of a memory. */
type Met = Omit<Later, 'says'> &
  Pick<Change, 'says' | 'isEnd'> & {
    /** The amount that the two have in common. */
    readonly worth: number;
  };

/** Whether later words change what a sentence says; undefined where they are about something else. */
export type ReadChange = (earlier: string, later: Met) => 'surely' | 'maybe' | undefined;

/** Of what shares words with a memory, so much is read beside it. */
const READ_OF_MEMORY = 3;

interface Said {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

interface Change extends Omit<Later, 'about' | 'says'> {
  readonly says: keyof typeof LEAST_OF_LATER;
  /** The subject, without the words of change. */
  readonly terms: ReadonlySet<string>;
  /** Names with the number behind each: "RAL 6005". */
  readonly values: ReadonlyMap<string, string>;
  /** Without a word of change: another number alone makes it one. */
  readonly isValueOnly: boolean;
  readonly isOneSentence: boolean;
  /** Whether it says that somebody or something is gone, or gives a named value anew, which needs no reading. */
  readonly isEnd: boolean;
}

/**
 * Finds what the user said later of something: the sentence about the same that speaks of a change. It needs no judgement of
 * whether the one replaces the other, because both are injected: whoever reads them sees which holds.
 */
export class LaterWords {
  readonly #byTerm = new Map<string, Change[]>();
  readonly #frequency = new Map<string, number>();
  readonly #ended = new Map<string, string>();
  readonly #count: number;

  /** `ended`: statements that were superseded or taken back. */
  constructor(turns: readonly StoredPassage[], ended: readonly StoredPassage[] = []) {
    for (const statement of ended) this.#ended.set(turnOf(statement), statement.text);
    let count = UNSEEN_SENTENCES;
    for (const turn of turns) {
      const own = new Set(extractTerms(turn.lead));
      const sentences = sentencesOf(turn.text).map((text) => ({ text, terms: new Set(aboutOf(text)) }));
      count += sentences.length;
      for (const [at, first] of sentences.entries()) {
        for (const term of first.terms) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
        this.#add(turn, [first], own);
        const [second, third] = sentences.slice(at + 1);
        if (second === undefined) continue;
        this.#add(turn, [first, second], own);
        if (third !== undefined && lengthOf(first, second, third) <= SHORT_TURN) {
          this.#add(turn, [first, second, third], own);
        }
      }
    }
    this.#count = count;
  }

  #add(turn: StoredPassage, said: readonly Said[], own: ReadonlySet<string>): void {
    if (turn.timeMs === undefined || said.some(({ text }) => text.endsWith('?'))) return;
    const text = withoutEnd(said.map((one) => one.text).join(' '));
    const values = valuesIn(text);
    const isSure = text.search(CHANGE) !== -1;
    const isValueOnly = !isSure && text.search(MAY_CHANGE) === -1;
    if (isValueOnly && values.size === 0) return;
    const says = isSure ? 'surely' : 'maybe';
    const terms = new Set(said.flatMap((one) => [...one.terms])).difference(own);
    const isOneSentence = said.length === 1;
    const isEnd = isOneSentence && ENDS.test(text) && text.split(' ').length <= SHORT_WORDS;
    const change = { text, timeMs: turn.timeMs, turn, terms, says, values, isValueOnly, isOneSentence, isEnd } as const;
    this.#note(change);
    const clause = isOneSentence && isSure ? clauseOfChange(text) : undefined;
    if (clause === undefined) return;
    this.#note({ ...change, terms: new Set(aboutOf(clause)).difference(own), isOneSentence: false, isEnd: false });
  }

  #note(change: Change): void {
    for (const term of change.terms) {
      const known = this.#byTerm.get(term);
      if (known === undefined) this.#byTerm.set(term, [change]);
      else known.push(change);
    }
  }

  static async read(index: SearchIndex, scopes: readonly Scope[]): Promise<LaterWords> {
    const [turns, ended] = [
      await index.view({ scopes: [...scopes], types: ['turn'], trust: ['user'] }),
      await index.view({ scopes: [...scopes], types: ['superseded'] }),
    ];
    return new LaterWords(
      await turns.read(await turns.findRecent(LOOKED_AT)),
      await ended.read(await ended.findRecent(LOOKED_AT)),
    );
  }

  /** Finds later changes to a sentence of a memory: of the later words that share most with it, those that `read` takes for a change. */
  find(
    memory: StoredPassage,
    ownerOf: (passage: StoredPassage) => Owner,
    read: ReadChange = (_earlier, { says }) => says,
  ): Later | undefined {
    if (memory.timeMs === undefined) return undefined;
    const ended = memory.type === 'turn' ? this.#ended.get(turnOf(memory)) : undefined;
    if (ended !== undefined) return { text: ended, timeMs: memory.timeMs, turn: memory, says: 'ended', about: '' };
    let best: Later | undefined;
    for (const met of this.#findMet(memory, memory.timeMs, ownerOf).slice(0, READ_OF_MEMORY)) {
      const says = met.isEnd ? 'surely' : read(met.about, met);
      if (says === undefined || best?.says === says) continue;
      best = { ...met, says };
      if (says === 'surely') break;
    }
    return best;
  }

  /** Later words that share most with a sentence of the memory, the best first. */
  #findMet(memory: StoredPassage, saidMs: number, ownerOf: (passage: StoredPassage) => Owner): readonly Met[] {
    const isOthers = ownerOf(memory) === 'other';
    // A journal knows only the day.
    const sinceMs = memory.document.store === 'journal' ? saidMs + DAY_MS : saidMs;
    const isMeant = ({ timeMs, turn }: Change): boolean =>
      timeMs > sinceMs && turn.session !== memory.session && (ownerOf(turn) === 'other') === isOthers;
    const met: Met[] = [];
    for (const about of withNeighbours(memory.text)) {
      for (const [change, worth] of this.#meet(about)) if (isMeant(change)) met.push({ ...change, about, worth });
    }
    met.sort((left, right) => right.worth - left.worth);
    const byTurn = new Map<string, Met>();
    for (const one of met) if (!byTurn.has(turnOf(one.turn))) byTurn.set(turnOf(one.turn), one);
    return [...byTurn.values()];
  }

  /** The changes that may be about a sentence, and how much they have in common with it. */
  *#meet(sentence: string): Iterable<[Change, number]> {
    const [terms, names, values] = [new Set(aboutOf(sentence)), namesIn(sentence), valuesIn(sentence)];
    const shared = new Map<Change, { weight: number; count: number }>();
    for (const term of terms) {
      for (const change of this.#byTerm.get(term) ?? []) {
        const { weight, count } = shared.get(change) ?? { weight: 0, count: 0 };
        shared.set(change, { weight: weight + this.#rarityOf(term), count: count + 1 });
      }
    }
    const whole = this.#weightOf(terms);
    for (const [change, { weight, count }] of shared) {
      const hasOtherValue = [...values].some(
        ([name, value]) => this.#rarityOf(name) >= LEAST_SHARED_ALONE && (change.values.get(name) ?? value) !== value,
      );
      if (change.isValueOnly && !hasOtherValue) continue;
      const isSure = change.says === 'surely' || hasOtherValue;
      const isNamed =
        isSure && change.isOneSentence && !names.intersection(change.terms).isDisjointFrom(namesIn(change.text));
      const least = count > 1 ? LEAST_SHARED : isSure ? LEAST_SHARED_ALONE : Infinity;
      if (weight < (isNamed ? LEAST_SHARED_NAME : least)) continue;
      const share = weight / this.#weightOf(change.terms);
      if (share < LEAST_OF_LATER[isSure ? 'surely' : 'maybe'] || (count > 1 && weight / whole >= REPEATED)) continue;
      const says = share >= MOST_OF_LATER || hasOtherValue ? 'surely' : change.says;
      yield [
        { ...change, says, isEnd: change.isEnd || hasOtherValue },
        weight * Math.sqrt(share) * (isSure ? 1 : MAYBE_WORTH),
      ];
    }
  }

  /** Finds changes to memories that are injected together. Words that are among them are not repeated. */
  findEach(
    memories: readonly (StoredPassage | undefined)[],
    ownerOf: (passage: StoredPassage) => Owner,
    read?: ReadChange,
  ): readonly (Later | undefined)[] {
    const texts = memories.flatMap((memory) => memory?.text ?? []);
    const isInjected = repeats(texts);
    const noted = new Set<string>();
    return memories.map((memory) => {
      const later = memory === undefined ? undefined : this.find(memory, ownerOf, read);
      if (later === undefined || later.says === 'ended') return later;
      const isBeside = isInjected(later.text);
      const isNoted = noted.has(turnOf(later.turn)) || texts.some(repeats([later.text]));
      noted.add(turnOf(later.turn));
      if (!isBeside && !isNoted) return later;
      return later.says === 'surely' ? { ...later, text: '', isBeside } : undefined;
    });
  }

  #weightOf(terms: ReadonlySet<string>): number {
    return terms.values().reduce((sum, term) => sum + this.#rarityOf(term), 0);
  }

  #rarityOf(term: string): number {
    return Math.log(this.#count / (1 + (this.#frequency.get(term) ?? 0)));
  }
}

export function turnOf({ id, session, turn }: StoredPassage): string {
  return session === undefined || turn === undefined ? id : `${session}#${turn}`;
}

/** A text with a note behind the sentence that may no longer hold; as it is where it does not have the sentence. */
export function withNote(text: string, later: Later | undefined, dayOf: DayOf): string {
  if (later === undefined) return text;
  if (later.says === 'ended') return `${text.trimEnd()} (superseded: ${cutText(later.text, NOTE_CHARACTERS)})`;
  const said = later.text === '' ? '' : `: ${cutText(later.text, NOTE_CHARACTERS)}`;
  const head = later.says === 'surely' ? 'may be superseded' : 'later';
  const note = ` (${head}, ${dayOf(later.timeMs)}${said.replaceAll(/\s+/gu, ' ')})`;
  const end = text.indexOf(later.about) + later.about.length;
  return text.includes(later.about) ? `${text.slice(0, end)}${note}${text.slice(end)}` : text;
}

function lengthOf(...said: readonly Said[]): number {
  return said.reduce((sum, { text }) => sum + text.length, 0);
}

/** The sentences of a text, and short ones with the next: "Madis marries! 16 August, Porvoo." */
function withNeighbours(text: string): string[] {
  const sentences = sentencesOf(text);
  const pairs = sentences.slice(1).flatMap((second, at) => {
    const first = sentences[at] ?? '';
    const start = text.indexOf(first);
    const both = text.slice(start, text.indexOf(second, start + first.length) + second.length);
    return both.length <= SHORT_TURN && start !== -1 ? [both] : [];
  });
  return [...sentences, ...pairs].map(withoutEnd);
}

/** A semicolon joins a sentence to the next. */
function withoutEnd(sentence: string): string {
  return sentence.replace(/;$/u, '');
}

/** Written as in the text. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…;]) +|\s*\n\s*/u).filter((sentence) => sentence !== '');
}

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTHS})\\p{L}*`, 'giu');
const MONTH_DAY = new RegExp(`\\b(${MONTHS})\\p{L}* (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'giu');
/** `17:30`, `1.74`, `12,500`, `5439`. */
const VALUE = /\b(?:\d+(?:[.:,]\d+)+|\d{3,})\b/gu;
const EXACT_DAY = / ?\(\d{4}-\d{2}(?:-\d{2})?\)|\b\d{4}-\d{2}-\d{2}\b/gu;

/** The subject of a text: its words without those of change and of the calendar, its days and its values. */
function aboutOf(text: string): string[] {
  const plain = text.replaceAll(CHANGE, ' ').replaceAll(MAY_CHANGE, ' ');
  const words = extractTerms(plain).filter(
    (term) => term.length >= SHORTEST_TERM && !/^\d+$/u.test(term) && !CALENDAR.test(term),
  );
  if (!/\d/u.test(plain)) return words;
  const exact = plain.replaceAll(EXACT_DAY, '');
  const days = [
    ...[...exact.matchAll(DAY_MONTH)].map(([, day = '', month = '']) => `${day} ${month}`),
    ...[...exact.matchAll(MONTH_DAY)].map(([, month = '', day = '']) => `${day} ${month}`),
  ];
  return [...words, ...(exact.match(VALUE) ?? []), ...days.map((day) => day.toLowerCase())];
}

const CLAUSE_END = /(?<=[,:]) | [–—-] /u;

/** Of a long sentence, the words of change with the clause before them: what they are about, without what the rest tells. */
function clauseOfChange(sentence: string): string | undefined {
  const clauses = sentence.split(CLAUSE_END);
  const at = clauses.findIndex((clause) => clause.search(CHANGE) !== -1);
  return clauses.length <= 2 || at === -1 ? undefined : clauses.slice(Math.max(0, at - 1), at + 1).join(' ');
}

const NAMED_VALUE = /\b(\p{Lu}\p{L}+)[ -](\d+(?:\.\d+)*)\b/gu;

/** By the term of a name, the number behind it. */
function valuesIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(NAMED_VALUE)];
  return new Map(found.flatMap(([, name = '', value = '']) => aboutOf(name).map((term) => [term, value] as const)));
}

/** Terms of words with a capital letter. */
function namesIn(text: string): ReadonlySet<string> {
  return new Set(aboutOf((text.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? []).join(' ')));
}
