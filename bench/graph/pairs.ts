import fs from 'node:fs';
import path from 'node:path';
import type { Bearer } from '../../src/memory/graph/likeness/sameness.ts';

/** Two mentions, and whether they are one. */
export interface Pair {
  readonly a: Bearer;
  readonly b: Bearer;
  readonly same: boolean;
}

interface Mention {
  readonly name: string;
  readonly type?: string;
  readonly aliases?: readonly string[];
  readonly context?: string;
}

/** What the weights are fitted on beside `training/data/entities`, each set by another writer, and what is kept for judging. */
export const FITTED_PAIRS = ['pairs-a.jsonl', 'pairs-b.jsonl', 'pairs-c.jsonl', 'pairs-d.jsonl'];
export const UNSEEN_PAIRS = 'pairs-e.jsonl';

const FOLDER = path.join(import.meta.dirname, '../data/entities');

export function readPairs(name: string): Pair[] {
  const lines = fs.readFileSync(path.join(FOLDER, name), 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { a: Mention; b: Mention; same: boolean })
    .map(({ a, b, same }) => ({ a: bearerOf(a), b: bearerOf(b), same }));
}

function bearerOf({ name, type, aliases = [], context = '' }: Mention): Bearer {
  return { name, type: type?.replace('organisation', 'organization'), aliases, context };
}

/** A record of `training/data/entities`: name, type and what is known, between bars. */
export function parseRecord(text: string): Bearer {
  const [name = '', type = '', ...context] = text.split('|').map((part) => part.trim());
  return { name, type: type.replace('organisation', 'organization'), aliases: [], context: context.join(' | ') };
}
