import type { Embedder } from '../../src/providers/embeddings/port.ts';
import { extractQueryTerms, extractTerms } from '../../src/search-index/text/terms.ts';
import type { Conversation } from './conversations.ts';
import type { SystemAnswer } from './measure.ts';

/** A system to compare with: a conversation in, a ranked list of texts for every question. */
export type Baseline = (conversation: Conversation) => Promise<(question: string) => Promise<SystemAnswer>>;

interface Chunk {
  readonly session: string;
  /** The place of its first turn in the session. */
  readonly first: number;
  /** A turn each. */
  readonly lines: readonly string[];
  readonly text: string;
}

const K1 = 1.2;
const B = 0.75;

/** Runs of turns, `speaker: text` a line. */
function chunkTurns({ sessions }: Conversation, size: number, stride: number): Chunk[] {
  return sessions.flatMap(({ id, turns }) => {
    const chunks: Chunk[] = [];
    for (let first = 0; first === 0 || first + size - stride < turns.length; first += stride) {
      const lines = turns.slice(first, first + size).map(({ speaker, text }) => `${speaker}: ${text}`);
      chunks.push({ session: id, first, lines, text: lines.join('\n') });
    }
    return chunks;
  });
}

/** Plain BM25 over windows of turns, stop words dropped, turns of a better window not repeated. */
export function bm25Windows(size: number, stride: number): Baseline {
  return async (conversation) => {
    const chunks = chunkTurns(conversation, size, stride);
    const counts = chunks.map(({ text }) => countTerms(extractTerms(text)));
    const lengths = counts.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
    const averageLength = lengths.reduce((sum, length) => sum + length, 0) / chunks.length;
    return async (question) => {
      const terms = [...new Set(extractQueryTerms(question))];
      const rarity = new Map(
        terms.map((term) => {
          const containing = counts.filter((known) => known.has(term)).length;
          return [term, Math.log(1 + (chunks.length - containing + 0.5) / (containing + 0.5))];
        }),
      );
      const score = (index: number): number => {
        const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / averageLength);
        let sum = 0;
        for (const term of terms) {
          const frequency = counts[index]?.get(term) ?? 0;
          sum += ((rarity.get(term) ?? 0) * frequency * (K1 + 1)) / (frequency + norm);
        }
        return sum;
      };
      return withoutOverlaps(chunks, score);
    };
  };
}

/** Cosine alone, turn by turn. */
export function vectorTurns(embedder: Embedder): Baseline {
  return async (conversation) => {
    const chunks = chunkTurns(conversation, 1, 1);
    const vectors = await embedder.embed(
      chunks.map(({ text }) => text),
      'document',
    );
    return async (question) => {
      const [query] = await embedder.embed([question], 'query');
      return withoutOverlaps(chunks, (index) => dot(vectors[index], query));
    };
  };
}

function withoutOverlaps(chunks: readonly Chunk[], score: (index: number) => number): SystemAnswer {
  const ranked = chunks
    .map((chunk, index) => ({ chunk, score: score(index) }))
    .filter((entry) => entry.score > 0)
    .sort((left, right) => right.score - left.score);
  const taken = new Set<string>();
  const texts: string[] = [];
  for (const { chunk } of ranked) {
    const lines = chunk.lines.filter((_, at) => !taken.has(`${chunk.session}#${chunk.first + at}`));
    for (const at of chunk.lines.keys()) taken.add(`${chunk.session}#${chunk.first + at}`);
    if (lines.length > 0) texts.push(lines.join('\n'));
  }
  return { texts, sessions: ranked.map(({ chunk }) => chunk.session) };
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function dot(left: Float32Array | undefined, right: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of (left ?? new Float32Array()).entries()) sum += value * (right?.[index] ?? 0);
  return sum;
}
