import { STOP_WORDS, UNSPACED } from '../../search-index/text/terms.ts';
import type { IndexedEntity } from '../../search-index/passage.ts';
import { editDistance } from '../../model/edit-distance.ts';
import { type Word, foldText, isCommonWord, splitWords, startsSentence } from './words.ts';
import { addTo } from '../../model/records.ts';

/** Something that can be named, by one of its names. */
interface Name {
  readonly id: string;
  readonly raw: string;
  readonly words: readonly string[];
  /** A word like "Go" or "Notes" names the thing only when written as the thing is. */
  readonly needsExactCase: boolean;
  /** "C++", "C#": the signs behind the last word belong to the name. */
  readonly tail: string;
}

export interface FoundName {
  readonly ids: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly edits: number;
}

/** Names by their first word. Made once per set of names, asked many times. */
interface NameTable {
  readonly byFirstWord: ReadonlyMap<string, readonly Name[]>;
  /** First words by how they begin or end and their length: where a mistyped word is looked for. */
  readonly byOutline: ReadonlyMap<string, readonly string[]>;
  /** Names in scripts without spaces, by their first character. */
  readonly unspaced: ReadonlyMap<string, readonly Name[]>;
}

export interface AliasTable extends NameTable {
  readonly namesOf: ReadonlyMap<string, readonly string[]>;
}

export type SpeakerTable = NameTable;

/** Longer names are titles; nobody types them out, and comparing them word by word would cost. */
const MAX_NAME_WORDS = 8;
/** Mistyped names are looked for among so many unknown words; a pasted log consists of them. */
const MAX_TYPO_WORDS = 32;
const TITLES = new Set('dr mr mrs ms prof professor herr frau sir miss don dona'.split(' '));

export function createAliasTable(entities: readonly IndexedEntity[]): AliasTable {
  const names: Name[] = [];
  const namesOf = new Map<string, readonly string[]>();
  for (const { id, name, aliases } of entities) {
    const all = [...new Set([name, ...aliases])];
    namesOf.set(id, all);
    for (const raw of all) addName(names, id, raw);
  }
  return { ...createTable(names, true), namesOf };
}

/** Whole names, and the first of several ("Anna" for "Anna Berg"). */
export function createSpeakerTable(speakers: readonly string[]): SpeakerTable {
  const names: Name[] = [];
  for (const speaker of speakers) {
    addName(names, speaker, speaker);
    const first = splitWords(speaker.normalize('NFC')).find(({ folded }) => !TITLES.has(folded));
    if (first !== undefined && first.folded.length > 1 && first.raw !== speaker) addName(names, speaker, first.raw);
  }
  return createTable(names, false);
}

function addName(names: Name[], id: string, raw: string): void {
  const text = raw.normalize('NFC');
  const words = splitWords(text);
  const last = words.at(-1);
  if (last === undefined || words.length > MAX_NAME_WORDS) return;
  const folded = words.map((word) => word.folded);
  const needsExactCase = folded.every((word) => word.length === 1 || STOP_WORDS.has(word) || isCommonWord(word));
  names.push({ id, raw: text, words: folded, needsExactCase, tail: /^[+#]+/u.exec(text.slice(last.end))?.[0] ?? '' });
}

function createTable(names: readonly Name[], withOutlines: boolean): NameTable {
  const byFirstWord = new Map<string, Name[]>();
  const unspaced = new Map<string, Name[]>();
  for (const name of names) {
    const isUnspaced = UNSPACED.test(name.raw);
    const key = isUnspaced ? String.fromCodePoint(name.raw.codePointAt(0) ?? 0) : (name.words[0] ?? '');
    addTo(isUnspaced ? unspaced : byFirstWord, key, name);
  }
  const byOutline = new Map<string, string[]>();
  if (withOutlines) {
    for (const word of byFirstWord.keys()) {
      if (maxEdits(word) === 0) continue;
      for (const outline of outlinesOf(word, word.length)) addTo(byOutline, outline, word);
    }
  }
  return { byFirstWord, byOutline, unspaced };
}

/** One mistake in a word of five letters, two in one of nine; shorter words are too easily another word. */
function maxEdits(word: string): number {
  if (word.length < 5) return 0;
  return word.length < 9 ? 1 : 2;
}

/** Names in the text, from left to right, the longest first where several begin. */
export function findNames(table: NameTable, text: string, words: readonly Word[]): FoundName[] {
  const found = findUnspaced(table, text);
  let typosAllowed = MAX_TYPO_WORDS;
  let position = 0;
  while (position < words.length) {
    const match = findAt(table, text, words, position, typosAllowed > 0);
    if (match === undefined) {
      if (!isOrdinary(words[position]?.folded ?? '')) typosAllowed -= 1;
      position += 1;
      continue;
    }
    found.push({
      ids: match.ids,
      start: words[position]?.start ?? 0,
      end: words[position + match.length - 1]?.end ?? 0,
      edits: match.edits,
    });
    position += match.length;
  }
  return found.sort((one, other) => one.start - other.start);
}

interface MatchAt {
  ids: string[];
  length: number;
  edits: number;
}

function findAt(
  table: NameTable,
  text: string,
  words: readonly Word[],
  position: number,
  allowsTypos: boolean,
): MatchAt | undefined {
  const first = words[position];
  if (first === undefined) return undefined;
  const exact = bestOf(table.byFirstWord.get(first.folded) ?? [], text, words, position);
  if (exact !== undefined) return exact;
  if (!allowsTypos || table.byOutline.size === 0 || isOrdinary(first.folded)) return undefined;
  const similar = similarWords(table, first.folded).flatMap((word) => table.byFirstWord.get(word) ?? []);
  return bestOf(similar, text, words, position);
}

function isOrdinary(word: string): boolean {
  return STOP_WORDS.has(word) || isCommonWord(word);
}

/**
 * The beginning and the end of a word of that length: a mistake leaves one of them as it was. Two mistakes, one at each
 * end, are not found; longer pieces keep the lists short.
 */
function outlinesOf(word: string, length: number): [string, string] {
  const size = length < 7 ? 2 : 3;
  return [`${length}${word.slice(0, size)}_`, `${length}_${word.slice(-size)}`];
}

function similarWords(table: NameTable, word: string): string[] {
  const limit = maxEdits(word);
  const candidates = new Set<string>();
  for (let length = word.length - limit; length <= word.length + limit; length += 1) {
    for (const outline of outlinesOf(word, length)) {
      for (const candidate of table.byOutline.get(outline) ?? []) candidates.add(candidate);
    }
  }
  return [...candidates].filter((candidate) => countEdits(candidate, word) !== undefined);
}

/** `undefined` when they are different words. The shorter one sets the limit. */
function countEdits(one: string, other: string): number | undefined {
  if (one === other) return 0;
  const limit = Math.min(maxEdits(one), maxEdits(other));
  if (limit === 0) return undefined;
  const edits = editDistance(one, other, limit);
  return edits <= limit ? edits : undefined;
}

function bestOf(names: readonly Name[], text: string, words: readonly Word[], position: number): MatchAt | undefined {
  let best: MatchAt | undefined;
  for (const name of names) {
    const edits = matchName(name, text, words, position);
    if (edits === undefined) continue;
    const length = name.words.length;
    if (best === undefined || length > best.length || (length === best.length && edits < best.edits)) {
      best = { ids: [name.id], length, edits };
    } else if (length === best.length && edits === best.edits && !best.ids.includes(name.id)) {
      best.ids.push(name.id);
    }
  }
  return best;
}

function matchName(name: Name, text: string, words: readonly Word[], position: number): number | undefined {
  let edits = 0;
  for (const [offset, expected] of name.words.entries()) {
    const word = words[position + offset];
    if (word === undefined) return undefined;
    const distance = countEdits(expected, word.folded);
    if (distance === undefined || (distance > 0 && isOrdinary(word.folded))) return undefined;
    edits += distance;
  }
  if (edits > 2) return undefined;
  const end = words[position + name.words.length - 1]?.end ?? 0;
  if (!text.startsWith(name.tail, end)) return undefined;
  if (!name.needsExactCase) return edits;
  const written = text.slice(words[position]?.start ?? 0, end + name.tail.length);
  return name.raw.includes(written) && edits === 0 ? 0 : undefined;
}

function findUnspaced(table: NameTable, text: string): FoundName[] {
  const found: FoundName[] = [];
  if (table.unspaced.size === 0) return found;
  let index = 0;
  while (index < text.length) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const names = (table.unspaced.get(character) ?? []).filter(({ raw }) => text.startsWith(raw, index));
    const longest = Math.max(0, ...names.map(({ raw }) => raw.length));
    if (longest > 0) {
      const ids = [...new Set(names.filter(({ raw }) => raw.length === longest).map(({ id }) => id))];
      found.push({ ids, start: index, end: index + longest, edits: 0 });
    }
    index += longest > 0 ? longest : character.length;
  }
  return found;
}

/** Folded names of an entity, for expansion; empty for an unknown one. */
export function namesOfEntity(table: AliasTable, id: string): readonly string[] {
  return table.namesOf.get(id)?.map((name) => foldText(name)) ?? [];
}

/** The most people a question is expected to name. */
const MAX_PEOPLE = 16;

interface NamedPeople {
  readonly speakers: readonly string[];
  readonly places: readonly FoundName[];
}

/** Speakers named in the question. "Will the build pass?" does not name Will; "Did Will pass?" does. */
export function findPeople(table: SpeakerTable, text: string, words: readonly Word[]): NamedPeople {
  const places = findNames(table, text, words).filter((place) => !isOrdinaryUse(text, place));
  const speakers = [...new Set(places.flatMap(({ ids }) => ids))].slice(0, MAX_PEOPLE);
  return { speakers, places };
}

function isOrdinaryUse(text: string, { start, end }: FoundName): boolean {
  const written = text.slice(start, end);
  if (!isCommonWord(written.toLowerCase()) || /^['’]s\b/u.test(text.slice(end))) return false;
  return startsSentence(text, start) && written.length < text.trim().length;
}
