import { normalize } from '../../providers/embeddings/vector.ts';
import { topicFields } from './domains.ts';
import { readWords, type TextWord } from '../text/words.ts';
import { keywordsOf, type WatchedTopic } from '../topic-file.ts';
import type { WordVectors } from './word-vectors.ts';

/** What a topic is about, ready to be compared. */
export interface TopicProfile {
  /** Stems of its words, and what each counts. */
  readonly stems: ReadonlyMap<string, number>;
  /** All of its words together. */
  readonly vector: Float32Array;
  readonly vocabulary: readonly string[];
  /** Fields of life and work it belongs to. */
  readonly fields: Float32Array;
  /** Made when first asked for: of hundreds of topics a conversation comes near to few. */
  readonly detail: () => TopicDetail;
}

/** What a message is compared with word by word. */
export interface TopicDetail {
  /** Vectors of its words, one after the other, each times what it counts. */
  readonly matrix: Float32Array;
  readonly rows: number;
  /** The description and each line of the playbook, as vectors one after the other. */
  readonly lines: Float32Array;
  /** Three-letter pieces of its name, description and keywords. */
  readonly pieces: ReadonlySet<string>;
}

/** What the playbook says counts a little less than what it says it is for. */
const BODY_GAIN = 0.93;
const BODY_COUNT = 0.5;
/** Beyond this many words a playbook is about everything. The first are what it is for. */
const MAX_WORDS = 48;

export function makeProfile(topic: WatchedTopic, vectors: WordVectors): TopicProfile {
  const { dimensions } = vectors;
  const purpose = [
    topic.name.replaceAll('-', ' '),
    topic.title,
    topic.description,
    ...keywordsOf(topic),
    patternWords(topic),
  ];
  const stems = new Map<string, number>();
  const gains = new Map<string, number>();
  const put = (text: string, gain: number, count: number): void => {
    for (const { folded, stem, isContent } of readWords(text)) {
      if (!isContent) continue;
      stems.set(stem, Math.max(count, stems.get(stem) ?? 0));
      gains.set(folded, Math.max(gain, gains.get(folded) ?? 0));
    }
  };
  for (const text of purpose) put(text, 1, 1);
  put(topic.body, BODY_GAIN, BODY_COUNT);
  const known = [...gains].flatMap(([word, gain]) => {
    const found = vectors.find(word);
    return found === undefined ? [] : [{ ...found, gain }];
  });
  const sum = new Float32Array(dimensions);
  for (const { vector, weight, gain } of known) add(sum, vector, weight * gain);
  let made: TopicDetail | undefined;
  const makeDetail = (): TopicDetail => {
    const used = known.slice(0, MAX_WORDS);
    return {
      matrix: matrixOf(used, dimensions),
      rows: used.length,
      lines: vectorsOfLines(topic, vectors),
      pieces: piecesOf(purpose.join(' ')),
    };
  };
  return {
    stems,
    vector: normalize(sum),
    vocabulary: [...gains.keys()],
    fields: topicFields(stems),
    detail: () => (made ??= makeDetail()),
  };
}

function add(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + (vector[at] as number) * factor;
}

function matrixOf(
  words: readonly { readonly vector: Float32Array; readonly gain: number }[],
  dimensions: number,
): Float32Array {
  const matrix = new Float32Array(words.length * dimensions);
  words.forEach(({ vector, gain }, row) => {
    const start = row * dimensions;
    for (let at = 0; at < dimensions; at += 1) matrix[start + at] = (vector[at] as number) * gain;
  });
  return matrix;
}

/** A longer playbook has said by then what it is about. */
const MAX_LINES = 16;

function vectorsOfLines({ description, body }: WatchedTopic, vectors: WordVectors): Float32Array {
  const lines = [description, ...body.split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MAX_LINES);
  const all = new Float32Array(lines.length * vectors.dimensions);
  lines.forEach((line, row) => all.set(meanVector(readWords(line), vectors), row * vectors.dimensions));
  return all;
}

/** The direction of all words that tell something. */
export function meanVector(words: readonly TextWord[], vectors: WordVectors): Float32Array {
  const sum = new Float32Array(vectors.dimensions);
  for (const { folded, isContent } of words) {
    const found = isContent ? vectors.find(folded) : undefined;
    if (found !== undefined) add(sum, found.vector, found.weight);
  }
  return normalize(sum);
}

/** The words a pattern is made of: they say what the topic is after as well as keywords do. */
function patternWords({ triggers }: WatchedTopic): string {
  return triggers
    .flatMap((trigger) => (trigger.type === 'pattern' ? [trigger.match] : []))
    .map(
      (pattern) =>
        pattern
          .replaceAll(/\\[A-Za-z]|\\./gu, ' ')
          .match(/\p{L}{4,}/gu)
          ?.join(' ') ?? '',
    )
    .join(' ');
}

/** Pieces of three letters, word by word: words that are written alike share most of them. */
export function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>();
  for (const { folded, isContent } of readWords(text)) {
    if (!isContent) continue;
    const framed = ` ${folded} `;
    for (let at = 0; at + 3 <= framed.length; at += 1) pieces.add(framed.slice(at, at + 3));
  }
  return pieces;
}
