import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanGit, makeHome, workspaceFile, writeWorkspaceFile } from '../../test/support/home.ts';
import { isMnemeError } from '../model/errors.ts';
import { ackRequests, parseAck, type AckAnswer } from './acknowledgement.ts';
import { openAudit, TestClock, type OpenAudit } from './testing/open-audit.ts';

async function acknowledge(audit: OpenAudit, references: readonly string[], answer: AckAnswer): Promise<void> {
  for (const request of await audit.alerts.ackRequests(references, answer, 'manual')) await audit.commit(request);
}

function configFile(home: string): string {
  return path.join(home, 'mneme.yaml');
}

// SPEC WRITE-7
describe('alerts on critical files', () => {
  it('show who changed what until a person answers', async () => {
    const audit = await openAudit();
    await audit.write({ 'SOUL.md': 'be kind\n', 'MEMORY.md': 'x\n' }, { actor: 'system:init' });
    expect(await audit.alerts.pending()).toEqual([]);
    const mutation = await audit.write({ 'SOUL.md': 'be ruthless\n' }, { actor: 'bot:auto', summary: 'improved' });
    const [alert, ...others] = await audit.alerts.pending();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      path: 'SOUL.md',
      timeMs: audit.clock.timeMs,
      actor: 'bot:auto',
      references: [mutation],
      isUnauthorized: true,
    });
    expect(alert?.diff).toContain('-be kind\n+be ruthless');
    await acknowledge(audit, [mutation], 'mine');
    expect(await audit.alerts.pending()).toEqual([]);
    await audit.workspace.close();
  });

  it.each([
    ['manual', 'auto', false],
    ['human:ana', 'auto', false],
    ['reflection:r-1', 'approved', false],
    ['reflection:r-1', 'auto', true],
    ['skill:writer', 'approved', true],
  ] as const)('hold %s (%s) for unauthorised: %s', async (actor, approval, isUnauthorized) => {
    const audit = await openAudit();
    await audit.write({ 'IDENTITY.md': 'x\n' }, { actor, approval });
    expect(await audit.alerts.pending()).toMatchObject([{ path: 'IDENTITY.md', isUnauthorized }]);
    await audit.workspace.close();
  });

  it('survive a rebuild of the log, answered or not', async () => {
    const audit = await openAudit();
    const first = await audit.write({ 'SOUL.md': 'a\n' });
    const second = await audit.write({ 'SOUL.md': 'b\n' });
    await acknowledge(audit, [first], 'not-mine');
    fs.rmSync(workspaceFile(audit.home, 'memory/meta/audit.log'));
    await audit.trail.rebuild();
    expect((await audit.alerts.pending()).map((alert) => alert.references)).toEqual([[second]]);
    expect(audit.trail.acknowledgements().get(first)).toMatchObject({ answer: 'not-mine', by: 'manual' });
    await audit.workspace.close();
  });

  it('take no answer from an agent', async () => {
    const audit = await openAudit();
    const mutation = await audit.write({ 'SOUL.md': 'a\n' });
    expect(() => ackRequests([mutation], 'mine', 'bot:auto')).toThrow(/Only a person|cannot say/);
    const [request] = ackRequests([mutation], 'mine', 'manual');
    await audit.commit({ ...request, actor: 'bot:auto' });
    expect(await audit.alerts.pending()).toHaveLength(1);
    await audit.workspace.close();
  });

  it('cut a long diff short', async () => {
    const audit = await openAudit();
    await audit.write({ 'SOUL.md': Array.from({ length: 100 }, (_, index) => `- ${index}\n`).join('') });
    const [alert] = await audit.alerts.pending();
    expect(alert?.diff?.split('\n')).toHaveLength(41);
    expect(alert?.diff).toMatch(/… and \d+ more lines$/);
    await audit.workspace.close();
  });
});

describe('edits made outside', () => {
  it('wait for an answer, by file', async () => {
    const audit = await openAudit();
    await audit.write({ 'MEMORY.md': 'one\n' });
    for (const text of ['one\ntwo\n', 'one\nthree\n']) {
      audit.clock.advance(60_000);
      writeWorkspaceFile(audit.home, 'MEMORY.md', text);
      await audit.workspace.scan();
    }
    const [edit, ...others] = await audit.alerts.pendingExternalEdits();
    expect(others).toEqual([]);
    expect(edit).toMatchObject({ path: 'MEMORY.md', addedLines: 2, removedLines: 1 });
    expect(edit?.lastMs).toBe((edit?.firstMs ?? 0) + 60_000);
    expect(edit?.references).toHaveLength(2);
    await acknowledge(audit, edit?.references ?? [], 'mine');
    expect(await audit.alerts.pendingExternalEdits()).toEqual([]);
    await audit.workspace.close();
  });

  it('include a person’s own commits', async () => {
    const audit = await openAudit();
    writeWorkspaceFile(audit.home, 'notes.md', 'a\nb\n');
    humanGit(audit.home, 'add', '.');
    humanGit(audit.home, '-c', 'user.name=Ana', '-c', 'user.email=a@b.c', 'commit', '-qm', 'notes');
    await audit.trail.sync();
    const [edit] = await audit.alerts.pendingExternalEdits();
    expect(edit).toMatchObject({ path: 'notes.md', addedLines: 2, removedLines: 0 });
    await acknowledge(audit, edit?.references ?? [], 'mine');
    expect(await audit.alerts.pendingExternalEdits()).toEqual([]);
    await audit.workspace.close();
  });
});

describe('changes that history no longer has', () => {
  const commitAs = ['-c', 'user.name=Ana', '-c', 'user.email=a@b.c'];

  it('wait for no answer once the file is as history tells it; nor does a merge', async () => {
    const audit = await openAudit();
    await audit.write({ 'a.md': 'a\n' });
    await audit.workspace.drain();
    humanGit(audit.home, 'checkout', '-qb', 'side');
    writeWorkspaceFile(audit.home, 'notes.md', 'a\nb\n');
    humanGit(audit.home, 'add', '.');
    humanGit(audit.home, ...commitAs, 'commit', '-qm', 'notes');
    humanGit(audit.home, 'checkout', '-q', 'main');
    humanGit(audit.home, ...commitAs, 'merge', '-q', '--no-ff', '--no-edit', 'side');
    await audit.trail.sync();
    expect(audit.trail.query({ action: 'MERGE' })).toHaveLength(1);
    expect(await audit.alerts.pendingExternalEdits()).toMatchObject([{ path: 'notes.md', addedLines: 2 }]);
    humanGit(audit.home, 'reset', '-q', '--hard', 'HEAD~1');
    expect(await audit.alerts.pendingExternalEdits()).toEqual([]);
    writeWorkspaceFile(audit.home, 'notes.md', 'a\nb\n');
    expect(await audit.alerts.pendingExternalEdits()).toMatchObject([{ path: 'notes.md', addedLines: undefined }]);
    await audit.workspace.close();
  });

  it('raise an alert only while the critical file is as they made it', async () => {
    const audit = await openAudit();
    await audit.write({ 'SOUL.md': 'be kind\n' }, { actor: 'system:init' });
    const mutation = await audit.write({ 'SOUL.md': 'be ruthless\n' });
    await audit.workspace.drain();
    humanGit(audit.home, ...commitAs, 'commit', '-q', '--amend', '-m', 'nothing to see');
    expect(await audit.alerts.pending()).toMatchObject([{ references: [mutation] }]);
    humanGit(audit.home, 'reset', '-q', '--hard', 'HEAD~1');
    const paths = (await audit.alerts.pending()).filter((alert) => alert.references.includes(mutation));
    expect(paths).toEqual([]);
    await audit.workspace.close();
  });
});

describe('an acknowledgement', () => {
  it('is split into records whose triggers are not shortened', async () => {
    const audit = await openAudit();
    const ids = Array.from({ length: 20 }, (_, index) => `01KHK000000000000000000A${String(index).padStart(2, '0')}`);
    const requests = ackRequests(ids, 'not-mine', 'manual');
    expect(requests).toHaveLength(3);
    for (const request of requests) await audit.commit(request);
    expect([...audit.trail.acknowledgements().keys()]).toEqual(ids);
    await audit.workspace.drain();
    await audit.trail.rebuild();
    expect([...audit.trail.acknowledgements().values()].every(({ answer }) => answer === 'not-mine')).toBe(true);
    await audit.workspace.close();
  });

  it('is read with and without the answer spelled out', () => {
    expect(parseAck('ack 01A 01B')).toEqual({ answer: 'mine', references: ['01A', '01B'] });
    expect(parseAck('ack not-mine git:abc')).toEqual({ answer: 'not-mine', references: ['git:abc'] });
    expect(parseAck('acknowledge it')).toBeUndefined();
    expect(parseAck(undefined)).toBeUndefined();
  });
});

describe('checksums of critical files', () => {
  it('follow changes on the write path', async () => {
    const audit = await openAudit();
    await audit.write({ 'SOUL.md': 'a\n' });
    await audit.write({ 'SOUL.md': 'b\n' });
    expect(await audit.checksums.compare(new Map())).toEqual({ mismatches: [], notice: undefined });
    expect(audit.checksums.criticalChecksums().get('SOUL.md')).toMatch(/^[0-9a-f]{64}$/);
    await audit.workspace.close();
  });

  it('tell of a change between sessions although history was rewritten to fit', async () => {
    const clock = new TestClock('2026-02-16T10:00:00Z');
    const before = await openAudit({ clock });
    const mutation = await before.write({ 'SOUL.md': 'be kind\n' }, { actor: 'manual' });
    await acknowledge(before, [mutation], 'mine');
    await before.workspace.close();

    writeWorkspaceFile(before.home, 'SOUL.md', 'be ruthless\n');
    humanGit(before.home, 'commit', '-q', '--all', '--amend', '--no-edit');
    for (const folder of ['state', 'workspace/memory/meta', 'journal/wal']) {
      fs.rmSync(path.join(before.home, folder), { recursive: true });
    }

    const audit = await openAudit({ home: before.home, clock });
    await audit.workspace.scan();
    await audit.trail.rebuild();
    const [alert, ...others] = await audit.alerts.pending();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ path: 'SOUL.md', actor: 'unknown', isUnauthorized: true });
    expect(alert?.diff).toContain('-be kind\n+be ruthless');
    await acknowledge(audit, alert?.references ?? [], 'mine');
    expect(await audit.alerts.pending()).toEqual([]);
    expect((await audit.checksums.compare(new Map())).mismatches).toEqual([]);
    await audit.workspace.close();
  });

  it('watch mneme.yaml, which is outside the workspace', async () => {
    const home = await makeHome();
    fs.writeFileSync(configFile(home), 'audit:\n  retention_days: 90\n');
    const audit = await openAudit({ home });
    fs.writeFileSync(configFile(home), 'audit:\n  retention_days: 1\n');
    const [alert] = await audit.alerts.pending();
    expect(alert?.diff).toContain('-  retention_days: 90\n+  retention_days: 1');
    await acknowledge(audit, alert?.references ?? [], 'not-mine');
    expect(await audit.alerts.pending()).toEqual([]);
    expect((await audit.checksums.compare(new Map())).mismatches).toMatchObject([{ kind: 'changed' }]);
    await audit.checksums.accept(['mneme.yaml']);
    expect((await audit.checksums.compare(new Map())).mismatches).toEqual([]);
    await audit.workspace.close();
  });

  it('let one answer settle an outside edit and its checksum', async () => {
    const audit = await openAudit();
    await audit.write({ 'SOUL.md': 'a\n' }, { actor: 'system:init' });
    writeWorkspaceFile(audit.home, 'SOUL.md', 'b\n');
    await audit.workspace.scan();
    const [alert, ...others] = await audit.alerts.pending();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ actor: 'external', isUnauthorized: true });
    expect(alert?.references).toHaveLength(2);
    await acknowledge(audit, alert?.references.slice(0, 1) ?? [], 'mine');
    expect(await audit.alerts.pending()).toEqual([]);
    expect((await audit.checksums.compare(new Map())).mismatches).toEqual([]);
    await audit.workspace.close();
  });

  it('notice files that appear and vanish, and say when there was nothing to compare with', async () => {
    const audit = await openAudit();
    writeWorkspaceFile(audit.home, 'SOUL.md', 'a\n');
    expect((await audit.checksums.compare(new Map())).mismatches).toMatchObject([
      { path: 'SOUL.md', kind: 'appeared' },
    ]);
    await audit.checksums.accept(['SOUL.md']);
    fs.rmSync(workspaceFile(audit.home, 'SOUL.md'));
    expect((await audit.checksums.compare(new Map())).mismatches).toMatchObject([{ path: 'SOUL.md', kind: 'missing' }]);
    fs.writeFileSync(path.join(audit.home, 'journal/critical.json'), '{"version": 1');
    const report = await audit.checksums.compare(new Map());
    expect(report.mismatches).toEqual([]);
    expect(report.notice).toMatch(/cannot be read/);
    await audit.workspace.close();
  });
});

it('refuses with a hint', () => {
  let refusal: unknown;
  try {
    ackRequests(['x'], 'mine', 'external');
  } catch (error) {
    refusal = error;
  }
  expect(isMnemeError(refusal, 'refused')).toBe(true);
});
