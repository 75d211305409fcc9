import { describe, expect, it } from 'vitest';
import { UlidFactory } from '../../model/ids.ts';
import { findMutationCommit, findMutationId, resolveRevision, shortMutationId } from './revisions.ts';
import { createTag } from './tags.ts';
import { commitFiles, commitMutation, makeRepository, TEST_TIME_MS } from '../../../test/support/git-repository.ts';
import { DAY_MS } from '../../model/time.ts';

describe('resolveRevision', () => {
  it('understands everything a person may type', async () => {
    const git = await makeRepository({ nowMs: TEST_TIME_MS - 10 * DAY_MS });
    const mutation = await commitMutation(git, { files: { 'a.md': '1' }, timeMs: TEST_TIME_MS - 5 * DAY_MS });
    const first = await git.text(['rev-parse', 'HEAD']);
    await createTag(git, { name: 'before/move', nowMs: TEST_TIME_MS });
    const second = await commitFiles(git, { 'a.md': '2' }, 'two', TEST_TIME_MS - DAY_MS);
    await git.bytes(['branch', 'explore/x', first]);
    const resolve = (text: string): Promise<unknown> => resolveRevision(git, text, TEST_TIME_MS, 'UTC');
    expect(await resolve(mutation)).toEqual({ commit: first, how: 'mutation' });
    expect(await resolve(mutation.toLowerCase())).toEqual({ commit: first, how: 'mutation' });
    expect(await resolve('before/move')).toEqual({ commit: first, how: 'tag' });
    expect(await resolve('memory/before/move')).toEqual({ commit: first, how: 'tag' });
    expect(await resolve('2026-02-12')).toEqual({ commit: first, how: 'time' });
    expect(await resolve('yesterday')).toEqual({ commit: second, how: 'time' });
    expect(await resolve('4 days ago')).toEqual({ commit: first, how: 'time' });
    expect(await resolve('explore/x')).toEqual({ commit: first, how: 'branch' });
    expect(await resolve('main')).toEqual({ commit: second, how: 'branch' });
    expect(await resolve(first.slice(0, 10))).toEqual({ commit: first, how: 'commit' });
    expect(await resolve('HEAD~1')).toEqual({ commit: first, how: 'commit' });
  });

  it('says what it would understand', async () => {
    const git = await makeRepository();
    const resolve = (text: string): Promise<unknown> => resolveRevision(git, text, TEST_TIME_MS, 'UTC');
    await expect(resolve('last monday')).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('3 days ago') as string,
    });
    await expect(resolve('--all')).rejects.toMatchObject({ code: 'not-found' });
    await expect(resolve('2020-01-01')).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('2026-02-15') as string,
    });
    await expect(resolve('01KHKEVK7AR75PW7V6YGY2QEA3')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('findMutationCommit', () => {
  it('finds each mutation of a batch', async () => {
    const git = await makeRepository();
    const ids = new UlidFactory((length) => new Uint8Array(length));
    const [first = '', second = ''] = [ids.next(TEST_TIME_MS - 1000), ids.next(TEST_TIME_MS)];
    await commitMutation(git, { files: { 'a.md': '1' }, trailers: { Mutation: [first, second] } });
    const commit = await git.text(['rev-parse', 'HEAD']);
    expect(await findMutationCommit(git, first)).toBe(commit);
    expect(await findMutationCommit(git, second)).toBe(commit);
  });

  it('finds one whose commit came late, or on a branch that was dropped', async () => {
    const git = await makeRepository();
    const ids = new UlidFactory((length) => new Uint8Array(length));
    const [late, ancient, dropped] = [ids.next(TEST_TIME_MS), ids.next(TEST_TIME_MS + 1), ids.next(TEST_TIME_MS + 2)];
    await commitMutation(git, {
      files: { 'a.md': '1' },
      timeMs: TEST_TIME_MS + 20 * DAY_MS,
      trailers: { Mutation: [late] },
    });
    await commitMutation(git, {
      files: { 'a.md': '2' },
      timeMs: TEST_TIME_MS + 900 * DAY_MS,
      trailers: { Mutation: [ancient] },
    });
    await git.bytes(['switch', '-q', '-c', 'explore/x']);
    await commitMutation(git, { files: { 'a.md': '3' }, trailers: { Mutation: [dropped] } });
    await git.bytes(['update-ref', 'refs/mneme/dropped/x-1', 'HEAD']);
    await git.bytes(['switch', '-q', 'main']);
    await git.bytes(['branch', '-q', '-D', 'explore/x']);
    expect(await findMutationCommit(git, late)).toBe(await git.text(['rev-parse', 'HEAD~1']));
    expect(await findMutationCommit(git, ancient)).toBe(await git.text(['rev-parse', 'HEAD']));
    expect(await findMutationCommit(git, dropped)).toBe(await git.text(['rev-parse', 'refs/mneme/dropped/x-1']));
  });
});

describe('findMutationId', () => {
  it('knows a mutation by its beginning or end', async () => {
    const git = await makeRepository();
    const trailers = { Mutation: ['01KHPXK7V5T9QZ3M8N2R4W6Y0A', '01KHPXK7V5T9QZ3M8N2R4W6Y0B'] };
    await commitMutation(git, { files: { 'a.md': '1' }, trailers });
    const mutation = await commitMutation(git, { files: { 'a.md': '2' } });
    expect(shortMutationId('01KHPXK7V5T9QZ3M8N2R4W6Y0A')).toBe('2R4W6Y0A');
    expect(await findMutationId(git, '2R4W6Y0A')).toBe('01KHPXK7V5T9QZ3M8N2R4W6Y0A');
    expect(await findMutationId(git, '2r4w6y0b')).toBe('01KHPXK7V5T9QZ3M8N2R4W6Y0B');
    expect(await findMutationId(git, mutation)).toBe(mutation);
    expect(await findMutationId(git, mutation.slice(-6))).toBe(mutation);
    expect(await findMutationId(git, 'ZZZZZZZZ')).toBeUndefined();
    expect(await findMutationId(git, 'not one')).toBeUndefined();
    await expect(findMutationId(git, '01KHPXK7')).rejects.toMatchObject({ code: 'usage' });
    expect(await resolveRevision(git, '2R4W6Y0A', TEST_TIME_MS, 'UTC')).toMatchObject({ how: 'mutation' });
  });
});
