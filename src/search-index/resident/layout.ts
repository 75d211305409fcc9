import { hash } from 'node:crypto';
import { damaged } from '../port.ts';
import type { IndexedDocument, Passage } from '../passage.ts';

/** Small enough that a write of one document rewrites little, large enough that a million load quickly. */
export const PASSAGES_PER_PAGE = 512;
const LAYOUT_BYTES = PASSAGES_PER_PAGE * 8;
const FACT_BYTES = PASSAGES_PER_PAGE * 12;

/** The resident corpus's data on a page's passages. */
export interface LayoutPage {
  readonly documents: Int32Array;
  readonly lengths: Uint16Array;
  readonly attributes: Uint16Array;
}

export interface FactsPage {
  readonly times: Float64Array;
  readonly importances: Float32Array;
}

export function parseLayout(body: Uint8Array): LayoutPage {
  const { buffer } = copyOf(body, LAYOUT_BYTES, 'layout');
  return {
    documents: new Int32Array(buffer, 0, PASSAGES_PER_PAGE),
    lengths: new Uint16Array(buffer, PASSAGES_PER_PAGE * 4, PASSAGES_PER_PAGE),
    attributes: new Uint16Array(buffer, PASSAGES_PER_PAGE * 6, PASSAGES_PER_PAGE),
  };
}

export function parseFacts(body: Uint8Array): FactsPage {
  const { buffer } = copyOf(body, FACT_BYTES, 'facts');
  return {
    times: new Float64Array(buffer, 0, PASSAGES_PER_PAGE),
    importances: new Float32Array(buffer, PASSAGES_PER_PAGE * 8, PASSAGES_PER_PAGE),
  };
}

/** Typed arrays need a buffer of their own that begins at a multiple of eight. */
function copyOf(body: Uint8Array, bytes: number, what: string): Uint8Array<ArrayBuffer> {
  if (body.length !== bytes) throw damaged(`a page of its ${what} has ${body.length} bytes instead of ${bytes}`);
  return body.byteOffset === 0 && body.buffer.byteLength === bytes && body.buffer instanceof ArrayBuffer
    ? (body as Uint8Array<ArrayBuffer>)
    : new Uint8Array(body);
}

function emptyFacts(): FactsPage {
  const page = parseFacts(new Uint8Array(FACT_BYTES));
  page.times.fill(Number.NaN);
  page.importances.fill(Number.NaN);
  return page;
}

export type PageTable = 'layout' | 'facts';

/** Where an engine keeps pages. A writer that cannot wait for them has those it touches at hand before it begins. */
export interface PageStore {
  read(table: PageTable, page: number): Uint8Array | undefined;
  write(table: PageTable, page: number, body: Uint8Array): void;
}

/** The pages that a write touches: read when first needed, written at its end. */
export class LayoutWriter {
  readonly #pages: PageStore;
  readonly #layout = new Map<number, LayoutPage>();
  readonly #facts = new Map<number, FactsPage>();

  constructor(pages: PageStore) {
    this.#pages = pages;
  }

  place(document: number, attribute: number, first: number, lengths: Uint16Array): void {
    for (const [offset, length] of lengths.entries()) {
      const { page, row } = this.#layoutAt(first + offset);
      page.documents[row] = document;
      page.lengths[row] = length;
      page.attributes[row] = attribute;
    }
  }

  /** Lengths stay as they are: sums over them must not move under those who have them in memory. */
  remove(first: number, count: number): void {
    for (let passage = first; passage < first + count; passage += 1) {
      const { page, row } = this.#layoutAt(passage);
      page.documents[row] = 0;
    }
  }

  setAttribute(first: number, count: number, attribute: number): void {
    for (let passage = first; passage < first + count; passage += 1) {
      const { page, row } = this.#layoutAt(passage);
      page.attributes[row] = attribute;
    }
  }

  setFacts(first: number, times: Float64Array, importances: Float32Array): void {
    for (const [offset, time] of times.entries()) {
      const number = Math.floor((first + offset) / PASSAGES_PER_PAGE);
      let page = this.#facts.get(number);
      if (page === undefined) {
        const body = this.#pages.read('facts', number);
        page = body === undefined ? emptyFacts() : parseFacts(body);
        this.#facts.set(number, page);
      }
      page.times[(first + offset) % PASSAGES_PER_PAGE] = time;
      page.importances[(first + offset) % PASSAGES_PER_PAGE] = importances[offset] ?? Number.NaN;
    }
  }

  flush(): void {
    for (const [number, { documents }] of this.#layout) {
      this.#pages.write('layout', number, new Uint8Array(documents.buffer));
    }
    for (const [number, { times }] of this.#facts) this.#pages.write('facts', number, new Uint8Array(times.buffer));
    this.#layout.clear();
    this.#facts.clear();
  }

  #layoutAt(passage: number): { readonly page: LayoutPage; readonly row: number } {
    const number = Math.floor(passage / PASSAGES_PER_PAGE);
    let page = this.#layout.get(number);
    if (page === undefined) {
      page = parseLayout(this.#pages.read('layout', number) ?? new Uint8Array(LAYOUT_BYTES));
      this.#layout.set(number, page);
    }
    return { page, row: passage % PASSAGES_PER_PAGE };
  }
}

/** The reserve of a document that has once grown, as it will grow again. */
const GROWTH = 1.5;
const LEAST_RESERVE = 16;

interface HeldDocument {
  readonly count: number;
  readonly session: string | undefined;
  readonly fingerprint: string;
}

/** Whether a document only got more passages at its end: sessions and the day's files do so all the time. */
export function isContinued(held: HeldDocument, { passages, session }: IndexedDocument): boolean {
  if (held.count === 0 || passages.length < held.count || session !== held.session) return false;
  return fingerprintOf(passages.slice(0, held.count)) === held.fingerprint;
}

/** The count of numbers for a document that is written at a new place. */
export function reserveFor(passages: number, isGrown: boolean): number {
  return isGrown ? Math.ceil(passages * GROWTH) + LEAST_RESERVE : passages;
}

export function fingerprintOf(passages: readonly Passage[]): string {
  return hash('sha1', JSON.stringify(passages), 'base64');
}
