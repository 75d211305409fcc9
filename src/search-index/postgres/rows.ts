import type { Scope, Store } from '../../model/provenance.ts';
import type { DocumentSource, IndexedDocument, IndexedEntity, Passage } from '../passage.ts';
import type { StoredPassage } from '../port.ts';
import type { Row } from './server.ts';

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
