import { describe, expect, it } from 'vitest';
import { humanGit, writeWorkspaceFile } from '../../../test/support/home.ts';
import { runOperation } from '../operation.ts';
import { log, type Log, type LogInput } from './log.ts';
import { openTestHome, type TestHome } from './testing.ts';
import { DAY_MS } from '../../model/time.ts';

async function homeWithHistory(): Promise<TestHome & { mutations: string[] }> {
  const home = await openTestHome();
  const mutations = [
    await home.write({ 'memory/reference/a.md': 'one\n' }, { summary: 'kept one', session: 'ses_1' }),
    await home.write({ 'memory/reference/a.md': 'one\ntwo\n' }, { summary: 'kept two', actor: 'reflection:r-1' }),
  ];
  home.clock.advance(DAY_MS);
  mutations.push(
    await home.write({ 'memory/vault/b.md': 'b\n', 'memory/reference/c.md': 'c\n' }, { summary: 'kept more' }),
  );
  return { ...home, mutations };
}

describe('log', () => {
  it('tells what changed, newest first, with what has just been acknowledged', async () => {
    const { context, mutations } = await homeWithHistory();
    const { entries, hasMore, postponed } = await runOperation(log, context, { limit: 3 });
    expect({ hasMore, postponed }).toEqual({ hasMore: true, postponed: [] });
    expect(entries.map((entry) => entry.mutations)).toEqual([...mutations].reverse().map((mutation) => [mutation]));
    expect(entries[2]).toEqual({
      time: '2026-02-16T12:00:01.000Z',
      action: 'CREATE',
      summary: 'kept one',
      actor: 'bot:test',
      author: 'bot:test',
      mutations: [mutations[0]],
      approval: 'auto',
      trigger: null,
      session: 'ses_1',
      files: [{ path: 'memory/reference/a.md', status: 'added', from: null }],
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      isOwnCommit: false,
      diff: null,
    });
  });

  it.each<[string, LogInput, string[]]>([
    ['a file', { path: 'memory/reference/a.md' }, ['kept two', 'kept one']],
    ['a folder', { path: 'memory/vault/' }, ['kept more']],
    ['an actor', { actor: 'reflection:r-1' }, ['kept two']],
    ['a kind of actor', { actor: 'bot:' }, ['kept more', 'kept one']],
    ['an action in any case', { action: 'append' }, ['kept two']],
    ['a day, from its beginning on', { since: '2026-02-17' }, ['kept more']],
    ['a day, to its end', { until: '2026-02-16', actor: 'bot:' }, ['kept one']],
    ['words', { text: 'SES_1' }, ['kept one']],
    ['nothing', { text: 'never said' }, []],
    ['a file and words it never had', { path: 'memory/reference/a.md', text: 'never said' }, []],
  ])('looks for %s', async (_what, input, summaries) => {
    const { context } = await homeWithHistory();
    const found: Log = await runOperation(log, context, input);
    expect(found.entries.map((entry) => entry.summary)).toEqual(summaries);
    expect(found.hasMore).toBe(false);
  });

  it('shows what changed, of one file only when asked for one', async () => {
    const { context } = await homeWithHistory();
    const { entries } = await runOperation(log, context, { path: 'memory/vault/b.md', full: true });
    expect(entries[0]?.diff).toContain('+b');
    expect(entries[0]?.diff).not.toContain('+c');
    expect(entries[0]?.files).toHaveLength(2);
  });

  it("tells a person's own commits and their uncommitted edits apart", async () => {
    const { home, context } = await homeWithHistory();
    writeWorkspaceFile(home, 'mine.md', 'mine\n');
    humanGit(home, 'add', '-A');
    humanGit(home, '-c', 'user.name=Jane Doe', '-c', 'user.email=j@d', 'commit', '-qm', 'my note');
    writeWorkspaceFile(home, 'typed.md', 'typed\n');
    await context.workspace.scan();
    const { entries } = await runOperation(log, context, { path: 'mine.md' });
    expect(entries).toMatchObject([
      { isOwnCommit: true, action: null, author: 'Jane Doe', actor: 'external', mutations: [], summary: 'my note' },
    ]);
    expect((await runOperation(log, context, { path: 'typed.md' })).entries).toMatchObject([
      { isOwnCommit: false, action: 'CREATE', actor: 'external' },
    ]);
  });

  it('refuses what is no action, no time, no number and no path', async () => {
    const { context } = await homeWithHistory();
    for (const input of [{ action: 'NOTHING' }, { since: 'soon' }, { limit: 0 }]) {
      await expect(runOperation(log, context, input)).rejects.toMatchObject({ code: 'usage' });
    }
    await expect(runOperation(log, context, { path: '../x' })).rejects.toMatchObject({ name: 'MnemeError' });
  });

  it('says why something is not in the history yet', async () => {
    const { home, context, write } = await homeWithHistory();
    humanGit(home, 'checkout', '-q', '--detach');
    await write({ 'memory/reference/d.md': 'd\n' });
    expect((await runOperation(log, context, {})).postponed).toEqual([expect.stringContaining('detached')]);
    humanGit(home, 'switch', '-q', 'main');
  });
});
