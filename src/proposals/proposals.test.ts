import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { humanGit, readWorkspaceFile, workspaceFile, writeWorkspaceFile } from '../../test/support/home.ts';
import { defaultConfig, type Config } from '../model/config/schema.ts';
import { proposalPath } from './proposal.ts';
import type { Proposals } from './proposals.ts';
import { ALEX, COFFEE, failing, openDesk, request, TEXT, write } from '../../test/support/proposal-desk.ts';

function lastCommit(home: string): string[] {
  return humanGit(home, 'log', '-1', '--name-only', '--format=%s%n%(trailers:only,unfold)')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Mutation: '));
}

// SPEC PROPOSAL-1
describe('the life of a proposal', () => {
  it('goes from a file a person reads to one mutation that changes memory and state together', async () => {
    const { home, workspace, proposals } = await openDesk();
    const filed = await proposals.propose(request({ confidence: 'medium' }));
    expect(filed).toMatchObject({ outcome: 'filed', path: proposalPath(filed.id), proposal: { state: 'pending' } });
    expect(readWorkspaceFile(home, ALEX)).toBe(TEXT);
    await workspace.drain();
    expect(lastCommit(home)).toEqual([
      `[PROPOSE] ${filed.path} — Alex prefers coffee`,
      'Actor: subagent:researcher',
      'Approval: pending',
      'Trigger: auto-detect',
      'Session: ses_1',
      filed.path,
    ]);

    const approved = await proposals.approve(filed.id, { actor: 'bot:main' });
    expect(approved).toMatchObject({ state: 'applied', applied: [1], warnings: [] });
    expect(readWorkspaceFile(home, ALEX)).toBe(COFFEE);
    expect(proposals.get(filed.id)).toMatchObject({
      state: 'applied',
      decidedBy: 'bot:main',
      decided: '2026-02-16T18:45:00.000Z',
      changes: [{ state: 'applied' }],
    });
    await workspace.close();
    const [subject, ...rest] = lastCommit(home);
    expect(subject).toContain(`accepted proposal ${filed.id}: Alex prefers coffee`);
    expect(rest).toEqual([
      'Actor: bot:commit-from:researcher',
      'Approval: auto',
      `Trigger: proposal ${filed.id}`,
      ALEX,
      filed.path,
    ]);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
  });

  it('names the person who approved', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request({ actor: 'reflection:r-001', kind: 'merge' }));
    await expect(proposals.approve(id, { actor: 'bot:main' })).rejects.toEqual(failing('refused'));
    await proposals.approve(id, { actor: 'manual' });
    await workspace.close();
    expect(lastCommit(home)[0]).toMatch(/^\[MERGE\] /);
    expect(lastCommit(home).slice(1, 3)).toEqual(['Actor: manual', 'Approval: approved']);
  });

  it('is rejected, deferred or withdrawn with a reason, and then stays so', async () => {
    const { workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request());
    await expect(proposals.defer(id, { actor: 'bot:main', why: 'later' })).resolves.toMatchObject({
      state: 'deferred',
    });
    await proposals.reject(id, { actor: 'bot:main', why: 'not true' });
    expect(proposals.get(id)).toMatchObject({ state: 'rejected', reason: 'not true', decidedBy: 'bot:main' });
    await expect(proposals.approve(id, { actor: 'manual' })).rejects.toEqual(failing('conflict', /is rejected/));

    const other = await proposals.propose(request({ changes: [{ path: 'memory/b.md', after: 'b\n' }] }));
    await proposals.withdraw(other.id, { actor: 'subagent:researcher' });
    expect(proposals.get(other.id)).toMatchObject({ state: 'withdrawn', reason: undefined });
    await workspace.close();
  });

  it('is not filed again while it waits, nor after it was rejected, unless somebody insists', async () => {
    const { workspace, proposals } = await openDesk();
    const first = await proposals.propose(request());
    const again = await proposals.propose(request({ actor: 'subagent:coder' }));
    expect(again).toMatchObject({ outcome: 'already-open', id: first.id, mutation: undefined });
    await proposals.reject(first.id, { actor: 'manual', why: 'no' });
    expect(await proposals.propose(request())).toMatchObject({ outcome: 'rejected-before', id: first.id });
    expect(await proposals.propose(request({ evenIfRejected: true }))).toMatchObject({ outcome: 'filed' });
    await workspace.close();
  });

  it('is approved by itself only for trusted agents, when the home says so', async () => {
    const config: Config = {
      ...defaultConfig(),
      proposals: { ...defaultConfig().proposals, auto_approve: true },
      agents: { ...defaultConfig().agents, trusted: ['researcher'] },
    };
    const { home, workspace, proposals } = await openDesk(undefined, config);
    const changes = [{ path: 'memory/b.md', after: 'b\n' }];
    const added = await proposals.propose(request({ confidence: 'high', changes }));
    expect(added).toMatchObject({
      outcome: 'applied',
      proposal: { state: 'applied', decidedBy: 'system:auto-approve' },
    });
    expect(readWorkspaceFile(home, 'memory/b.md')).toBe('b\n');
    expect(await proposals.propose(request({ confidence: 'high' }))).toMatchObject({ outcome: 'filed' });
    await workspace.close();
  });

  it('is withdrawn when its time has passed', async () => {
    const { workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request({ expires: '2026-02-16T18:44:59Z' }));
    const waiting = await proposals.propose(
      request({ expires: '2026-03-01', changes: [{ path: 'memory/b.md', after: 'b\n' }] }),
    );
    expect(await proposals.withdrawExpired()).toMatchObject([{ id, state: 'withdrawn' }]);
    expect(proposals.get(waiting.id).state).toBe('pending');
    await workspace.close();
  });

  it('creates, deletes and renames files in one go', async () => {
    const { home, workspace, proposals } = await openDesk();
    await write(workspace, 'memory/old.md', 'old\n');
    await write(workspace, 'memory/gone.md', 'gone\n');
    const { id } = await proposals.propose(
      request({
        changes: [
          { path: 'memory/new.md', after: 'new\n' },
          { path: 'memory/gone.md' },
          { path: 'memory/old.md', renameTo: 'memory/archive/2026-02/old.md' },
        ],
      }),
    );
    await proposals.approve(id, { actor: 'manual' });
    expect(readWorkspaceFile(home, 'memory/new.md')).toBe('new\n');
    expect(readWorkspaceFile(home, 'memory/archive/2026-02/old.md')).toBe('old\n');
    expect(fs.existsSync(workspaceFile(home, 'memory/gone.md'))).toBe(false);
    expect(fs.existsSync(workspaceFile(home, 'memory/old.md'))).toBe(false);
    await workspace.close();
  });

  it('keeps secrets out of the proposal too', async () => {
    const { home, workspace, proposals } = await openDesk();
    const secret = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz8Xc7'].join('_');
    const filed = await proposals.propose(request({ changes: [{ path: 'memory/b.md', after: `token ${secret}\n` }] }));
    expect(filed.redactions.length).toBeGreaterThan(0);
    expect(JSON.stringify(filed)).not.toContain(secret);
    await proposals.approve(filed.id, { actor: 'manual' });
    expect(readWorkspaceFile(home, 'memory/b.md')).not.toContain(secret);
    await workspace.close();
  });
});

describe('approving less or other than was proposed', () => {
  const three = {
    changes: [
      { path: ALEX, after: COFFEE },
      { path: 'memory/b.md', after: 'b\n' },
      { path: 'memory/c.md', after: 'c\n' },
    ],
  };

  it('applies the chosen changes and leaves the others waiting, or rejects them', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id } = await proposals.propose(request(three));
    expect(await proposals.approve(id, { actor: 'manual', only: [2] })).toMatchObject({
      state: 'pending',
      applied: [2],
    });
    expect(fs.existsSync(workspaceFile(home, 'memory/b.md'))).toBe(true);
    expect(readWorkspaceFile(home, ALEX)).toBe(TEXT);
    await expect(proposals.approve(id, { actor: 'manual', only: [2] })).rejects.toEqual(failing('usage'));
    await proposals.approve(id, { actor: 'manual', only: [1], rest: 'reject', why: 'c is wrong' });
    const decided = proposals.get(id);
    expect(decided).toMatchObject({ state: 'applied', reason: 'c is wrong' });
    expect(decided.changes.map((change) => change.state)).toEqual(['applied', 'applied', 'rejected']);
    expect(await proposals.propose(request({ changes: three.changes.slice(2) }))).toMatchObject({
      outcome: 'rejected-before',
      id,
    });
    await workspace.close();
  });

  it('applies the diff as a person edited it, in a copy or in the file itself', async () => {
    const { home, workspace, proposals } = await openDesk();
    const first = await proposals.propose(request());
    const edited = readWorkspaceFile(home, first.path).replace('+- likes coffee', '+- likes espresso\n+\n+- and water');
    await proposals.approve(first.id, { actor: 'manual', edited });
    expect(readWorkspaceFile(home, ALEX)).toBe(TEXT.replace('likes tea', 'likes espresso\n\n- and water'));
    expect(readWorkspaceFile(home, first.path)).toContain('+- likes espresso');

    const second = await proposals.propose(request({ changes: [{ path: 'memory/b.md', after: 'b\n' }] }));
    const byHand = readWorkspaceFile(home, second.path).replace('+b\n', '+bee\n');
    writeWorkspaceFile(home, second.path, byHand);
    await proposals.approve(second.id, { actor: 'manual' });
    expect(readWorkspaceFile(home, 'memory/b.md')).toBe('bee\n');
    await workspace.close();
  });

  it('does not let an edit lead past the rules, nor a slip in it make the proposal stale', async () => {
    const { home, workspace, proposals } = await openDesk();
    const { id, path } = await proposals.propose(request({ changes: [{ path: 'memory/b.md', after: 'b\n' }] }));
    const text = readWorkspaceFile(home, path);
    const toSoul = text.replaceAll('memory/b.md', 'SOUL.md');
    await expect(proposals.approve(id, { actor: 'bot:main', edited: toSoul })).rejects.toEqual(failing('refused'));
    const slip = text.replace('+b\n', ' b\n');
    await expect(proposals.approve(id, { actor: 'bot:main', edited: slip })).rejects.toEqual(failing('conflict'));
    expect(proposals.get(id).state).toBe('pending');
    await workspace.close();
  });
});

describe('a list of proposals', () => {
  it('is filtered by state, kind and proposer, and searched by the beginning of an id', async () => {
    const { workspace, proposals } = await openDesk();
    const a = await proposals.propose(request());
    const b = await proposals.propose(
      request({ kind: 'archive', actor: 'system:decay', changes: [{ path: 'memory/b.md', after: 'b\n' }] }),
    );
    await proposals.reject(b.id, { actor: 'manual', why: 'no' });
    const ids = (filter: Parameters<Proposals['list']>[0]): string[] =>
      proposals.list(filter).proposals.map((proposal) => proposal.id);
    expect(ids({})).toEqual([a.id, b.id]);
    expect(ids({ state: 'pending' })).toEqual([a.id]);
    expect(ids({ state: ['rejected', 'stale'] })).toEqual([b.id]);
    expect(ids({ kind: 'archive' })).toEqual([b.id]);
    expect(ids({ actor: 'subagent:researcher' })).toEqual([a.id]);
    expect(proposals.get(a.id.toLowerCase()).id).toBe(a.id);
    expect(() => proposals.get(a.id.slice(0, 6))).toThrow(failing('usage', /2 proposals begin/));
    expect(() => proposals.get('7ZZZZ')).toThrow(failing('not-found'));
    await workspace.close();
  });
});
