import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseExportStream,
  parseQuotedPath,
  serializeExportToken,
  serializeQuotedPath,
  type ExportToken,
} from './export-stream.ts';

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function parseAll(bytes: Buffer, chunkSize: number): Promise<ExportToken[]> {
  const tokens: ExportToken[] = [];
  for await (const token of parseExportStream(inChunks(bytes, chunkSize))) tokens.push(token);
  return tokens;
}

describe('a fast-export stream', () => {
  it('comes out as it went in, however it is cut', async () => {
    const line = fc
      .stringMatching(/^[a-zM] [ -~ü]{0,20}$/)
      .map((text) => ({ kind: 'line', bytes: Buffer.from(text) }) as const);
    const data = fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => ({ kind: 'data', bytes: Buffer.from(bytes) }) as const);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(line, data)), fc.integer({ min: 1, max: 40 }), async (tokens, chunkSize) => {
        const stream = Buffer.concat(tokens.map(serializeExportToken));
        expect(await parseAll(stream, chunkSize)).toEqual(tokens);
      }),
    );
  });

  it('does not take content for commands', async () => {
    const content = 'commit refs/heads/main\ndata 3\n';
    const tokens = await parseAll(Buffer.from(`blob\ndata ${content.length}\n${content}\ndone\n`), 7);
    expect(tokens.map(({ kind, bytes }) => [kind, bytes.toString()])).toEqual([
      ['line', 'blob'],
      ['data', content],
      ['line', ''],
      ['line', 'done'],
    ]);
  });

  it('notices that it was cut off', async () => {
    await expect(parseAll(Buffer.from('blob\ndata 10\nabc'), 4)).rejects.toThrow(/ended in the middle/);
    await expect(parseAll(Buffer.from('blob\nmark'), 4)).rejects.toThrow(/ended in the middle/);
  });
});

describe('quoted paths', () => {
  it('survive quoting', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        expect(parseQuotedPath(serializeQuotedPath(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('are read as git writes them', () => {
    expect(parseQuotedPath(Buffer.from(String.raw`"a \"q\" \303\274\t\\.md"`)).toString()).toBe('a "q" ü\t\\.md');
    expect(parseQuotedPath(Buffer.from('plain name.md')).toString()).toBe('plain name.md');
  });
});
