import { must } from '../../model/errors.ts';
import { PostingBuilder } from '../lexical/builder.ts';
import type { IndexedDocument } from '../passage.ts';
import type { IndexChange } from '../port.ts';
import { embeddedKey, keyText } from '../resident/labels.ts';
import { importancesOf, timesOf } from '../resident/filter.ts';
import { LayoutWriter, fingerprintOf, isContinued, reserveFor } from '../resident/layout.ts';
import {
  type FetchedPages,
  fetchPages,
  pagesOf,
  parseDocumentBody,
  serializeDocument,
  serializePassage,
  storable,
} from './rows.ts';
import { writeSegment } from './segments.ts';
import type { Transaction } from './server.ts';
import { trouble } from './trouble.ts';

const ROWS_AT_ONCE = 1000;

interface KnownDocument {
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly reserved: number;
  readonly session: string | undefined;
  readonly fingerprint: string;
}

/** Where a document's passages go; those before `from` are there already. */
interface Placement {
  readonly document: IndexedDocument;
  readonly number: number;
  readonly first: number;
  readonly reserved: number;
  readonly from: number;
  readonly attribute: number;
}

interface Plan {
  readonly placed: readonly Placement[];
  /** The documents whose passages go; `isGone` where the document goes too. */
  readonly freed: readonly (KnownDocument & { readonly isGone: boolean })[];
  readonly nextPassage: number;
  readonly nextDocument: number;
}

/** Writes a change as `device`; returns the numbers that are free next. */
export async function applyChange(
  transaction: Transaction,
  change: IndexChange,
  device: string,
): Promise<{ readonly nextPassage: number; readonly nextDocument: number }> {
  const { put, remove } = withoutRepetitions(change);
  const known = await findKnown(transaction, [...put, ...remove]);
  const plan = planChange(transaction, { put, remove }, known, await attributeCodes(transaction, put));
  const pages = await fetchPages(transaction, touchedPages(plan));
  const postings = new PostingBuilder();
  const generation = transaction.state.generation + 1;
  await removeRows(transaction, plan);
  await writeDocuments(transaction, plan, { generation, device });
  place(plan, new LayoutWriter(pages), postings);
  await writePassages(transaction, plan, generation);
  await pages.flush(transaction, generation);
  await writeSegment(transaction, postings);
  return plan;
}

/** The last of several puts of one document counts, and a put counts more than a removal. */
function withoutRepetitions({ put, remove }: IndexChange): IndexChange {
  const last = new Map(put.map((document) => [keyText(document), document]));
  const gone = new Map(remove.filter((key) => !last.has(keyText(key))).map((key) => [keyText(key), key]));
  return { put: [...last.values()], remove: [...gone.values()] };
}

async function findKnown(
  transaction: Transaction,
  keys: readonly { readonly source: string; readonly path: string }[],
): Promise<Map<string, KnownDocument>> {
  const rows = await transaction.rows(
    `SELECT d.source, d.path, number, first, count, reserved, fingerprint, body
     FROM unnest($1::text[], $2::text[]) AS wanted (source, path)
     JOIN documents d ON namespace = {ns} AND d.source = wanted.source AND d.path = wanted.path`,
    keys.map(({ source }) => source),
    keys.map(({ path }) => storable(path)),
  );
  return new Map(
    rows.map(([source, path, number, first, count, reserved, fingerprint, body]) => [
      `${String(source)}\0${String(path)}`,
      {
        number: Number(number),
        first: Number(first),
        count: Number(count),
        reserved: Number(reserved),
        fingerprint: String(fingerprint),
        session: parseDocumentBody(body).session,
      },
    ]),
  );
}

function planChange(
  { state }: Transaction,
  { put, remove }: IndexChange,
  known: ReadonlyMap<string, KnownDocument>,
  attributeOf: (document: IndexedDocument) => number,
): Plan {
  const knownOf = ({ source, path }: { source: string; path: string }): KnownDocument | undefined =>
    known.get(`${source}\0${storable(path)}`);
  const placed: Placement[] = [];
  const freed = remove.flatMap((key) => {
    const found = knownOf(key);
    return found === undefined ? [] : [Object.assign({ isGone: true }, found)];
  });
  let { nextPassage, nextDocument } = state;
  for (const document of put) {
    const held = knownOf(document);
    const attribute = attributeOf(document);
    const { length } = document.passages;
    const isGrown = held !== undefined && isContinued(held, document);
    if (held !== undefined && isGrown && length <= held.reserved) {
      placed.push({
        document,
        number: held.number,
        first: held.first,
        reserved: held.reserved,
        from: held.count,
        attribute,
      });
      continue;
    }
    if (held !== undefined) freed.push(Object.assign({ isGone: false }, held));
    const reserved = reserveFor(length, isGrown);
    placed.push({ document, number: held?.number ?? nextDocument, first: nextPassage, reserved, from: 0, attribute });
    if (held === undefined) nextDocument += 1;
    nextPassage += reserved;
  }
  return { placed, freed, nextPassage, nextDocument };
}

function touchedPages({ placed, freed }: Plan): FetchedPages {
  const layout = new Set<number>();
  const facts = new Set<number>();
  for (const { first, count } of freed) pagesOf(first, count).forEach((page) => layout.add(page));
  for (const { first, document } of placed) {
    for (const page of pagesOf(first, document.passages.length)) {
      layout.add(page);
      facts.add(page);
    }
  }
  return { layout: [...layout], facts: [...facts] };
}

/** Into the pages and the postings. */
function place({ placed, freed }: Plan, layout: LayoutWriter, postings: PostingBuilder): void {
  for (const { first, count } of freed) layout.remove(first, count);
  for (const { document, number, first, from, attribute } of placed) {
    const passages = document.passages.slice(from);
    if (from > 0) layout.setAttribute(first, from, attribute);
    const lengths = postings.add(passages, first + from, document.session);
    layout.place(number, attribute, first + from, lengths);
    layout.setFacts(first + from, timesOf(passages), importancesOf(passages));
  }
  layout.flush();
}

async function removeRows(transaction: Transaction, { freed }: Plan): Promise<void> {
  if (freed.length === 0) return;
  await transaction.rows(
    `DELETE FROM passages USING unnest($1::integer[], $2::integer[]) AS freed (first, beyond)
     WHERE namespace = {ns} AND number >= freed.first AND number < freed.beyond`,
    freed.map(({ first }) => first),
    freed.map(({ first, count }) => first + count),
  );
  const gone = freed.filter(({ isGone }) => isGone).map(({ number }) => number);
  if (gone.length > 0) {
    await transaction.rows('DELETE FROM documents WHERE namespace = {ns} AND number = ANY($1)', gone);
  }
}

async function writeDocuments(
  transaction: Transaction,
  { placed }: Plan,
  { generation, device }: { readonly generation: number; readonly device: string },
): Promise<void> {
  if (placed.length === 0) return;
  await transaction.rows(
    `INSERT INTO documents SELECT {ns}, given.*, $1, $2, size, body FROM unnest($3::integer[], $4::text[], $5::text[],
       $6::text[], $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::text[]) AS given
       (number, source, path, hash, attributes, first, count, reserved, fingerprint)
     JOIN unnest($3::integer[], $12::integer[], $13::text[]) AS more (number, size, body) USING (number)
     ON CONFLICT (namespace, number) DO UPDATE SET hash = excluded.hash, attributes = excluded.attributes,
       first = excluded.first, count = excluded.count, reserved = excluded.reserved, fingerprint = excluded.fingerprint,
       generation = excluded.generation, device = excluded.device, bytes = excluded.bytes, body = excluded.body`,
    generation,
    device,
    placed.map(({ number }) => number),
    placed.map(({ document }) => document.source),
    placed.map(({ document }) => storable(document.path)),
    placed.map(({ document }) => document.hash),
    placed.map(({ attribute }) => attribute),
    placed.map(({ first }) => first),
    placed.map(({ document }) => document.passages.length),
    placed.map(({ reserved }) => reserved),
    placed.map(({ document }) => fingerprintOf(document.passages)),
    placed.map(({ document }) => sizeOf(document)),
    placed.map(({ document }) => serializeDocument(document)),
  );
}

function sizeOf({ passages }: IndexedDocument): number {
  return passages.reduce((sum, { text, lead }) => sum + text.length + lead.length, 0);
}

async function writePassages(transaction: Transaction, { placed }: Plan, generation: number): Promise<void> {
  const passages = placed.flatMap(({ document, first, from }) =>
    document.passages.slice(from).map((passage, offset) => ({ number: first + from + offset, passage })),
  );
  for (let at = 0; at < passages.length; at += ROWS_AT_ONCE) {
    const batch = passages.slice(at, at + ROWS_AT_ONCE);
    await transaction.rows(
      `INSERT INTO passages SELECT {ns}, number, id, key, $1, body
       FROM unnest($2::integer[], $3::text[], $4::bytea[], $5::text[]) AS given (number, id, key, body)`,
      generation,
      batch.map(({ number }) => number),
      batch.map(({ passage }) => storable(passage.id)),
      batch.map(({ passage }) => embeddedKey(passage)),
      batch.map(({ passage }) => serializePassage(passage)),
    );
  }
}

/** Codes of what filters look at, made where there are none yet. */
async function attributeCodes(
  transaction: Transaction,
  put: readonly IndexedDocument[],
): Promise<(document: IndexedDocument) => number> {
  const nameOf = ({ store, scope, isArchived }: Pick<IndexedDocument, 'store' | 'scope' | 'isArchived'>): string =>
    `${store} ${scope} ${isArchived}`;
  const rows = await transaction.rows(
    'SELECT code, store, scope, is_archived FROM attributes WHERE namespace = {ns} ORDER BY code',
  );
  const codes = new Map(rows.map((row) => [`${String(row[1])} ${String(row[2])} ${row[3] === true}`, Number(row[0])]));
  let next = Number(rows.at(-1)?.[0] ?? 0) + 1;
  for (const document of put) {
    const name = nameOf(document);
    if (codes.has(name)) continue;
    const { store, scope, isArchived } = document;
    const sql = 'INSERT INTO attributes VALUES ({ns}, $1, $2, $3, $4)';
    await transaction.rows(sql, next, store, scope, isArchived);
    codes.set(name, next);
    next += 1;
  }
  return (document) => must(codes.get(nameOf(document)), 'the code of a document');
}

/** Refuses what would make a namespace larger than whoever runs the server allows. */
export async function assertQuota(transaction: Transaction): Promise<void> {
  const row = await transaction.row('SELECT name, max_passages, max_bytes FROM namespaces WHERE id = {ns}');
  if (row === undefined || (row[1] === null && row[2] === null)) return;
  const used = await transaction.row(
    'SELECT coalesce(sum(count), 0), coalesce(sum(bytes), 0) FROM documents WHERE namespace = {ns}',
  );
  for (const [position, what] of [
    [0, 'passages'],
    [1, 'bytes'],
  ] as const) {
    const limit = row[position + 1];
    const needed = Number(used?.[position]);
    if (limit === null || needed <= Number(limit)) continue;
    const allowed = `the namespace "${String(row[0])}" may hold ${Number(limit)} ${what} and would hold ${needed}`;
    throw trouble('full', new Error(allowed));
  }
}
