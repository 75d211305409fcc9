import fs from 'node:fs';
import path from 'node:path';
import { openStaticEmbedder } from '../../src/providers/embeddings/static.ts';
import { dot } from '../../src/providers/embeddings/vector.ts';
import { contextForMeaning } from '../../src/memory/graph/likeness/context.ts';
import type { Bearer } from '../../src/memory/graph/likeness/sameness.ts';

/** Two mentions, whether they are one, and how alike the embedder finds what is said of them. */
export interface Pair {
  readonly id: string;
  readonly a: Bearer;
  readonly b: Bearer;
  readonly same: boolean;
  readonly likeness: number;
}

interface Mention {
  readonly name: string;
  readonly type?: string;
  readonly aliases?: readonly string[];
  readonly context?: string;
}

const FOLDER = path.join(import.meta.dirname, '../data/entities');

export async function readPairs(name: string): Promise<Pair[]> {
  const lines = fs.readFileSync(path.join(FOLDER, name), 'utf8').split('\n');
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { id: string; a: Mention; b: Mention; same: boolean });
  const embedder = openStaticEmbedder();
  const pairs: Pair[] = [];
  for (const { id, a, b, same } of rows) {
    const [first, second] = [bearerOf(a), bearerOf(b)];
    const texts = [first, second].map((bearer) => contextForMeaning(bearer, [first, second]));
    const [one, other] = await embedder.embed(texts, 'document');
    pairs.push({
      id,
      a: first,
      b: second,
      same,
      likeness: one === undefined || other === undefined ? 0 : dot(one, other),
    });
  }
  await embedder.close();
  return pairs;
}

function bearerOf({ name, type, aliases = [], context = '' }: Mention): Bearer {
  return { name, type: type?.replace('organisation', 'organization'), aliases, context };
}
