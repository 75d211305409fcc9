import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readWorkspaceFile, workspaceFile, writeWorkspaceFile } from '../../test/support/home.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { itemIds } from '../workspace/markdown/identity.ts';
import { openAudit, type OpenAudit } from './testing/open-audit.ts';
import { planUndo, undoRequest, type UndoPlan, type UndoTarget } from './undo.ts';

const ITEM = '7k2m9x0q4t1za';
const OTHER = '8k2m9x0q4t1za';

function plan({ workspace, clock }: OpenAudit, target: UndoTarget): Promise<UndoPlan> {
  return planUndo(workspace, target, { nowMs: clock.now(), timeZone: 'UTC' });
}

/** Plans and carries out; returns the plan and the mutation it became. */
async function undo(audit: OpenAudit, target: UndoTarget): Promise<UndoPlan & { readonly mutation: string }> {
  const made = await plan(audit, target);
  audit.clock.advance(1000);
  const { mutation } = await audit.commit(undoRequest(made, { actor: 'manual' }));
  return { ...made, mutation: mutation ?? '' };
}

function list(...items: string[]): string {
  return `# List\n\n${items.map((item) => `- ${item}\n`).join('')}`;
}

// SPEC HISTORY-1
describe('undo of a mutation', () => {
  it('takes back the middle one of several on one file', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': list('apples') });
    const middle = await audit.write({ 'a.md': list('apples', 'pears') }, { summary: 'pears too' });
    await audit.write({ 'a.md': list('green apples', 'pears', 'plums') });
    const made = await undo(audit, { kind: 'mutation', mutation: middle });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('green apples', 'plums'));
    expect(made).toMatchObject({ skipped: [], touches: ['a.md'], summary: `undid APPEND ${middle} (pears too)` });
    expect(made.preview[0]?.diff).toContain('\n-- pears\n');
    expect(audit.trail.query({ limit: 1 })).toMatchObject([
      { action: 'REVERT', file: 'a.md', actor: 'manual', trigger: `undo mutation ${middle}`, reference: made.mutation },
    ]);
    await audit.workspace.close();
  });

  it('says what it cannot take back, names what is in the way and leaves it as it is', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': list('apples', 'pears') });
    const first = await audit.write({ 'a.md': list('red apples', 'ripe pears') });
    const second = await audit.write({ 'a.md': list('red apples', 'rotten pears') }, { actor: 'reflection:r-1' });
    const made = await undo(audit, { kind: 'mutation', mutation: first });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples', 'rotten pears'));
    expect(made.skipped).toEqual([
      { path: 'a.md', block: '- rotten pears', reason: `it changed again since (last by reflection:r-1, ${second})` },
    ]);
    await audit.workspace.close();
  });

  it('moves a file back that a person had moved by hand', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': list('apples') });
    fs.renameSync(workspaceFile(audit.home, 'a.md'), workspaceFile(audit.home, 'b.md'));
    await audit.workspace.scan();
    const [line] = audit.trail.query({ limit: 1 });
    expect(line).toMatchObject({ action: 'RENAME', actor: 'external' });
    await undo(audit, { kind: 'mutation', mutation: line?.reference ?? '' });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples'));
    expect(fs.existsSync(workspaceFile(audit.home, 'b.md'))).toBe(false);
    await audit.workspace.close();
  });

  it('can itself be undone, and undone again', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': list('apples') });
    const change = await audit.write({ 'a.md': list('pears') });
    const back = await undo(audit, { kind: 'mutation', mutation: change });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples'));
    const again = await undo(audit, { kind: 'mutation', mutation: back.mutation });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('pears'));
    await undo(audit, { kind: 'mutation', mutation: again.mutation });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples'));
    await audit.workspace.close();
  });

  it('covers all files of a group: created, edited, deleted', async () => {
    const audit = await openAudit();
    await audit.write({ 'edited.md': 'before\n', 'deleted.md': 'precious\n' });
    const group = await audit.write({ 'created.md': 'new\n', 'edited.md': 'after\n', 'deleted.md': undefined });
    const made = await undo(audit, { kind: 'mutation', mutation: group });
    expect(made.touches.toSorted()).toEqual(['created.md', 'deleted.md', 'edited.md']);
    expect(made.skipped).toEqual([]);
    expect(fs.existsSync(workspaceFile(audit.home, 'created.md'))).toBe(false);
    expect(readWorkspaceFile(audit.home, 'edited.md')).toBe('before\n');
    expect(readWorkspaceFile(audit.home, 'deleted.md')).toBe('precious\n');
    await audit.workspace.close();
  });

  it('keeps a created file that others wrote into, with its head and title', async () => {
    const audit = await openAudit();
    const head = '---\ntype: episode\n---\n# 2026-02-16\n';
    const first = '\n## 10:00 | fact\n\nFirst thing. ^7k2m9x0q4t1za\n';
    const second = '\n## 11:00 | fact\n\nSecond thing. ^8k2m9x0q4t1za\n';
    const created = await audit.write({ 'memory/episodes/2026-02-16.md': head + first });
    await audit.write({ 'memory/episodes/2026-02-16.md': head + first + second });
    const made = await undo(audit, { kind: 'mutation', mutation: created });
    expect(made.skipped).toEqual([]);
    expect(readWorkspaceFile(audit.home, 'memory/episodes/2026-02-16.md')).toBe(head + second);
    await audit.workspace.close();
  });

  it('moves a renamed file back with what was written since', async () => {
    const audit = await openAudit();
    await audit.write({ 'old.md': list('apples', 'pears', 'plums') });
    const { mutation = '' } = await audit.commit({ changes: [{ path: 'old.md', renameTo: 'new.md' }] });
    await audit.write({ 'new.md': list('apples', 'pears', 'plums', 'figs') });
    await undo(audit, { kind: 'mutation', mutation });
    expect(fs.existsSync(workspaceFile(audit.home, 'new.md'))).toBe(false);
    expect(readWorkspaceFile(audit.home, 'old.md')).toBe(list('apples', 'pears', 'plums', 'figs'));
    await audit.workspace.close();
  });

  it('does nothing twice', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': 'a\n' });
    const change = await audit.write({ 'a.md': 'b\n' });
    await undo(audit, { kind: 'mutation', mutation: change });
    const again = await plan(audit, { kind: 'mutation', mutation: change });
    expect(again).toMatchObject({ changes: [], skipped: [], touches: [] });
    await audit.workspace.close();
  });

  describe('of one of several entries of the same minute', () => {
    const DAY = 'memory/episodes/2026-02-16.md';
    const HEAD = '---\ntype: episodes\n---\n\n# 2026-02-16 — what happened\n';
    const entry = (id: string): string =>
      `\n## 12:36 | fact | confidence:high\n<!-- source:user-explicit -->\nitem ${id} ^${id}k2m9x0q4t1za\n`;
    const day = (...ids: string[]): string => HEAD + ids.map(entry).join('');

    it.each([
      ['the one that made the file', 0, ['b', 'c']],
      ['one in the middle', 1, ['a', 'c']],
      ['the last', 2, ['a', 'b']],
    ] as const)('takes back %s, and the second time nothing', async (_, which, rest) => {
      const audit = await openAudit();
      const mutations: string[] = [];
      for (const ids of [['a'], ['a', 'b'], ['a', 'b', 'c']]) mutations.push(await audit.write({ [DAY]: day(...ids) }));
      const target = { kind: 'mutation', mutation: mutations[which] ?? '' } as const;
      expect((await undo(audit, target)).skipped).toEqual([]);
      expect(readWorkspaceFile(audit.home, DAY)).toBe(day(...rest));
      expect(await plan(audit, target)).toMatchObject({ changes: [], skipped: [] });
      await audit.write({ [DAY]: day(...rest, 'd') });
      expect(await plan(audit, target)).toMatchObject({ changes: [], skipped: [] });
      await audit.workspace.close();
    });
  });

  it('leaves files alone that it cannot tell apart by block, were deleted or are not in history', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.json': '{"a": 1}\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    const change = await audit.write({ 'a.json': '{"a": 2}\n', 'b.md': 'bb\n', 'c.md': 'cc\n' });
    await audit.write({ 'a.json': '{"a": 3}\n', 'b.md': undefined });
    const secret = `cc\n\naws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'.replace('EXAMPLE', 'Zq8tR2w')}\n`;
    writeWorkspaceFile(audit.home, 'c.md', secret);
    const made = await undo(audit, { kind: 'mutation', mutation: change });
    expect(made.changes).toEqual([]);
    expect(made.skipped.map(({ path, reason }) => `${path}: ${reason.replace(/ \(last by.*/, '')}`)).toEqual([
      'a.json: the file changed again since and has no blocks to tell apart',
      'b.md: the file has been deleted since',
      'c.md: its present content is not in history and would be lost',
    ]);
    expect(readWorkspaceFile(audit.home, 'c.md')).toBe(secret);
    await audit.workspace.close();
  });

  it('refuses to guess which part of a batch it was', async () => {
    const audit = await openAudit({ settings: { cadence: 'batch', batchIntervalMs: 60_000 } });
    const first = await audit.write({ 'a.md': 'a\n' });
    await audit.write({ 'b.md': 'b\n' });
    await expect(plan(audit, { kind: 'mutation', mutation: first })).rejects.toThrow('together with 1 others');
    const made = await plan(audit, { kind: 'mutation', mutation: first, isWholeBatch: true });
    expect(made.touches).toEqual(['a.md', 'b.md']);
    await audit.workspace.close();
  });
});

describe('undo of a proposal or session', () => {
  it('takes back every mutation whose trigger names the proposal, and only those', async () => {
    const audit = await openAudit();
    const proposal = '01KHK0000000000000000000AB';
    const record = `memory/meta/proposals/${proposal}.md`;
    await audit.write({ 'a.md': list('apples') });
    await audit.write({ [record]: 'pending\n' }, { action: 'PROPOSE', trigger: `proposal ${proposal}` });
    await audit.write({ 'a.md': list('apples', 'pears'), [record]: 'applied\n' }, { trigger: `proposal ${proposal}` });
    await audit.write({ 'b.md': list('unrelated') }, { trigger: `proposal ${proposal}X` });
    await audit.write({ 'a.md': list('apples', 'pears', 'plums') });
    await audit.write({ 'a.md': list('apples', 'ripe pears', 'plums') }, { trigger: `proposal ${proposal}` });
    const made = await undo(audit, { kind: 'proposal', proposal });
    expect(made.summary).toBe(`undid proposal ${proposal} (2 mutations)`);
    expect(made.touches).toEqual(['a.md']);
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples', 'plums'));
    expect((await plan(audit, { kind: 'proposal', proposal })).changes).toEqual([]);
    await audit.workspace.close();
  });

  it('takes back a reflection', async () => {
    const audit = await openAudit();
    await audit.write({ 'MEMORY.md': list('apples') });
    await audit.write({ 'MEMORY.md': list('pears') }, { actor: 'reflection:r-7', approval: 'approved' });
    await audit.write({ 'USER.md': 'Ana\n' }, { session: 'r-7' });
    const made = await undo(audit, { kind: 'session', session: 'r-7' });
    expect(made.touches.toSorted()).toEqual(['MEMORY.md', 'USER.md']);
    expect(readWorkspaceFile(audit.home, 'MEMORY.md')).toBe(list('apples'));
    await expect(plan(audit, { kind: 'session', session: 'r-8' })).rejects.toThrow('no mutation of session r-8');
    await audit.workspace.close();
  });
});

describe('undo of an item', () => {
  const facts = (...items: string[]): string => `# Ana\n\n## Facts\n\n${items.map((item) => `- ${item}\n`).join('')}`;

  it('restores its last version and leaves the rest of the mutation', async () => {
    const audit = await openAudit();
    await audit.write({ 'ana.md': facts(`likes tea ^${ITEM}`, `lives in Bern ^${OTHER}`) });
    await audit.write({ 'ana.md': facts(`likes coffee ^${ITEM}`, `lives in Basel ^${OTHER}`) });
    await audit.write({ 'ana.md': facts(`likes coffee ^${ITEM}`, `lives in Basel ^${OTHER}`, 'has a cat') });
    await undo(audit, { kind: 'item', path: 'ana.md', id: ITEM });
    expect(readWorkspaceFile(audit.home, 'ana.md')).toBe(
      facts(`likes tea ^${ITEM}`, `lives in Basel ^${OTHER}`, 'has a cat'),
    );
    await audit.workspace.close();
  });

  it('brings a deleted one back to its place', async () => {
    const audit = await openAudit();
    await audit.write({ 'ana.md': facts(`likes tea ^${ITEM}`, `lives in Bern ^${OTHER}`, 'has a cat') });
    await audit.write({ 'ana.md': facts(`likes tea ^${ITEM}`) });
    await undo(audit, { kind: 'item', path: 'ana.md', id: OTHER });
    expect(readWorkspaceFile(audit.home, 'ana.md')).toBe(facts(`likes tea ^${ITEM}`, `lives in Bern ^${OTHER}`));
    await audit.workspace.close();
  });

  it('removes an episode entry with its heading', async () => {
    const audit = await openAudit();
    const entry = (time: string, text: string): string => `\n## ${time} | fact\n\nsource: user\n\n${text}\n`;
    const day = '# 2026-02-16\n';
    await audit.write({ 'day.md': `${day}${entry('10:00', `First. ^${OTHER}`)}` });
    await audit.write({
      'day.md': `${day}${entry('10:00', `First. ^${OTHER}`)}${entry('11:00', `Second. ^${ITEM}`)}${entry('12:00', 'Third.')}`,
    });
    await undo(audit, { kind: 'item', path: 'day.md', id: ITEM });
    expect(readWorkspaceFile(audit.home, 'day.md')).toBe(
      `${day}${entry('10:00', `First. ^${OTHER}`)}${entry('12:00', 'Third.')}`,
    );
    await audit.workspace.close();
  });

  it('finds text without an anchor by the id made from its words', async () => {
    const audit = await openAudit();
    await audit.write({ 'ana.md': facts('likes tea', 'lives in Bern') });
    const text = facts('likes tea', 'lives in Basel');
    await audit.write({ 'ana.md': text });
    const doc = parseDocument(text);
    const id = itemIds('ana.md', doc)[doc.blocks.findIndex((block) => block.raw.includes('Basel'))] ?? '';
    await undo(audit, { kind: 'item', path: 'ana.md', id });
    expect(readWorkspaceFile(audit.home, 'ana.md')).toBe(facts('likes tea', 'lives in Bern'));
    await audit.workspace.close();
  });

  it('says when there is no such item', async () => {
    const audit = await openAudit();
    await audit.write({ 'ana.md': facts('likes tea') });
    await expect(plan(audit, { kind: 'item', path: 'ana.md', id: ITEM })).rejects.toThrow('No change of the item');
    await audit.workspace.close();
  });
});

describe('going back to a point in time', () => {
  it('restores one file', async () => {
    const audit = await openAudit();
    const first = await audit.write({ 'a.md': 'one\n' });
    await audit.write({ 'a.md': 'two\n', 'b.md': 'two\n' });
    await undo(audit, { kind: 'file', path: 'a.md', revision: first });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe('one\n');
    expect(readWorkspaceFile(audit.home, 'b.md')).toBe('two\n');
    await undo(audit, { kind: 'file', path: 'b.md', revision: first });
    expect(fs.existsSync(workspaceFile(audit.home, 'b.md'))).toBe(false);
    await expect(plan(audit, { kind: 'file', path: 'c.md', revision: first })).rejects.toThrow('There is no c.md');
    await audit.workspace.close();
  });

  it('restores the whole workspace, but not what is generated or the digests', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': 'one\n', 'memory/graph/index.md': 'one\n', 'gone.md': 'here\n' });
    audit.clock.advance(3_600_000);
    const moment = new Date(audit.clock.now()).toISOString();
    audit.clock.advance(3_600_000);
    await audit.write({ 'a.md': 'two\n', 'memory/graph/index.md': 'two\n', 'gone.md': undefined, 'new.md': 'new\n' });
    await audit.write({ 'memory/meta/audit-archive.md': '# Audit Digest — January 2026\n' });
    const made = await undo(audit, { kind: 'workspace', revision: moment });
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe('one\n');
    expect(readWorkspaceFile(audit.home, 'gone.md')).toBe('here\n');
    expect(fs.existsSync(workspaceFile(audit.home, 'new.md'))).toBe(false);
    expect(readWorkspaceFile(audit.home, 'memory/graph/index.md')).toBe('two\n');
    expect(made.skipped.map(({ path }) => path)).toEqual(['memory/meta/audit-archive.md']);
    const back = await undo(audit, { kind: 'mutation', mutation: made.mutation });
    expect(back.skipped).toEqual([]);
    expect(readWorkspaceFile(audit.home, 'new.md')).toBe('new\n');
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe('two\n');
    await audit.workspace.close();
  });

  it('leaves the records of what was decided alone', async () => {
    const audit = await openAudit();
    const record = (name: string): string => `memory/meta/proposals/${name}.md`;
    const first = await audit.write({ 'a.md': 'one\n', [record('old')]: 'pending\n' });
    await audit.write({ 'a.md': 'two\n', [record('old')]: 'approved\n', [record('new')]: 'rejected\n' });
    const made = await undo(audit, { kind: 'workspace', revision: first });
    expect(made.touches).toEqual(['a.md']);
    expect(readWorkspaceFile(audit.home, record('old'))).toBe('approved\n');
    expect(readWorkspaceFile(audit.home, record('new'))).toBe('rejected\n');
    await audit.workspace.close();
  });

  it('merges what somebody writes between plan and undo', async () => {
    const audit = await openAudit();
    const first = await audit.write({ 'a.md': list('apples') });
    await audit.write({ 'a.md': list('pears') });
    const made = await plan(audit, { kind: 'file', path: 'a.md', revision: first });
    await audit.write({ 'a.md': list('pears', 'plums') });
    await audit.commit(undoRequest(made, { actor: 'manual' }));
    expect(readWorkspaceFile(audit.home, 'a.md')).toBe(list('apples', 'plums'));
    await audit.workspace.close();
  });
});
