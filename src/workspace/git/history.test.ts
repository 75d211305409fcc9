import { describe, expect, it } from 'vitest';
import { blame } from './blame.ts';
import { diffBetween } from './diff.ts';
import { changesOf, logEntries } from './history.ts';
import { whenLearned } from './learned.ts';
import { filesAt, readFileAt } from './objects.ts';
import {
  commitFiles,
  commitMutation,
  makeRepository,
  TEST_TIME_MS,
  writeFile,
} from '../../../test/support/git-repository.ts';
import { HOUR_MS } from '../../model/time.ts';

const ODD_NAME = 'notes/it\'s "ünï" [a]*.md';

describe('logEntries', () => {
  it('reads commits with their trailers and files', async () => {
    const git = await makeRepository();
    const mutation = await commitMutation(git, {
      files: { [ODD_NAME]: 'x\n', 'b.md': 'a long enough line to be recognised after a rename\n' },
      summary: 'two files',
      trailers: { Trigger: ['remember'], Session: ['ses_1'], Approval: ['approved'] },
    });
    await git.bytes(['mv', 'b.md', 'c.md']);
    await commitFiles(git, { [ODD_NAME]: undefined }, 'I moved things\n\nbecause');
    const [mine, theirs, first] = await logEntries(git, { limit: 10 });
    expect(mine).toMatchObject({
      summary: 'I moved things',
      isExternal: true,
      actor: 'external',
      mutations: [],
      action: undefined,
    });
    expect(mine?.changes.map(({ path, status, from }) => ({ path, status, from }))).toEqual([
      { path: 'c.md', status: 'renamed', from: 'b.md' },
      { path: ODD_NAME, status: 'deleted', from: undefined },
    ]);
    expect(theirs).toMatchObject({
      mutations: [mutation],
      actor: 'bot:test',
      action: 'EDIT',
      summary: 'two files',
      approval: 'approved',
      trigger: 'remember',
      session: 'ses_1',
      timeMs: TEST_TIME_MS,
      isExternal: false,
    });
    expect(theirs?.changes.map(({ path, status }) => [path, status])).toEqual([
      ['b.md', 'added'],
      [ODD_NAME, 'added'],
    ]);
    expect(first).toMatchObject({ actor: 'system:init', isExternal: false, changes: [], parents: [] });
  });

  it('filters by path, actor, action, time and text, and pages', async () => {
    const git = await makeRepository();
    for (let hour = 0; hour < 6; hour += 1) {
      await commitMutation(git, {
        files: { [hour % 2 === 0 ? ODD_NAME : 'b.md']: `${hour}` },
        summary: `Change ${hour}`,
        timeMs: TEST_TIME_MS + hour * HOUR_MS,
        trailers: { Actor: [hour < 3 ? 'bot:one' : 'bot:one-more'] },
      });
    }
    const summaries = async (query: object): Promise<string[]> =>
      (await logEntries(git, { limit: 10, ...query })).map(({ summary }) => summary);
    expect(await summaries({ path: ODD_NAME })).toEqual(['Change 4', 'Change 2', 'Change 0']);
    expect(await summaries({ path: 'notes' })).toEqual(['Change 4', 'Change 2', 'Change 0']);
    expect(await summaries({ actor: 'bot:one' })).toEqual(['Change 2', 'Change 1', 'Change 0']);
    expect(await summaries({ actor: 'bot:', limit: 2, skip: 1 })).toEqual(['Change 4', 'Change 3']);
    expect(await summaries({ action: 'CREATE' })).toEqual(['initialised']);
    expect(await summaries({ text: 'cHANGE 5' })).toEqual(['Change 5']);
    expect(await summaries({ sinceMs: TEST_TIME_MS + 3 * HOUR_MS, untilMs: TEST_TIME_MS + 4 * HOUR_MS })).toEqual([
      'Change 4',
      'Change 3',
    ]);
    expect(await summaries({ path: 'nowhere.md' })).toEqual([]);
    expect(await summaries({ text: 'Actor: bot:one', actor: 'bot:one-more', limit: 1 })).toEqual(['Change 5']);
  });

  it('shows a merge as what it brought to the branch', async () => {
    const git = await makeRepository();
    await git.bytes(['switch', '-q', '-c', 'side']);
    await commitFiles(git, { 'side.md': 'x' }, 'side');
    await git.bytes(['switch', '-q', 'main']);
    await commitFiles(git, { 'main.md': 'x' }, 'main');
    await git.bytes(['merge', '-q', '--no-ff', '-m', 'join', 'side']);
    const [merge] = await logEntries(git, { limit: 1 });
    expect(merge?.parents).toHaveLength(2);
    expect(merge?.changes.map(({ path }) => path)).toEqual(['side.md']);
  });
});

describe('blame', () => {
  it('tells who wrote which line', async () => {
    const git = await makeRepository();
    const mutation = await commitMutation(git, { files: { [ODD_NAME]: 'one\r\ntwo\r\n' }, summary: 'first two' });
    await commitFiles(git, { [ODD_NAME]: 'one\r\n2\r\n' }, 'my two', TEST_TIME_MS + 1000);
    writeFile(git, ODD_NAME, 'one\r\n2\r\nthree\r\n');
    const lines = await blame(git, ODD_NAME);
    expect(lines).toMatchObject([
      { line: 1, text: 'one', mutation, actor: 'bot:test', summary: 'first two', timeMs: TEST_TIME_MS },
      { line: 2, text: '2', mutation: undefined, actor: 'external', summary: 'my two' },
      { line: 3, text: 'three', commit: undefined, actor: undefined },
    ]);
    expect(await blame(git, ODD_NAME, { firstLine: 2, lastLine: 2 })).toHaveLength(1);
    expect((await blame(git, ODD_NAME, { revision: 'HEAD~1' })).map(({ text }) => text)).toEqual(['one', 'two']);
    await expect(blame(git, 'none.md')).rejects.toMatchObject({ code: 'not-found' });
    await expect(blame(git, ODD_NAME, { firstLine: 99 })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('whenLearned', () => {
  it('finds the first appearance and every change of count', async () => {
    const git = await makeRepository();
    const first = await commitMutation(git, { files: { 'a.md': 'Likes tea.\n' } });
    await commitMutation(git, { files: { 'a.md': 'Likes tea. And tea-cups.\n' } });
    await commitMutation(git, { files: { 'b.md': 'Nothing.\n' } });
    await commitMutation(git, { files: { 'a.md': undefined, 'c.md': 'TEA\n' } });
    const { first: found, changes } = await whenLearned(git, 'tea');
    expect(found?.entry.mutations).toEqual([first]);
    expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['a.md', 0, 1],
      ['a.md', 1, 2],
      ['a.md', 2, 0],
    ]);
    expect((await whenLearned(git, 'tea', { ignoreCase: true })).changes.at(-1)).toMatchObject({
      path: 'c.md',
      after: 1,
    });
    expect((await whenLearned(git, 'tea', { path: 'c.md' })).first).toBeUndefined();
    expect((await whenLearned(git, 'coffee')).changes).toEqual([]);
    await expect(whenLearned(git, '')).rejects.toMatchObject({ code: 'usage' });
  });

  it('follows a text from file to file instead of reading everything', async () => {
    const git = await makeRepository();
    const forgotten = await commitMutation(git, { files: { 'x.md': 'Likes tea.\n' } });
    await commitMutation(git, { files: { 'x.md': undefined } });
    const first = await commitMutation(git, { files: { 'a.md': 'Likes tea.\n' } });
    await commitMutation(git, { files: { 'a.md': undefined, 'b.md': 'Likes tea.\n' } });
    const lineage = await whenLearned(git, 'tea', { depth: 'lineage' });
    expect(lineage).toMatchObject({ depth: 'lineage', first: { path: 'a.md' } });
    expect(lineage.first?.entry.mutations).toEqual([first]);
    expect(lineage.changes.map(({ path, after }) => [path, after])).toEqual([
      ['a.md', 1],
      ['b.md', 1],
    ]);
    expect((await whenLearned(git, 'tea')).first?.entry.mutations).toEqual([forgotten]);
    await commitMutation(git, { files: { 'b.md': undefined } });
    expect(await whenLearned(git, 'tea', { depth: 'lineage' })).toMatchObject({ depth: 'everything' });
  });
});

describe('reading states', () => {
  it('reads files and trees of the past', async () => {
    const git = await makeRepository();
    const bytes = Buffer.from([0, 255, 10, 13, 10]);
    const then = await commitFiles(git, { [ODD_NAME]: bytes, 'b.md': 'x' }, 'then');
    await commitFiles(git, { [ODD_NAME]: undefined }, 'now');
    expect(await readFileAt(git, then, ODD_NAME)).toEqual(bytes);
    expect(await readFileAt(git, 'HEAD', ODD_NAME)).toBeUndefined();
    expect(await readFileAt(git, 'HEAD', 'notes')).toBeUndefined();
    await expect(readFileAt(git, 'nowhere', 'b.md')).rejects.toMatchObject({ code: 'not-found' });
    expect((await filesAt(git, then)).map(({ path }) => path)).toEqual(['b.md', ODD_NAME]);
  });

  it('compares two states', async () => {
    const git = await makeRepository();
    const from = await commitFiles(
      git,
      { [ODD_NAME]: 'one\ntwo\n', 'old.md': 'some text that is long enough\n' },
      'from',
    );
    await git.bytes(['mv', 'old.md', 'new.md']);
    const to = await commitFiles(git, { [ODD_NAME]: 'one\n2\nthree\n', bin: Buffer.from([0, 1]) }, 'to');
    const diff = await diffBetween(git, from, to);
    expect(diff.text).toContain('\n-two\n+2\n+three');
    expect(diff.files).toEqual([
      { path: 'bin', addedLines: undefined, removedLines: undefined },
      { path: 'new.md', from: 'old.md', addedLines: 0, removedLines: 0 },
      { path: ODD_NAME, addedLines: 2, removedLines: 1 },
    ]);
    expect((await diffBetween(git, from, to, [ODD_NAME])).files).toHaveLength(1);
    expect(await diffBetween(git, to, to)).toEqual({ text: '', files: [] });
  });

  it('gives what a mutation did to each file', async () => {
    const git = await makeRepository();
    await commitMutation(git, { files: { 'a.md': 'one\n', 'long.md': 'a text that git would take for a rename\n' } });
    const mutation = await commitMutation(git, {
      files: { 'a.md': 'two\n', 'long.md': undefined, 'moved.md': 'a text that git would take for a rename\n' },
    });
    await commitMutation(git, { files: { 'a.md': 'three\n' } });
    expect(await changesOf(git, mutation)).toEqual([
      { path: 'a.md', before: Buffer.from('one\n'), after: Buffer.from('two\n') },
      { path: 'long.md', before: Buffer.from('a text that git would take for a rename\n'), after: undefined },
      { path: 'moved.md', before: undefined, after: Buffer.from('a text that git would take for a rename\n') },
    ]);
    await expect(changesOf(git, '01KHKEVK7AR75PW7V6YGY2QEA3')).rejects.toMatchObject({ code: 'not-found' });
  });
});
