import { expect, it } from 'vitest';
import { createTag, findTag, listTags, parseTagName } from './tags.ts';
import { commitFiles, makeRepository, TEST_TIME_MS, typeGit } from '../../../test/support/git-repository.ts';

const nowMs = TEST_TIME_MS;

it('spells names and explains a wrong one', () => {
  expect(parseTagName('daily/2026-02-16')).toEqual({ name: 'memory/daily/2026-02-16', family: 'daily' });
  expect(parseTagName('memory/before/große-Reise').name).toBe('memory/before/große-Reise');
  for (const bad of [
    'daily/2026-13-01',
    'weekly/2026-54',
    'milestone/two words',
    'milestone/a..b',
    'milestone/x.lock',
    'other/x',
    'x',
  ]) {
    expect(() => parseTagName(bad)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.any(String) as string }),
    );
  }
});

it('makes a snapshot once, and only when something changed', async () => {
  const git = await makeRepository();
  const commit = await commitFiles(git, { 'a.md': '1' }, 'one');
  expect(await createTag(git, { name: 'daily/2026-02-16', nowMs })).toMatchObject({ isNew: true, commit });
  await commitFiles(git, { 'a.md': '2' }, 'two');
  expect(await createTag(git, { name: 'daily/2026-02-16', nowMs })).toMatchObject({
    isNew: false,
    reason: 'exists',
    commit,
  });
  expect(await createTag(git, { name: 'daily/2026-02-17', nowMs })).toMatchObject({ isNew: true });
  expect(await createTag(git, { name: 'daily/2026-02-18', nowMs })).toMatchObject({
    isNew: false,
    reason: 'unchanged',
  });
});

it('never moves a named tag', async () => {
  const git = await makeRepository();
  await createTag(git, { name: 'milestone/first', message: 'the "first" one', nowMs });
  expect(await createTag(git, { name: 'milestone/first', nowMs })).toMatchObject({ isNew: false });
  await commitFiles(git, { 'a.md': '1' }, 'one');
  await expect(createTag(git, { name: 'milestone/first', nowMs })).rejects.toMatchObject({ code: 'conflict' });
});

it("lists a person's plain tags beside its own", async () => {
  const git = await makeRepository();
  const commit = await git.text(['rev-parse', 'HEAD']);
  await typeGit(git, 'tag', 'memory/before/rewrite');
  await typeGit(git, 'tag', 'v1');
  await createTag(git, { name: 'milestone/first', message: 'the "first" one', nowMs });
  expect(await listTags(git)).toEqual([
    { name: 'memory/before/rewrite', commit, timeMs: nowMs - 86_400_000, message: '[CREATE] workspace — initialised' },
    { name: 'memory/milestone/first', commit, timeMs: nowMs, message: 'the "first" one' },
  ]);
  expect((await listTags(git, 'milestone/')).map(({ name }) => name)).toEqual(['memory/milestone/first']);
  expect((await findTag(git, 'before/rewrite'))?.commit).toBe(commit);
  expect(await findTag(git, 'before/re')).toBeUndefined();
});
