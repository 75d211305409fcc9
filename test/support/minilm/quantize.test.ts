import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANIFEST_FILE, TABLE_FILE, TokenTable } from '../../../src/providers/embeddings/token-table.ts';
import { serializeTable } from './quantize.ts';

const TOKENS = 600;
const vocabulary = Array.from({ length: TOKENS }, (_, id) => (id % 2 === 0 ? `wörd${id}` : `##${id}`));
const vectors = Array.from({ length: TOKENS }, (_, id) =>
  Float32Array.from({ length: 8 }, (_value, column) => (id === 3 ? 0 : Math.sin(id * 8 + column))),
);
const { manifest, bytes } = serializeTable(vocabulary, vectors, { model: 'test', source: {} });

function openTable(content: Buffer): TokenTable {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mneme-table-'));
  writeFileSync(path.join(folder, TABLE_FILE), content);
  writeFileSync(path.join(folder, MANIFEST_FILE), JSON.stringify(manifest));
  return new TokenTable(folder);
}

function rowOf(table: TokenTable, id: number): Float32Array {
  const row = new Float32Array(table.dimensions);
  table.addRow(id, table.scales[id] ?? 0, row);
  return row;
}

describe('serializeTable', () => {
  it('is read back within half a step of the quantisation', () => {
    const table = openTable(bytes);
    vectors.forEach((vector, id) => {
      const step = table.scales[id] ?? 0;
      rowOf(table, id).forEach((value, column) => {
        expect(Math.abs(value - (vector[column] ?? 0))).toBeLessThanOrEqual(step * 0.5001);
      });
    });
    expect(vocabulary.map((piece) => table.pieces.findId(piece))).toEqual(vocabulary.map((_, id) => id));
  });

  it('hashes blocks so that damage to one leaves the others usable', () => {
    expect(manifest.blockSha256).toHaveLength(3);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);
    const table = openTable(damaged);
    expect(rowOf(table, 0)).toEqual(rowOf(openTable(bytes), 0));
    expect(() => rowOf(table, TOKENS - 1)).toThrow(/SHA-256 of its block 2 differs/u);
  });
});
