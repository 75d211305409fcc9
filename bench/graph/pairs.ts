import fs from 'node:fs';
import path from 'node:path';
import { readContext, type ContextSigns } from '../../src/memory/graph/likeness/context.ts';
import type { Bearer } from '../../src/memory/graph/likeness/sameness.ts';

/** Two mentions, whether they are one, and what is said of them says of that. */
export interface Pair {
  readonly id: string;
  readonly a: Bearer;
  readonly b: Bearer;
  readonly same: boolean;
  readonly signs: ContextSigns;
  /** Which set it is of: each was written by somebody else. */
  readonly set: string;
}

interface Mention {
  readonly name: string;
  readonly type?: string;
  readonly aliases?: readonly string[];
  readonly context?: string;
}

/** What the weights are fitted on, each set by another writer, and what is kept for judging. */
export const FITTED_PAIRS = ['pairs-a.jsonl', 'pairs-b.jsonl', 'pairs-c.jsonl'];
export const UNSEEN_PAIRS = 'pairs-e.jsonl';

const FOLDER = path.join(import.meta.dirname, '../data/entities');

export async function readPairs(name: string): Promise<Pair[]> {
  const lines = fs.readFileSync(path.join(FOLDER, name), 'utf8').split('\n');
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { id: string; a: Mention; b: Mention; same: boolean });
  const pairs: Pair[] = [];
  for (const { id, a, b, same } of rows) {
    const [first, second] = [bearerOf(a), bearerOf(b)];
    pairs.push({ id, a: first, b: second, same, signs: await readContext(first, second), set: name });
  }
  return pairs;
}

function bearerOf({ name, type, aliases = [], context = '' }: Mention): Bearer {
  return { name, type: type?.replace('organisation', 'organization'), aliases, context };
}
