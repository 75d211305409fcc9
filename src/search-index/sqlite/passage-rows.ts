import type { Scope, Source, Store, Trust } from '../../model/provenance.ts';
import type { DocumentSource, Passage } from '../passage.ts';
import type { StoredPassage } from '../port.ts';
import type { IndexDatabase, IndexState, Row } from './index-database.ts';

const PASSAGE_COLUMNS = [
  'number',
  'id',
  'key',
  'text',
  'lead',
  'day',
  'start_line',
  'end_line',
  'type',
  'time_ms',
  'speaker',
  'turn',
  'session',
  'source',
  'trust',
  'importance',
  'confidence',
  'tags',
  'entities',
  'learned_ms',
  'is_standing',
] as const;

const INSERT = `INSERT INTO passages (${PASSAGE_COLUMNS.join()}) VALUES (${PASSAGE_COLUMNS.map(() => '?').join()})`;
const SELECT = `SELECT ${PASSAGE_COLUMNS.join()} FROM passages WHERE number = ?`;

export function insertPassage(database: IndexDatabase, number: number, key: Uint8Array, passage: Passage): void {
  database
    .prepare(INSERT)
    .run(
      number,
      passage.id,
      key,
      passage.text,
      passage.lead,
      passage.day,
      passage.startLine,
      passage.endLine,
      passage.type,
      passage.timeMs ?? null,
      passage.speaker ?? null,
      passage.turn ?? null,
      passage.session ?? null,
      passage.source,
      passage.trust,
      passage.importance ?? null,
      passage.confidence ?? null,
      passage.tags.length === 0 ? null : JSON.stringify(passage.tags),
      passage.entities.length === 0 ? null : JSON.stringify(passage.entities),
      passage.learnedMs ?? null,
      passage.isStanding === true ? 1 : null,
    );
}

/** A document's columns that a passage shows. */
export interface DocumentRow {
  readonly document: StoredPassage['document'];
  readonly first: number;
  readonly count: number;
}

export function readDocument(database: IndexDatabase, number: number): DocumentRow | undefined {
  const row = database.row(
    `SELECT source, path, store, scope, is_archived, title, session, first, count
     FROM documents JOIN attributes ON attributes.code = documents.attributes WHERE number = ?`,
    number,
  );
  if (row === undefined) return undefined;
  return {
    document: {
      source: String(row[0]) as DocumentSource,
      path: String(row[1]),
      store: String(row[2]) as Store,
      scope: String(row[3]) as Scope,
      isArchived: row[4] === 1,
      title: String(row[5]),
      session: textOrNone(row[6]),
    },
    first: Number(row[7]),
    count: Number(row[8]),
  };
}

export function readPassage(database: IndexDatabase, number: number, document: DocumentRow): StoredPassage | undefined {
  const row = database.row(SELECT, number);
  if (row === undefined) return undefined;
  return {
    number,
    ...document,
    id: String(row[1]),
    text: String(row[3]),
    lead: String(row[4]),
    day: String(row[5]),
    startLine: Number(row[6]),
    endLine: Number(row[7]),
    type: String(row[8]),
    timeMs: numberOrNone(row[9]),
    speaker: textOrNone(row[10]),
    turn: textOrNone(row[11]),
    session: textOrNone(row[12]),
    source: String(row[13]) as Source,
    trust: String(row[14]) as Trust,
    importance: numberOrNone(row[15]),
    confidence: numberOrNone(row[16]),
    tags: parseTexts(row[17]),
    entities: parseTexts(row[18]),
    ...(typeof row[19] === 'number' ? { learnedMs: row[19] } : {}),
    ...(row[20] === 1 ? { isStanding: true } : {}),
  };
}

function textOrNone(value: Row[number] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOrNone(value: Row[number] | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function parseTexts(value: Row[number] | undefined): readonly string[] {
  return typeof value === 'string' ? (JSON.parse(value) as string[]) : [];
}

/** About 20 MB with what is kept beside the texts; ten thousand turns of a conversation fit into it. */
const MAX_CHARACTERS = 4_000_000;

/**
 * Passages that were read since the last write. Questions come in numbers and find much the same; what is read again also
 * brings along the terms that were found in it.
 */
export class RecentPassages {
  readonly #maxCharacters: number;
  readonly #passages = new Map<number, StoredPassage>();
  #characters = 0;
  #epoch = '';
  #generation = -1;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** To be called in every transaction: whatever was written, a number may mean something else now. */
  refresh({ epoch, generation }: Pick<IndexState, 'epoch' | 'generation'>): void {
    if (epoch === this.#epoch && generation === this.#generation) return;
    this.clear();
    this.#epoch = epoch;
    this.#generation = generation;
  }

  find(number: number): StoredPassage | undefined {
    return this.#passages.get(number);
  }

  keep(passage: StoredPassage): void {
    this.#passages.set(passage.number, passage);
    this.#characters += passage.text.length;
    while (this.#characters > this.#maxCharacters) {
      const [oldest] = this.#passages.values();
      if (oldest === undefined) return;
      this.#passages.delete(oldest.number);
      this.#characters -= oldest.text.length;
    }
  }

  clear(): void {
    this.#passages.clear();
    this.#characters = 0;
  }
}
