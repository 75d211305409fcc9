import { isCommonWord } from '../../retrieve/understand/common-words.ts';
import { foldText } from '../../retrieve/understand/words.ts';
import { STOP_WORDS } from '../../search-index/text/stop-words.ts';

/** What the patterns already found in a message; the wording model weighs it beside the words. */
export interface KnownMarks {
  readonly message: string;
  /** The message without what it carries along. */
  readonly said: string;
  readonly marks: readonly string[];
}

/** A trait of a wording, as its place in the model's table, and how strongly it shows. */
export type Traits = ReadonlyMap<number, number>;

/** A power of two: more tell more traits apart and make the table longer. */
export const TRAIT_SLOTS = 65_536;

const TOKEN = /[§\n]|[\p{L}\p{M}\p{N}_]+(?:'\p{L}+)?|[?!:,.;…"`(){}[\]<>=/\\|*+-]/gu;
const MAX_TOKENS = 120;
const HAS_LETTER = /[\p{L}\p{N}]/u;
const ENDS_SENTENCE = /[.?!:\n]/u;
/** Shorter words are mostly grammar, in any language. */
const MAX_GRAMMAR_LETTERS = 3;
const ENDINGS = ['ing', 'ed', 's'];
const SHORTEST_PIECE = 3;
const LONGEST_PIECE = 5;

/** Everything in a message that may say whose things it is about. Each group counts alike, however long the message is. */
export function traitsOf({ message, said, marks }: KnownMarks): Traits {
  const tokens = (said.normalize('NFKC').replaceAll('’', "'").match(TOKEN) ?? []).slice(0, MAX_TOKENS);
  const folded = tokens.map(foldText);
  const words = folded.filter((token) => HAS_LETTER.test(token) || token === '§');
  const skeleton = tokens.map((token, index) => boneOf(token, folded[index] ?? '', tokens[index - 1]));
  const traits = new Map<number, number>();
  const add = (group: string, found: Iterable<string>): void => {
    const distinct = new Set(found);
    const strength = 1 / Math.sqrt(Math.max(1, distinct.size));
    for (const name of distinct) {
      const slot = hash(`${group}${name}`) % TRAIT_SLOTS;
      traits.set(slot, (traits.get(slot) ?? 0) + strength);
    }
  };
  add('word', wordsAndPairs(words));
  add('skeleton', skeletonParts(['^', ...skeleton, '$']));
  add('piece', words.flatMap(piecesOf));
  add('edge', edgesOf(words, skeleton));
  add('shape', shapeOf(message.trim(), words.length, skeleton));
  add('mark', marks);
  return traits;
}

/** Grammar stays, and of everything else only what kind of word it is: "what did N -ed about the w". */
function boneOf(token: string, folded: string, before: string | undefined): string {
  if (!HAS_LETTER.test(token)) return folded;
  if (STOP_WORDS.has(folded) || isCommonWord(folded) || folded.includes("'")) return folded;
  if (/^\d+$/u.test(token)) return '#';
  if (/\d|_|\p{Ll}\p{Lu}/u.test(token)) return '@';
  if (/^\p{Lu}/u.test(token) && before !== undefined && !ENDS_SENTENCE.test(before)) return 'N';
  if (folded.length <= MAX_GRAMMAR_LETTERS) return folded;
  const ending = ENDINGS.find((one) => folded.endsWith(one));
  return ending === undefined ? 'w' : `-${ending}`;
}

function wordsAndPairs(words: readonly string[]): string[] {
  return words.flatMap((word, index) => [word, `${word} ${words[index + 1] ?? '$'}`]);
}

function skeletonParts(bones: readonly string[]): string[] {
  return bones.flatMap((bone, index) => {
    const [second, third] = bones.slice(index + 1, index + 3);
    return [
      bone,
      ...(second === undefined ? [] : [`${bone} ${second}`]),
      ...(third === undefined ? [] : [`${bone} ${second} ${third}`, `${bone} * ${third}`]),
    ];
  });
}

/** Pieces of words forgive typing mistakes and endings. */
function piecesOf(word: string): string[] {
  const bounded = `<${word}>`;
  const pieces: string[] = [];
  for (let length = SHORTEST_PIECE; length <= LONGEST_PIECE; length += 1) {
    for (let start = 0; start + length <= bounded.length; start += 1) pieces.push(bounded.slice(start, start + length));
  }
  return pieces;
}

function edgesOf(words: readonly string[], skeleton: readonly string[]): string[] {
  const starts = [1, 2, 3].map((count) => `${count} ${words.slice(0, count).join(' ')}`);
  const bones = [3, 4].map((count) => `bones ${skeleton.slice(0, count).join(' ')}`);
  return [...starts, ...bones, `last ${words.at(-1) ?? ''}`];
}

function shapeOf(message: string, words: number, skeleton: readonly string[]): string[] {
  const shape = {
    length: Math.min(7, Math.floor(Math.log2(1 + words) * 1.5)),
    endsAsking: message.endsWith('?'),
    asks: message.includes('?'),
    hasLines: message.includes('\n'),
    beginsLarge: /^\p{Lu}/u.test(message),
    hasName: skeleton.includes('N'),
    hasIdentifier: skeleton.includes('@'),
    hasGap: skeleton.includes('§'),
    endsSaying: /[.!]$/u.test(message),
  };
  return Object.entries(shape).map(([name, value]) => `${name} ${value}`);
}

/** FNV-1a with its high bits mixed into the low ones, which choose the slot. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}
