import { hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import { PieceIndex, type PieceArrays } from './piece-index.ts';

/** Of a float and of a 32-bit integer. */
const WORD_BYTES = 4;

export const TABLE_FILE = 'minilm-static.bin';
export const MANIFEST_FILE = 'minilm-static.json';

/**
 * The layout of the table's file, all of it little-endian: a float scale per token; where each token's piece begins, and
 * the hash table over the pieces, as 32-bit integers; the pieces themselves; then the rows of int8, in blocks that are
 * read and checked when first needed.
 */
export interface TableManifest {
  readonly model: string;
  readonly dimensions: number;
  readonly tokens: number;
  readonly hashSlots: number;
  readonly textBytes: number;
  /** Rows in one block; the last block may hold fewer. */
  readonly blockRows: number;
  /** Of the whole file. */
  readonly sha256: string;
  /** Of everything before the rows. */
  readonly headSha256: string;
  readonly blockSha256: readonly string[];
  readonly source: Readonly<Record<string, string>>;
}

/** The folder with the committed table: it stands above both this folder and the bundle's. */
export function findTableFolder(): string {
  const candidates = ['../assets/embeddings/', '../../../assets/embeddings/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = candidates.find((folder) => existsSync(path.join(folder, MANIFEST_FILE)));
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `The table of the static embedder is not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again, or set embedding.provider to none to search by words alone.',
  });
}

export function readTableManifest(folder: string): TableManifest {
  const file = path.join(folder, MANIFEST_FILE);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TableManifest;
  } catch (error) {
    throw damaged(file, errorMessage(error), error);
  }
}

/**
 * The vectors of all tokens, int8 with one scale per token. A question needs a dozen rows of the 11.7 MB, so blocks
 * are read when a row is first used, and the SHA-256 of each is checked then: nothing unverified is ever used, and a
 * short-lived process pays for what it touches.
 */
export class TokenTable {
  readonly dimensions: number;
  readonly pieces: PieceIndex;
  readonly scales: Float32Array;
  readonly #file: string;
  readonly #manifest: TableManifest;
  readonly #rowsOffset: number;
  readonly #rows: Int8Array;
  readonly #loaded: Uint8Array;

  constructor(folder: string, manifest: TableManifest = readTableManifest(folder)) {
    this.#file = path.join(folder, TABLE_FILE);
    if (endianness() === 'BE') throw damaged(this.#file, 'it is little-endian and this processor is not');
    this.#manifest = manifest;
    this.dimensions = manifest.dimensions;
    this.#rowsOffset = (manifest.tokens * 2 + 1 + manifest.hashSlots) * WORD_BYTES + manifest.textBytes;
    const head = this.#read(0, this.#rowsOffset);
    this.#verify(head, manifest.headSha256, 'head');
    const { scales, ...arrays } = splitHead(head, manifest);
    this.scales = scales;
    this.pieces = new PieceIndex(arrays);
    this.#rows = new Int8Array(manifest.tokens * manifest.dimensions);
    this.#loaded = new Uint8Array(manifest.blockSha256.length);
  }

  /** Adds the token's row, unscaled, times the factor. */
  addRow(id: number, factor: number, sum: Float32Array): void {
    const block = Math.floor(id / this.#manifest.blockRows);
    if (this.#loaded[block] === 0) this.#loadBlock(block);
    const rows = this.#rows;
    const { length } = sum;
    let position = id * length;
    for (let index = 0; index < length; index++, position++) {
      sum[index] = (sum[index] as number) + factor * (rows[position] as number);
    }
  }

  #loadBlock(block: number): void {
    const start = block * this.#manifest.blockRows * this.dimensions;
    const end = Math.min(start + this.#manifest.blockRows * this.dimensions, this.#rows.length);
    const bytes = this.#read(this.#rowsOffset + start, end - start);
    this.#verify(bytes, this.#manifest.blockSha256[block] ?? '', `block ${block}`);
    this.#rows.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), start);
    this.#loaded[block] = 1;
  }

  #read(position: number, length: number): Buffer {
    // Not from Node's pool: the arrays laid over the head need an offset that is a multiple of 4.
    const bytes = Buffer.allocUnsafeSlow(length);
    try {
      const descriptor = openSync(this.#file, 'r');
      try {
        // A short file leaves the rest of the buffer undefined; the hash then differs.
        for (let filled = 0; filled < length;) {
          const count = readSync(descriptor, bytes, filled, length - filled, position + filled);
          if (count === 0) break;
          filled += count;
        }
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw damaged(this.#file, errorMessage(error), error);
    }
    return bytes;
  }

  #verify(bytes: Uint8Array, expected: string, part: string): void {
    if (hash('sha256', bytes) !== expected) throw damaged(this.#file, `the SHA-256 of its ${part} differs`);
  }
}

let bundled: TokenTable | undefined;

/** Opens a table; the committed one once for the whole process, since homes, graph and topics read the same 12 MB. */
export function openTable(folder: string, manifest?: TableManifest): TokenTable {
  if (folder !== findTableFolder()) return new TokenTable(folder, manifest);
  bundled ??= new TokenTable(folder, manifest);
  return bundled;
}

function splitHead(head: Buffer, { tokens, hashSlots }: TableManifest): PieceArrays & { scales: Float32Array } {
  const start = head.byteOffset;
  const startsOffset = tokens * WORD_BYTES;
  const slotsOffset = startsOffset + (tokens + 1) * WORD_BYTES;
  const textOffset = slotsOffset + hashSlots * WORD_BYTES;
  return {
    scales: new Float32Array(head.buffer, start, tokens),
    starts: new Uint32Array(head.buffer, start + startsOffset, tokens + 1),
    slots: new Uint32Array(head.buffer, start + slotsOffset, hashSlots),
    text: head.toString('utf8', textOffset),
  };
}

function damaged(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('integrity', `The static embedder cannot use ${file}: ${why}.`, {
    hint: 'Install the package again; in a checkout, restore the file with git.',
    cause,
  });
}
