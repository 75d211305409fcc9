import type { Scope, Store } from '../../model/provenance.ts';
import type { DocumentSource, IndexedDocument, IndexedEntity, Passage } from '../passage.ts';
import type { StoredPassage } from '../port.ts';
import { PASSAGES_PER_PAGE, type PageStore, type PageTable } from '../resident/layout.ts';
import type { Row, Transaction } from './server.ts';

/** The JSON in a document's row. */
interface DocumentBody {
  readonly title: string;
  readonly session?: string | undefined;
  readonly entity?: IndexedEntity | undefined;
}

export function serializeDocument({ title, session, entity }: IndexedDocument): string {
  return JSON.stringify({ title, session, entity } satisfies DocumentBody);
}

export function parseDocumentBody(body: unknown): DocumentBody {
  return JSON.parse(String(body)) as DocumentBody;
}

export function serializePassage(passage: Passage): string {
  return JSON.stringify(passage);
}

/** PostgreSQL's texts hold neither NUL nor half a surrogate pair; where a text is compared, it is compared in this form. */
export function storable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.toWellFormed().replaceAll('\u0000', '\u2400');
}

/** Keys that JSON leaves out because they are undefined. */
const ABSENT = {
  timeMs: undefined,
  speaker: undefined,
  turn: undefined,
  session: undefined,
  importance: undefined,
  confidence: undefined,
};

export const DOCUMENT_COLUMNS = 'd.source, d.path, a.store, a.scope, a.is_archived, d.body, d.first, d.count';

/** A row of a passage's number and body, followed by `DOCUMENT_COLUMNS`. */
export function parsePassage(row: Row): StoredPassage {
  const [number, body, source, path, store, scope, isArchived, documentBody, first, count] = row;
  const { title, session } = parseDocumentBody(documentBody);
  return {
    ...ABSENT,
    ...(JSON.parse(String(body)) as Passage),
    number: Number(number),
    document: {
      source: String(source) as DocumentSource,
      path: String(path),
      store: String(store) as Store,
      scope: String(scope) as Scope,
      isArchived: isArchived === true,
      title,
      session,
    },
    first: Number(first),
    count: Number(count),
  };
}

export type FetchedPages = Readonly<Record<PageTable, readonly number[]>>;

export function pagesOf(first: number, count: number): number[] {
  if (count === 0) return [];
  const from = Math.floor(first / PASSAGES_PER_PAGE);
  const to = Math.floor((first + count - 1) / PASSAGES_PER_PAGE);
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

/** The pages a write touches, fetched before it begins and sent when it is done: in between nothing has to wait. */
export async function fetchPages(
  transaction: Transaction,
  wanted: FetchedPages,
): Promise<PageStore & { flush(transaction: Transaction, generation: number): Promise<void> }> {
  const tables = ['layout', 'facts'] as const;
  const bodies = { layout: new Map<number, Uint8Array>(), facts: new Map<number, Uint8Array>() };
  for (const table of tables) {
    if (wanted[table].length === 0) continue;
    const sql = `SELECT page, body FROM ${table} WHERE namespace = {ns} AND page = ANY($1)`;
    for (const [page, body] of await transaction.rows(sql, wanted[table])) {
      if (body instanceof Uint8Array) bodies[table].set(Number(page), new Uint8Array(body));
    }
  }
  const written = { layout: new Map<number, Uint8Array>(), facts: new Map<number, Uint8Array>() };
  return {
    read: (table, page) => bodies[table].get(page),
    write: (table, page, body) => void written[table].set(page, body),
    flush: async (within, generation) => {
      for (const table of tables) {
        if (written[table].size === 0) continue;
        await within.rows(
          `INSERT INTO ${table} SELECT {ns}, page, $1, body FROM unnest($2::integer[], $3::bytea[]) AS given (page, body)
           ON CONFLICT (namespace, page) DO UPDATE SET generation = excluded.generation, body = excluded.body`,
          generation,
          [...written[table].keys()],
          [...written[table].values()],
        );
      }
    },
  };
}
