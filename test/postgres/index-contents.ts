import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { decodePostings, PostingBuffer } from '../../src/search-index/lexical/postings.ts';
import type { SearchIndex, StoredPassage } from '../../src/search-index/port.ts';
import { PostgresIndex } from '../../src/search-index/postgres/postgres-index.ts';
import { storable } from '../../src/search-index/postgres/rows.ts';
import { EVERYTHING } from '../../src/search-index/testing/documents.ts';

/** Everything an index holds, by names that do not depend on the engine: a document's path and which of its passages. */
export interface IndexContents {
  /** What is stored of each passage and its document, hashed. */
  readonly passages: ReadonlyMap<string, string>;
  /** In which passages a term stands and how often, hashed. */
  readonly terms: ReadonlyMap<string, string>;
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export interface ContentsCompared {
  readonly passages: number;
  readonly terms: number;
  readonly vectors: number;
  /** Rows of either that the other does not have, or has otherwise; at most a few are named. */
  readonly differences: number;
  readonly examples: readonly string[];
  /** Of the two vectors that are least alike. */
  readonly leastCosine: number;
}

const SHOWN = 5;

/** `file` is the embedded engine's; its postings are read from the table itself. */
export async function readContents(index: SearchIndex, model: string, file: string): Promise<IndexContents> {
  const passages = new Map<string, string>();
  const vectors = new Map<string, Float32Array>();
  const names = new Map<number, string>();
  const view = await index.view(EVERYTHING);
  for (const document of await index.listDocuments()) {
    const stored = await view.readDocument(document);
    const made = await index.readVectors(model, stored);
    for (const [at, passage] of stored.entries()) {
      const name = `${document.source}:${document.path}#${at}`;
      names.set(passage.number, name);
      passages.set(name, hash('sha256', describe(passage)));
      const vector = made[at];
      if (vector !== undefined) vectors.set(name, vector);
    }
  }
  const rows = index instanceof PostgresIndex ? await readPostgresPostings(index) : readFilePostings(file);
  return { passages, terms: hashTerms(rows, names), vectors };
}

export function compareContents(left: IndexContents, right: IndexContents): ContentsCompared {
  const examples = [
    ...differencesOf('passage', left.passages, right.passages),
    ...differencesOf('term', left.terms, right.terms),
    ...[...left.vectors.keys()].filter((name) => !right.vectors.has(name)).map((name) => `vector of ${name} is gone`),
    ...[...right.vectors.keys()].filter((name) => !left.vectors.has(name)).map((name) => `vector of ${name} is new`),
  ];
  let leastCosine = 1;
  for (const [name, vector] of left.vectors) {
    const other = right.vectors.get(name);
    if (other !== undefined) leastCosine = Math.min(leastCosine, cosine(vector, other));
  }
  return {
    passages: right.passages.size,
    terms: right.terms.size,
    vectors: right.vectors.size,
    differences: examples.length,
    examples: examples.slice(0, SHOWN),
    leastCosine,
  };
}

function* differencesOf(
  kind: string,
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): Generator<string> {
  for (const [name, value] of left) {
    const other = right.get(name);
    if (other === undefined) yield `${kind} ${name} is gone`;
    else if (other !== value) yield `${kind} ${name} is another`;
  }
  for (const name of right.keys()) if (!left.has(name)) yield `${kind} ${name} is new`;
}

/** All of it but the numbers, which each engine gives for itself; keys in one order. */
function describe({ number, first, ...rest }: StoredPassage): string {
  const isTold = number >= first;
  return JSON.stringify({ ...rest, isTold }, (_, value: unknown) =>
    typeof value === 'string' ? storable(value) : sortKeys(value),
  );
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hashTerms(
  rows: Iterable<readonly [string, Uint8Array]>,
  names: ReadonlyMap<number, string>,
): Map<string, string> {
  const places = new Map<string, string[]>();
  const buffer = new PostingBuffer();
  for (const [term, body] of rows) {
    buffer.clear();
    decodePostings(body, buffer);
    const known = places.get(storable(term)) ?? [];
    for (let at = 0; at < buffer.length; at += 1) {
      const name = names.get(buffer.passages[at] ?? -1);
      // Of a passage that is no longer there; dropped when segments are merged.
      if (name !== undefined) known.push(`${name}=${buffer.values[at] ?? 0}`);
    }
    if (known.length > 0) places.set(storable(term), known);
  }
  return new Map([...places].map(([term, list]) => [term, hash('sha256', list.sort().join('\n'))]));
}

function* readFilePostings(file: string): Generator<readonly [string, Uint8Array]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    for (const { term, body } of database.prepare('SELECT term, body FROM postings').iterate()) {
      if (typeof term === 'string' && body instanceof Uint8Array) yield [term, body];
    }
  } finally {
    database.close();
  }
}

async function readPostgresPostings({ server }: PostgresIndex): Promise<(readonly [string, Uint8Array])[]> {
  const rows = await server.read((transaction) =>
    transaction.rows('SELECT term, body FROM postings WHERE namespace = {ns}'),
  );
  return rows.flatMap(([term, body]) => (body instanceof Uint8Array ? [[String(term), body] as const] : []));
}

function cosine(left: Float32Array, right: Float32Array): number {
  let [product, one, other] = [0, 0, 0];
  for (const [at, value] of left.entries()) {
    const second = right[at] ?? 0;
    product += value * second;
    one += value * value;
    other += second * second;
  }
  return one === 0 && other === 0 ? 1 : product / Math.sqrt(one * other);
}
