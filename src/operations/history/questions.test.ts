import { describe, expect, it } from 'vitest';
import { isLongRun } from '../../../test/support/effort.ts';
import { humanGit, writeWorkspaceFile } from '../../../test/support/home.ts';
import { runOperation } from '../operation.ts';
import { blame } from './blame.ts';
import { diff } from './diff.ts';
import { maintain } from './maintain.ts';
import { DAY_MS, isoWeek } from '../../model/time.ts';
import { createMemoryTag, deleteMemoryTag, listMemoryTags } from './tag.ts';
import { openTestHome } from './testing.ts';
import { when } from './when.ts';

const NOTE = 'memory/reference/a.md';

describe('blame', () => {
  it('names the mutation of every line', async () => {
    const { home, context, write } = await openTestHome();
    const first = await write({ [NOTE]: 'one\ntwo\n' });
    const second = await write({ [NOTE]: 'one\n2\nthree\n' }, { actor: 'reflection:r-1', summary: 'corrected' });
    const { path, lines } = await runOperation(blame, context, { path: `${home}/workspace/${NOTE}` });
    expect(path).toBe(NOTE);
    expect(lines.map(({ line, text, mutation, actor }) => [line, text, mutation, actor])).toEqual([
      [1, 'one', first, 'bot:test'],
      [2, '2', second, 'reflection:r-1'],
      [3, 'three', second, 'reflection:r-1'],
    ]);
    expect(lines[1]).toMatchObject({ summary: 'corrected', time: '2026-02-16T12:00:02.000Z' });
  });

  it('takes a range, and the file as it was', async () => {
    const { context, write } = await openTestHome();
    const first = await write({ [NOTE]: 'one\ntwo\n' });
    await write({ [NOTE]: 'one\n2\nthree\n' });
    const texts = async (input: { lines?: string; at?: string }): Promise<string[]> =>
      (await runOperation(blame, context, { path: NOTE, ...input })).lines.map(({ text }) => text);
    expect(await texts({ lines: '2' })).toEqual(['2']);
    expect(await texts({ lines: '2-' })).toEqual(['2', 'three']);
    expect(await texts({ lines: '1-2' })).toEqual(['one', '2']);
    expect(await texts({ at: first.slice(-8) })).toEqual(['one', 'two']);
  });

  it('explains a missing file, a folder and bad lines', async () => {
    const { context, write } = await openTestHome();
    await write({ [NOTE]: 'one\n' });
    await expect(runOperation(blame, context, { path: 'x.md' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(runOperation(blame, context, { path: 'memory' })).rejects.toMatchObject({ code: 'usage' });
    for (const lines of ['x', '3-1', '-4']) {
      await expect(runOperation(blame, context, { path: NOTE, lines })).rejects.toMatchObject({ code: 'usage' });
    }
    await expect(runOperation(blame, context, { path: NOTE, lines: '9' })).rejects.toMatchObject({
      code: 'not-found',
      message: `${NOTE} has only 1 line.`,
    });
  });
});

describe('when', () => {
  it('tells the first appearance, what became of it and where it is', async () => {
    const { context, write } = await openTestHome();
    const first = await write({ [NOTE]: '- Likes tea.\n' }, { session: 'ses_1', summary: 'learnt it' });
    const second = await write({ [NOTE]: undefined, 'memory/reference/b.md': '# B\n\n- Likes Tea.\n' });
    const learned = await runOperation(when, context, { text: 'likes tea' });
    expect(learned).toMatchObject({
      text: 'likes tea',
      first: { path: NOTE, mutation: first, session: 'ses_1', actor: 'bot:test', before: 0, after: 1 },
      now: [{ path: 'memory/reference/b.md', line: 3, text: '- Likes Tea.' }],
      searched: 'everything',
    });
    expect(learned.later.map(({ path, mutation, before, after }) => [path, mutation, before, after])).toEqual([
      [NOTE, second, 1, 0],
      ['memory/reference/b.md', second, 0, 1],
    ]);
    expect(await runOperation(when, context, { text: 'likes tea.', path: NOTE })).toMatchObject({ now: [] });
  });

  it('does not find what was never said', async () => {
    const { context, write } = await openTestHome();
    await write({ [NOTE]: '- Likes tea.\n' });
    await expect(runOperation(when, context, { text: 'coffee' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(runOperation(when, context, { text: 'likes', matchCase: true })).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('--match-case') as string,
    });
    await expect(runOperation(when, context, { text: ' ' })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('diff', () => {
  it('shows what changed today, and nothing when nothing did', async () => {
    const { context, clock, write } = await openTestHome();
    await write({ [NOTE]: 'one\n' });
    expect(await runOperation(diff, context, {})).toMatchObject({
      from: { asked: 'today', how: 'time' },
      files: [{ path: NOTE, store: 'reference', addedLines: 1, removedLines: 0, from: null }],
    });
    clock.advance(DAY_MS);
    expect(await runOperation(diff, context, {})).toMatchObject({ files: [], stores: [], diff: '' });
    await write({ [NOTE]: '1\n2\n', 'MEMORY.md': '# Core\n' });
    expect(await runOperation(diff, context, {})).toMatchObject({
      addedLines: 3,
      removedLines: 1,
      stores: ['core', 'reference'],
      diff: expect.stringContaining('-one') as string,
    });
  });

  it('counts days whole and takes every sort of point', async () => {
    const { context, clock, write } = await openTestHome();
    const first = await write({ [NOTE]: 'one\n' });
    clock.advance(DAY_MS);
    await write({ [NOTE]: 'two\n' });
    await runOperation(createMemoryTag, context, { name: 'before/third' });
    clock.advance(DAY_MS);
    await write({ [NOTE]: 'three\n' });
    const added = async (from: string, to?: string): Promise<string> => {
      const { diff: text } = await runOperation(diff, context, { from, to, paths: ['memory/'] });
      return text
        .split('\n')
        .filter((line) => /^[+-]\w/.test(line))
        .join(' ');
    };
    expect(await added('yesterday', 'yesterday')).toBe('-one +two');
    expect(await added('2026-02-17')).toBe('-one +three');
    expect(await added('2026-02-16', '2026-02-17')).toBe('+two');
    expect(await added('2019-01-01')).toBe('+three');
    expect(await added(first)).toBe('-one +three');
    expect(await added(first.slice(-8), 'before/third')).toBe('-one +two');
    expect(await added('HEAD~1', 'main')).toBe('-two +three');
    expect(await added('30 hours ago')).toBe('-one +three');
  });

  it('explains what is no point in time', async () => {
    const { context, write } = await openTestHome();
    await write({ [NOTE]: 'one\n' });
    await expect(runOperation(diff, context, { from: 'nonsense' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(runOperation(diff, context, { from: NOTE })).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining(`-- ${NOTE}`) as string,
    });
  });
});

describe('tags', () => {
  it('name the present or a past state, and are listed and removed', async () => {
    const { context, write, clock } = await openTestHome();
    const first = await write({ [NOTE]: 'one\n' });
    await write({ [NOTE]: 'two\n' });
    expect(await runOperation(listMemoryTags, context, {})).toEqual([]);
    expect(await runOperation(createMemoryTag, context, { name: 'before/x', at: first, message: 'why' })).toMatchObject(
      {
        name: 'before/x',
        isNew: true,
        reason: null,
      },
    );
    expect(await runOperation(createMemoryTag, context, { snapshot: 'daily' })).toMatchObject({
      name: 'daily/2026-02-16',
    });
    clock.advance(DAY_MS);
    expect(await runOperation(createMemoryTag, context, { snapshot: 'daily' })).toMatchObject({ reason: 'unchanged' });
    expect(await runOperation(createMemoryTag, context, { snapshot: 'weekly' })).toMatchObject({
      name: 'weekly/2026-W08',
    });
    const tags = await runOperation(listMemoryTags, context, {});
    expect(tags.map(({ name, message }) => [name, message])).toEqual([
      ['before/x', 'why'],
      ['daily/2026-02-16', ''],
      ['weekly/2026-W08', ''],
    ]);
    expect(tags[0]?.commit).not.toBe(tags[1]?.commit);
    await runOperation(deleteMemoryTag, context, { name: 'before/x' });
    expect(await runOperation(listMemoryTags, context, { prefix: 'before/' })).toEqual([]);
  });

  it('refuse bad names, unknown ones and sub-agents', async () => {
    const { context } = await openTestHome();
    const create = (input: Parameters<typeof runOperation>[2], actor = 'manual'): Promise<unknown> =>
      runOperation(createMemoryTag, { ...context, actor }, input as { name?: string });
    await expect(create({})).rejects.toMatchObject({ code: 'usage' });
    await expect(create({ name: 'x' })).rejects.toMatchObject({ code: 'usage' });
    await expect(create({ name: 'before/x', snapshot: 'daily' })).rejects.toMatchObject({ code: 'usage' });
    await expect(create({ name: 'before/x' }, 'subagent:a')).rejects.toMatchObject({ code: 'refused' });
    await expect(runOperation(deleteMemoryTag, context, { name: 'before/x' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it.each([
    ['2026-01-01', '2026-W01'],
    ['2027-01-01', '2026-W53'],
    ['2024-12-30', '2025-W01'],
    ['2026-02-15', '2026-W07'],
    ['2026-02-16', '2026-W08'],
  ])('%s is in %s', (date, week) => {
    expect(isoWeek(date)).toBe(week);
  });
});

describe('maintain', () => {
  it.runIf(isLongRun)('does nothing until packs pile up, and then joins them', async () => {
    const { home, context, write } = await openTestHome();
    await write({ [NOTE]: 'one\n' });
    expect(await runOperation(maintain, context, {})).toEqual([]);
    for (let index = 0; index < 52; index += 1) {
      writeWorkspaceFile(home, 'x.md', `${index}\n`);
      humanGit(home, 'add', 'x.md');
      humanGit(home, 'commit', '-qm', 'x');
      humanGit(home, 'repack', '-q');
    }
    expect(await runOperation(maintain, context, {})).toMatchObject([{ repository: 'workspace', level: 'quick' }]);
    expect(await runOperation(maintain, context, {})).toEqual([]);
    expect(await runOperation(maintain, context, { level: 'full' })).toMatchObject([{ packsAfter: 1 }]);
  });
});
