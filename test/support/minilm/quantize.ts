import { hash } from 'node:crypto';
import { must } from '../../../src/model/errors.ts';
import { buildPieceArrays } from '../../../src/providers/embeddings/piece-index.ts';
import type { TableManifest } from '../../../src/providers/embeddings/token-table.ts';

/** A block of 98 KB: reading and hashing one takes a tenth of a millisecond, and 120 hashes fit the manifest. */
const BLOCK_ROWS = 256;
const INT8_MAX = 127;

export interface SerializedTable {
  readonly manifest: TableManifest;
  readonly bytes: Buffer;
}

/** Packs vocabulary and vectors into the file that `TokenTable` reads. */
export function serializeTable(
  vocabulary: readonly string[],
  vectors: readonly Float32Array[],
  origin: Pick<TableManifest, 'model' | 'source'>,
): SerializedTable {
  const dimensions = must(vectors[0], 'a vector').length;
  const scales = Buffer.alloc(vectors.length * Float32Array.BYTES_PER_ELEMENT);
  const rows = Buffer.alloc(vectors.length * dimensions);
  vectors.forEach((vector, id) => {
    // The scale is rounded to a float before it is used, so that reading back uses the same one.
    const scale = Math.fround(largest(vector) / INT8_MAX);
    scales.writeFloatLE(scale, id * Float32Array.BYTES_PER_ELEMENT);
    vector.forEach((value, index) => {
      rows.writeInt8(scale === 0 ? 0 : Math.round(value / scale), id * dimensions + index);
    });
  });
  const { starts, slots, text } = buildPieceArrays(vocabulary);
  const textBytes = Buffer.from(text, 'utf8');
  const head = Buffer.concat([scales, Buffer.from(starts.buffer), Buffer.from(slots.buffer), textBytes]);
  const bytes = Buffer.concat([head, rows]);
  const manifest: TableManifest = {
    model: origin.model,
    dimensions,
    tokens: vectors.length,
    hashSlots: slots.length,
    textBytes: textBytes.length,
    blockRows: BLOCK_ROWS,
    sha256: hash('sha256', bytes),
    headSha256: hash('sha256', head),
    blockSha256: hashBlocks(rows, BLOCK_ROWS * dimensions),
    source: origin.source,
  };
  return { manifest, bytes };
}

function largest(vector: Float32Array): number {
  return vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function hashBlocks(rows: Buffer, blockBytes: number): string[] {
  const hashes: string[] = [];
  for (let start = 0; start < rows.length; start += blockBytes) {
    hashes.push(hash('sha256', rows.subarray(start, start + blockBytes)));
  }
  return hashes;
}
