import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { humanGit, readWorkspaceFile, workspaceFile, writeWorkspaceFile } from '../../test/support/home.ts';
import { eraseEverywhere } from '../workspace/erase/erase.ts';
import { openAudit, TestClock, type OpenAudit } from './testing/open-audit.ts';

const LOG = 'memory/meta/audit.log';

function logOf({ home }: OpenAudit): string[] {
  return readWorkspaceFile(home, LOG).trim().split('\n');
}

/** The stamp of the file is what tells a scan that somebody else wrote. */
async function editOutside({ home, workspace }: OpenAudit, file: string, text: string): Promise<void> {
  writeWorkspaceFile(home, file, text);
  await workspace.scan();
}

// SPEC HISTORY-2, HISTORY-3
describe('the audit trail', () => {
  it('gets one line for each file of a mutation', async () => {
    const audit = await openAudit();
    const mutation = await audit.write(
      { 'MEMORY.md': '# Memory\n', 'SOUL.md': 'be kind\n' },
      { actor: 'reflection:r-1', approval: 'approved', summary: 'first | draft', trigger: 'nightly' },
    );
    expect(logOf(audit)).toEqual([
      `2026-02-16T10:00:01Z | CREATE | MEMORY.md | reflection:r-1 | approved | first \\| draft | ${mutation} | nightly`,
      `2026-02-16T10:00:01Z | CREATE | SOUL.md | reflection:r-1 | approved | ⚠ CRITICAL: first \\| draft | ${mutation} | nightly`,
    ]);
    await audit.workspace.close();
  });

  it('has the line before the mutation counts as complete: a kill in between leaves no gap', async () => {
    const seen: string[] = [];
    const audit = await openAudit({
      onStep: (step) => {
        if (step === 'indexed') seen.push(fs.readFileSync(workspaceFile(audit.home, LOG), 'utf8'));
      },
    });
    const mutation = await audit.write({ 'MEMORY.md': '# Memory\n' });
    expect(seen.at(-1)).toContain(mutation);
    await audit.workspace.close();
  });

  it('answers by file, actor, action, time and text, newest first', async () => {
    const audit = await openAudit();
    await audit.write({ 'MEMORY.md': 'a\n' }, { summary: 'about Apollo' });
    await audit.write({ 'memory/episodes/2026-02-16.md': 'b\n' }, { actor: 'reflection:r-1' });
    await audit.write({ 'MEMORY.md': 'c\n' }, { actor: 'reflection:r-2', trigger: 'apollo again' });
    const files = (query: Parameters<typeof audit.trail.query>[0]): string[] =>
      audit.trail.query(query).map((line) => `${line.action} ${line.file}`);
    expect(files({})).toEqual(['EDIT MEMORY.md', 'CREATE memory/episodes/2026-02-16.md', 'CREATE MEMORY.md']);
    expect(files({ limit: 1 })).toEqual(['EDIT MEMORY.md']);
    expect(files({ file: 'memory/' })).toEqual(['CREATE memory/episodes/2026-02-16.md']);
    expect(files({ file: '**/2026-*.md' })).toEqual(['CREATE memory/episodes/2026-02-16.md']);
    expect(files({ actor: 'reflection:' })).toHaveLength(2);
    expect(files({ actor: 'reflection:r-2' })).toEqual(['EDIT MEMORY.md']);
    expect(files({ actor: 'reflect' })).toEqual([]);
    expect(files({ action: 'EDIT' })).toEqual(['EDIT MEMORY.md']);
    expect(files({ text: 'APOLLO' })).toHaveLength(2);
    expect(files({ sinceMs: Date.UTC(2026, 1, 16, 10, 0, 2), untilMs: Date.UTC(2026, 1, 16, 10, 0, 2) })).toEqual([
      'CREATE memory/episodes/2026-02-16.md',
    ]);
    await audit.workspace.close();
  });

  it('is the same whether it grew or was rebuilt from git', async () => {
    const audit = await openAudit();
    await audit.write({ 'z.md': 'z\n', 'a — b.md': 'a\n' }, { summary: 'two — dashes', session: 'ses_1' });
    await audit.write({ 'a — b.md': 'a\nmore\n' }, { summary: 'one — dash' });
    await audit.write({ 'z.md': undefined }, { trigger: 'cleaning  up', approval: 'approved' });
    await audit.commit({ changes: [{ path: 'a — b.md', renameTo: 'c.md' }], summary: 'moved' });
    await editOutside(audit, 'c.md', 'a\nmore\nby hand\n');
    await audit.commit({ action: 'ALERT', actor: 'manual', summary: 'nothing but a note' });
    const grown = logOf(audit);
    expect(grown).toHaveLength(8);
    expect(await audit.trail.verify()).toEqual([]);
    fs.rmSync(workspaceFile(audit.home, LOG));
    expect(await audit.trail.rebuild()).toBe(8);
    expect(logOf(audit)).toEqual(grown);
    await audit.workspace.close();
  });

  it('takes up a person’s own commits as manual', async () => {
    const audit = await openAudit();
    await audit.write({ 'MEMORY.md': 'a\n' });
    await audit.workspace.drain();
    writeWorkspaceFile(audit.home, 'USER.md', 'Ana\n');
    humanGit(audit.home, 'add', 'USER.md');
    humanGit(audit.home, '-c', 'user.name=Ana', '-c', 'user.email=a@b.c', 'commit', '-qm', 'about me');
    expect(await audit.trail.verify()).toEqual([]);
    expect(await audit.trail.sync()).toBe(1);
    expect(await audit.trail.sync()).toBe(0);
    const [line] = audit.trail.query({ file: 'USER.md' });
    expect(line).toMatchObject({ action: 'CREATE', actor: 'manual', approval: '—', summary: 'about me' });
    expect(line?.reference).toMatch(/^git:[0-9a-f]{12}$/);
    await audit.workspace.close();
  });

  it('agrees with git when a person commits what the scan finds too', async () => {
    const audit = await openAudit();
    await audit.write({ 'MEMORY.md': 'a\n' });
    await audit.workspace.drain();
    writeWorkspaceFile(audit.home, 'MEMORY.md', 'b\n');
    humanGit(audit.home, '-c', 'user.name=Ana', '-c', 'user.email=a@b.c', 'commit', '-qam', 'by hand');
    await audit.workspace.scan();
    await audit.trail.sync();
    // The person's own commit says it all; the scan adds no line of its own.
    expect(audit.trail.lines().map(({ actor }) => actor)).toEqual(['bot:test', 'manual']);
    expect(await audit.trail.verify()).toEqual([]);
    await audit.workspace.close();
  });

  it('finds missing, foreign, altered and unreadable lines', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': 'a\n' }, { summary: 'first' });
    await audit.write({ 'b.md': 'b\n' }, { summary: 'second' });
    const [, second = ''] = logOf(audit);
    const forged = '2026-02-16T10:00:00Z | EDIT | a.md | manual | — | all is well | 01KHK0000000000000000000AB';
    fs.writeFileSync(
      workspaceFile(audit.home, LOG),
      [second.replace('second', 'tampered'), forged, 'scribble'].join('\n'),
    );
    const findings = await audit.trail.verify();
    expect(findings.map(({ kind, line }) => `${kind} ${line?.file ?? ''}`)).toEqual([
      'missing a.md',
      'altered b.md',
      'foreign a.md',
      'unreadable ',
    ]);
    await audit.trail.rebuild();
    expect(await audit.trail.verify()).toEqual([]);
    await audit.workspace.close();
  });

  describe('when a person’s own git takes commits off the branch', () => {
    const commitAs = ['-c', 'user.name=Ana', '-c', 'user.email=a@b.c', 'commit', '-q'];
    const forged = '2026-02-16T10:00:00Z | EDIT | a.md | manual | — | all is well | 01KHK0000000000000000000AB';

    it.each([
      ['amends the message', [...commitAs, '--amend', '-m', 'mine now']],
      ['amends only the time', [...commitAs, '--amend', '--no-edit']],
      ['resets', ['reset', '-q', '--hard', 'HEAD~1']],
    ])('finds no fault if somebody %s', async (_, command) => {
      const audit = await openAudit();
      await audit.write({ 'a.md': 'a\n' });
      await audit.write({ 'a.md': 'a\n\nb\n' }, { summary: 'second' });
      await audit.workspace.drain();
      humanGit(audit.home, ...command);
      expect(await audit.trail.verify()).toEqual([]);
      await audit.trail.sync();
      expect(await audit.trail.verify()).toEqual([]);
      fs.appendFileSync(workspaceFile(audit.home, LOG), `${forged}\n`);
      expect(await audit.trail.verify()).toMatchObject([{ kind: 'foreign', text: forged }]);
      await audit.workspace.close();
    });

    it('finds no fault with a dropped exploration, but with a line that its commit does not tell', async () => {
      const audit = await openAudit();
      await audit.write({ 'a.md': 'a\n' });
      const dropped = await audit.write({ 'a.md': 'a\n\nb\n' });
      await audit.workspace.drain();
      humanGit(audit.home, 'update-ref', 'refs/mneme/dropped/idea', 'HEAD');
      humanGit(audit.home, 'reset', '-q', '--hard', 'HEAD~1');
      expect(await audit.trail.verify()).toEqual([]);
      const line = forged.replace(/\S+$/, dropped);
      fs.appendFileSync(workspaceFile(audit.home, LOG), `${line.replace('a.md', 'b.md')}\n`);
      expect(await audit.trail.verify()).toMatchObject([{ kind: 'foreign', line: { file: 'b.md' } }]);
      await audit.workspace.close();
    });

    it('forgets a person’s commit that was amended, and keeps one of another branch', async () => {
      const audit = await openAudit();
      await audit.write({ 'a.md': 'a\n' });
      await audit.workspace.drain();
      const summaries = (): string[] => audit.trail.query({ file: 'USER.md' }).map((line) => line.summary);
      writeWorkspaceFile(audit.home, 'USER.md', 'Ana\n');
      humanGit(audit.home, 'add', 'USER.md');
      humanGit(audit.home, ...commitAs, '-m', 'first');
      await audit.trail.sync();
      humanGit(audit.home, ...commitAs, '--amend', '-m', 'better');
      expect(await audit.trail.verify()).toEqual([]);
      expect(await audit.trail.sync()).toBe(1);
      expect(summaries()).toEqual(['better']);
      humanGit(audit.home, 'branch', 'aside');
      humanGit(audit.home, 'reset', '-q', '--hard', 'HEAD~1');
      await audit.trail.sync();
      expect(summaries()).toEqual(['better']);
      expect(await audit.trail.verify()).toEqual([]);
      await audit.workspace.close();
    });

    it('finds no fault with a rename', async () => {
      const audit = await openAudit();
      await audit.write({ 'a.md': 'a\n' });
      await audit.workspace.drain();
      humanGit(audit.home, 'mv', 'a.md', 'b.md');
      humanGit(audit.home, ...commitAs, '-m', 'renamed');
      expect(await audit.trail.verify()).toEqual([]);
      await audit.workspace.scan();
      await audit.trail.sync();
      expect(await audit.trail.verify()).toEqual([]);
      humanGit(audit.home, ...commitAs, '--amend', '-m', 'renamed again');
      expect(await audit.trail.verify()).toEqual([]);
      await audit.workspace.close();
    });
  });

  it('is not written anew from a repository that lost its history, unless forced', async () => {
    const before = await openAudit();
    for (const text of ['a\n', 'b\n', 'c\n']) await before.write({ 'a.md': text });
    await before.workspace.close();
    const grown = logOf(before);
    const audit = await openAudit();
    writeWorkspaceFile(audit.home, LOG, readWorkspaceFile(before.home, LOG));
    await expect(audit.trail.rebuild()).rejects.toMatchObject({ code: 'refused', hint: expect.any(String) });
    expect(logOf(audit)).toEqual(grown);
    await audit.trail.rebuild({ isForced: true });
    expect(audit.trail.lines()).toEqual([]);
    await audit.workspace.close();
  });

  it('does not throw lines away that git has yet to get', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': 'a\n' });
    await audit.workspace.drain();
    humanGit(audit.home, 'checkout', '-q', '--detach');
    await audit.write({ 'b.md': 'b\n' });
    await expect(audit.trail.rebuild()).rejects.toThrow('HEAD is detached');
    expect(audit.trail.lines()).toHaveLength(2);
    humanGit(audit.home, 'checkout', '-q', 'main');
    expect(await audit.trail.rebuild()).toBe(2);
    await audit.workspace.close();
  });

  it('does not mix with what another process of the same home writes', async () => {
    const clock = new TestClock('2026-02-16T10:00:00Z');
    const one = await openAudit({ clock });
    const other = await openAudit({ home: one.home, clock });
    const both = [one, other];
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        both[index % 2]?.commit({
          changes: [{ path: `f${index % 3}.md`, edit: (text) => `${text ?? ''}- ${index}\n` }],
        }),
      ),
    );
    expect(one.trail.lines()).toHaveLength(30);
    expect(await one.trail.verify()).toEqual([]);
    await one.workspace.close();
    await other.workspace.close();
  });

  it('reports a log it cannot write and goes on', async () => {
    const audit = await openAudit();
    fs.mkdirSync(workspaceFile(audit.home, LOG), { recursive: true });
    await expect(audit.write({ 'a.md': 'a\n' })).resolves.not.toBe('');
    await audit.workspace.close();
    expect(audit.problems).toEqual([expect.stringContaining('The audit log lacks 1 mutations: EISDIR')]);
  });

  it('knows every mutation of a batched commit, as far as git tells', async () => {
    const audit = await openAudit({ settings: { cadence: 'batch', batchIntervalMs: 60_000 } });
    const first = await audit.write({ 'a.md': 'a\n' }, { summary: 'first' });
    const second = await audit.write({ 'b.md': 'b\n', 'c.md': 'c\n' }, { summary: 'second', actor: 'reflection:r-1' });
    expect(await audit.trail.verify()).toEqual([]);
    await audit.trail.rebuild();
    expect(audit.trail.lines()).toMatchObject([
      { reference: first, file: 'a.md', action: 'CREATE', summary: 'first', actor: 'bot:test, reflection:r-1' },
      { reference: second, file: 'b.md', summary: 'second' },
      { reference: first, file: 'c.md', action: 'COMMIT' },
    ]);
    expect(await audit.trail.verify()).toEqual([]);
    await audit.workspace.close();
  });

  it('gives up a text that is erased everywhere', async () => {
    const audit = await openAudit();
    audit.workspace.registries.erasers.push(audit.trail);
    writeWorkspaceFile(audit.home, 'USER.md', 'Ana\n');
    humanGit(audit.home, 'add', 'USER.md');
    humanGit(audit.home, '-c', 'user.name=Ana', '-c', 'user.email=a@b.c', 'commit', '-qm', 'the zebra plan');
    await audit.trail.sync();
    await audit.write({ 'a.md': 'the zebra plan\n' }, { summary: 'the zebra plan', trigger: 'about | the zebra plan' });
    const { remaining } = await eraseEverywhere(audit.workspace, ['the zebra plan'], 'manual');
    expect(remaining).toEqual([]);
    expect(readWorkspaceFile(audit.home, LOG)).not.toContain('zebra');
    expect(audit.trail.query({ file: 'a.md', action: 'CREATE' })).toMatchObject([{ trigger: 'about | erased' }]);
    expect(await audit.trail.verify()).toEqual([]);
    await audit.workspace.close();
  });
});
