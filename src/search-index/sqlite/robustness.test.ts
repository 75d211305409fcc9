import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { type SearchFilter, isDamaged } from '../port.ts';
import { askFor, findTexts, makeDocument, textsOf } from '../testing/documents.ts';
import { SqliteIndex } from './sqlite-index.ts';

const EVERYTHING: SearchFilter = { scopes: ['shared'] };

describe('SqliteIndex when things go wrong', () => {
  let folder: string;
  let file: string;
  let index: SqliteIndex;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mneme-index-'));
    file = path.join(folder, 'index.db');
    index = new SqliteIndex(file, systemClock);
  });

  afterEach(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Enough documents that every table has pages of its own. */
  async function fill(documents = 300): Promise<void> {
    const put = Array.from({ length: documents }, (_, number) =>
      makeDocument({ path: `${number}.md` }, [`tea number${number}`, `some more words${number} here`]),
    );
    await index.apply({ put, remove: [] });
  }

  async function failure(action: () => Promise<unknown>): Promise<unknown> {
    try {
      await action();
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /** Closes the index, so that everything is in the file, and overwrites all of it but the first page. */
  async function spoil(): Promise<void> {
    await index.close();
    const handle = openSync(file, 'r+');
    for (let at = 4096; at < statSync(file).size; at += 4096) writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, at);
    closeSync(handle);
    index = new SqliteIndex(file, systemClock);
  }

  it('says that a page is damaged, finds it, and is whole again after clearing', async () => {
    await fill();
    await spoil();
    const error = await failure(async () => findTexts(await index.view(EVERYTHING), 'tea'));
    expect(error).toMatchObject({ code: 'integrity' });
    expect(isDamaged(error)).toBe(true);
    expect(isDamaged(await failure(() => index.apply({ put: [makeDocument({ path: 'x' }, ['x'])], remove: [] })))).toBe(
      true,
    );
    expect(await index.verify()).not.toEqual([]);

    await index.clear();
    await fill(3);
    expect(await findTexts(await index.view(EVERYTHING), 'tea')).toHaveLength(3);
    expect(await index.verify()).toEqual([]);
  });

  it('begins anew when the file is no database, or cut short, or of another version', async () => {
    await fill(3);
    await index.close();
    writeFileSync(file, 'this is not a database, but it is long enough to look like one'.repeat(100));
    index = new SqliteIndex(file, systemClock);
    expect(await index.listDocuments()).toEqual([]);

    await fill();
    await index.close();
    truncateSync(file, 8192);
    index = new SqliteIndex(file, systemClock);
    // Whether opening sees it or the first question depends on where it ends.
    const error = await failure(async () => findTexts(await index.view(EVERYTHING), 'tea'));
    expect(error === undefined || isDamaged(error)).toBe(true);
    await index.clear();
    expect(await index.listDocuments()).toEqual([]);

    await fill(3);
    await index.close();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA user_version = 999');
    other.close();
    index = new SqliteIndex(file, systemClock);
    expect(await index.listDocuments()).toEqual([]);
  });

  it('asks to be asked again when the file is deleted in the middle of a question', async () => {
    await fill(3);
    const view = await index.view(EVERYTHING);
    const { passages } = await view.findByTerms(askFor('tea'));
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await expect(textsOf(view, [...passages])).rejects.toMatchObject({ code: 'conflict' });
    expect(await findTexts(await index.view(EVERYTHING), 'tea')).toEqual([]);
    await fill(2);
    expect(await findTexts(await index.view(EVERYTHING), 'tea')).toHaveLength(2);
  });

  it('reads while another process writes, and gives up writing after a while', async () => {
    await fill(3);
    await index.close();
    let nowMs = 0;
    const clock: Clock = { now: () => (nowMs += 1000) };
    index = new SqliteIndex(file, clock);
    const other = new DatabaseSync(file);
    try {
      other.exec("BEGIN IMMEDIATE; DELETE FROM passages; INSERT INTO notes VALUES ('a', 'b')");
      expect(await findTexts(await index.view(EVERYTHING), 'tea')).toHaveLength(3);
      const error = await failure(() => index.writeNote('a', 'c'));
      expect(error).toMatchObject({ code: 'locked' });
      other.exec('ROLLBACK');
      await index.writeNote('a', 'c');
      expect(await index.readNote('a')).toBe('c');
    } finally {
      other.close();
    }
  });

  it('keeps what it had when the disk is full', async () => {
    await fill(3);
    await index.close();
    index = new SqliteIndex(file, systemClock);
    const pages = statSync(file).size / 4096;
    // The next connection to write hits the same limit as a full disk would set.
    const limited = new SqliteIndex(file, systemClock, { maxPages: pages + 2 });
    const put = Array.from({ length: 300 }, (_, number) =>
      makeDocument({ path: `big${number}` }, ['tea '.repeat(500)]),
    );
    const error = await failure(() => limited.apply({ put, remove: [] }));
    expect(error).toMatchObject({ code: 'failure', message: expect.stringContaining('disk is full') as string });
    expect(await findTexts(await limited.view(EVERYTHING), 'tea')).toHaveLength(3);
    await limited.close();
    expect(await index.verify()).toEqual([]);
  });

  it('notices parts that do not agree', async () => {
    await fill(3);
    const other = new DatabaseSync(file);
    other.exec('DELETE FROM passages WHERE number = 1');
    other.close();
    expect(await index.verify()).toEqual([
      '0.md: 1 of 2 passages are there.',
      'Documents have 6 passages, the layout 6, the table 5.',
    ]);
  });

  it('notices terms that are not indexed and lists of them that break off', async () => {
    await fill(3);
    const other = new DatabaseSync(file);
    other.exec("DELETE FROM postings WHERE term = 'tea'");
    expect(await index.verify()).toContain('Passage 0 has 2 terms, but 1 are indexed.');
    other.exec("UPDATE postings SET body = x'8080' WHERE term = 'number1'");
    other.close();
    expect((await index.verify()).join()).toContain('breaks off');
    expect(isDamaged(await failure(async () => findTexts(await index.view(EVERYTHING), 'number1')))).toBe(true);
  });
});

describe('SqliteIndex over time', () => {
  it('numbers passages anew when most numbers are unused, and answers as before', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mneme-index-'));
    const index = new SqliteIndex(path.join(folder, 'index.db'), systemClock);
    try {
      const texts = (round: number): string[] =>
        Array.from({ length: 60 }, (_, number) => `round${round} tea number${number}`);
      const documents = (round: number): ReturnType<typeof makeDocument>[] =>
        Array.from({ length: 30 }, (_, number) =>
          makeDocument({ path: `${number}.md`, hash: `h${round}` }, texts(round)),
        );
      for (let round = 0; round < 5; round += 1) await index.apply({ put: documents(round), remove: [] });
      const vectorOf = (text: string): Float32Array => new Float32Array(16).fill(text.length % 7).with(3, 9);
      const missing = await index.listMissingVectors('m', 1e6);
      await index.putVectors(
        'm',
        16,
        missing.map(({ passage, text }) => ({ passage, vector: vectorOf(text) })),
      );
      const before = await index.view(EVERYTHING);
      const question = askFor('tea number7', { limit: 50 });
      const expected = await before.findByTerms(question);
      const expectedKeys = (await before.read([...expected.passages])).map(
        ({ document, number, first }) => `${document.path} ${number - first}`,
      );
      const nearest = await before.findNearest('m', vectorOf('round4 tea number7'), 10);

      await index.optimize();

      expect(await index.verify()).toEqual([]);
      await expect(before.read([0])).rejects.toMatchObject({ code: 'conflict' });
      const after = await index.view(EVERYTHING);
      const found = await after.findByTerms(question);
      expect(found.passages.every((passage) => passage < 1800)).toBe(true);
      expect(
        (await after.read([...found.passages])).map(
          ({ document, number, first }) => `${document.path} ${number - first}`,
        ),
      ).toEqual(expectedKeys);
      expect(found.scores).toEqual(expected.scores);
      expect(
        (await after.findNearest('m', vectorOf('round4 tea number7'), 10)).map(({ similarity }) => similarity),
      ).toEqual(nearest.map(({ similarity }) => similarity));
      expect(await index.listMissingVectors('m', 10)).toEqual([]);
    } finally {
      await index.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('adds to a document that only grows, without new numbers for what it had', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mneme-index-'));
    const index = new SqliteIndex(path.join(folder, 'index.db'), systemClock);
    try {
      const talk = (turns: number): ReturnType<typeof makeDocument> =>
        makeDocument(
          { path: 'live.md', source: 'live' },
          Array.from({ length: turns }, (_, turn) => `turn${turn} tea`),
        );
      await index.apply({ put: [talk(3)], remove: [] });
      await index.apply({ put: [talk(4)], remove: [] });
      const view = await index.view(EVERYTHING);
      const numbers = await view.findItem('live.md');
      await index.apply({ put: [makeDocument({ path: 'other.md' }, ['milk'])], remove: [] });
      await index.apply({ put: [talk(7)], remove: [] });
      expect((await view.findItem('live.md')).slice(0, 4)).toEqual(numbers);
      expect(await textsOf(view, await view.findItem('live.md'))).toEqual(talk(7).passages.map(({ text }) => text));
      await index.optimize();
      expect(await index.verify()).toEqual([]);
      expect(await findTexts(view, 'turn6')).toEqual(['turn6 tea']);
      await index.apply({ put: [talk(2)], remove: [] });
      expect(await findTexts(view, 'turn6 turn1')).toEqual(['turn1 tea']);
      expect(await index.verify()).toEqual([]);
    } finally {
      await index.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
