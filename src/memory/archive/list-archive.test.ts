import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { pack } from '../../workspace/packed.ts';
import {
  type IndexedArchive,
  indexPathOf,
  listArchive,
  parseArchiveIndex,
  serializeArchiveIndex,
} from './list-archive.ts';

const entries: fc.Arbitrary<IndexedArchive> = fc.record(
  {
    from: fc.string({ minLength: 1 }),
    item: fc.string(),
    at: fc.string(),
    reason: fc.string(),
    bytes: fc.nat(),
    packed: fc.boolean(),
  },
  { requiredKeys: ['from', 'at', 'bytes', 'packed'] },
);

describe('the table of contents', () => {
  it('is the same after it was written and read, sorted, a line for each file', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), entries), (table) => {
        const known = new Map(Object.entries(table));
        const text = serializeArchiveIndex(known);
        expect(serializeArchiveIndex(parseArchiveIndex(text))).toBe(text);
        expect(new Set(parseArchiveIndex(text).keys())).toEqual(new Set(known.keys()));
        expect(text.split('\n')).toHaveLength(known.size === 0 ? 5 : known.size + 6);
      }),
    );
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseArchiveIndex(text).size).toBe(0);
      }),
    );
  });

  it('is kept apart for each scope', () => {
    expect(indexPathOf('memory/archive/2026-11/episodes/a.md')).toBe('memory/archive/index.json');
    expect(indexPathOf('memory/scopes/project--x/memory/archive/2026-11/a.md')).toBe(
      'memory/scopes/project--x/memory/archive/index.json',
    );
  });
});

describe('a list of the archive', () => {
  const record = (from: string, at: string): string =>
    `---\narchived:\n  at: ${at}\n  from: ${from}\n---\n\nSomething.\n`;

  it('tells plain from packed files, the latest first, and names what is strange', () => {
    const root = makeTemporaryFolder();
    const write = (file: string, bytes: string | Buffer): void => {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), bytes);
    };
    write('memory/archive/2026-01/a.md', record('memory/a.md', '2026-01-02T00:00:00Z'));
    write('memory/archive/2026-02/b.md.gz', pack(Buffer.from(record('memory/b.md', '2026-02-02T00:00:00Z'))));
    write('memory/scopes/project--x/memory/archive/2026-03/c.md', record('c.md', '2026-03-02T00:00:00Z'));
    write('memory/archive/by-hand.md', 'Mine.\n');
    write('memory/archive/2026-01/torn.md.gz', pack(Buffer.from('x')).subarray(0, 5));
    write('memory/archive/index.json', '{ broken');
    const { files, strangers } = listArchive(nodeFileSystem, root);
    expect(files.map(({ path: file, packed }) => [file, packed])).toEqual([
      ['memory/scopes/project--x/memory/archive/2026-03/c.md', false],
      ['memory/archive/2026-02/b.md', true],
      ['memory/archive/2026-01/a.md', false],
    ]);
    expect(strangers.toSorted()).toEqual(['memory/archive/2026-01/torn.md.gz', 'memory/archive/by-hand.md']);
  });

  it('is empty where nothing was ever archived', () => {
    expect(listArchive(nodeFileSystem, makeTemporaryFolder())).toEqual({ files: [], strangers: [] });
  });
});
