import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHome, openWorkspace, readWorkspaceFile, workspaceFile } from '../../../test/support/home.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Workspace } from '../workspace.ts';
import { WriteQueue } from '../write-queue.ts';
import { type CommitRequest, type CommitResult, type WritePermit, underPermit } from './request.ts';

const HOLDS: WritePermit = { assertHolds: () => Promise.resolve() };
const LOST: WritePermit = { assertHolds: () => Promise.reject(new MnemeError('locked', 'Machine ben writes.')) };

function append(file: string, line: string, extra: Partial<CommitRequest> = {}): CommitRequest {
  const changes = [{ path: file, edit: (current: string | undefined) => `${current ?? ''}${line}\n` }];
  return { actor: 'bot:test', summary: `added ${line}`, changes, ...extra };
}

// SPEC WRITE-9
describe('a permit', () => {
  let home: string;
  let workspace: Workspace;

  beforeAll(async () => {
    home = await makeHome();
    workspace = await openWorkspace(home);
  });
  afterAll(() => workspace.close());

  function commit(permit: WritePermit | undefined, request: CommitRequest): Promise<CommitResult> {
    return underPermit(permit, () => workspace.commit(request));
  }

  it('that has ended keeps a write out, and nothing of it stays for the writes beside it', async () => {
    const results = await Promise.allSettled([
      commit(HOLDS, append('notes/a.md', '- one')),
      commit(LOST, append('notes/a.md', '- two')),
      commit(undefined, append('notes/a.md', '- three')),
      commit(LOST, append('notes/b.md', '- four')),
      commit(HOLDS, append('notes/a.md', '- five')),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(readWorkspaceFile(home, 'notes/a.md')).toBe('- one\n- three\n- five\n');
    expect(fs.existsSync(workspaceFile(home, 'notes/b.md'))).toBe(false);
  });

  it('is asked when everything is prepared, so that one which ends meanwhile does not write', async () => {
    let isHeld = true;
    const ends: WritePermit = { assertHolds: () => (isHeld ? HOLDS : LOST).assertHolds() };
    const edit = (): string => {
      isHeld = false;
      return '- late\n';
    };
    const late = commit(ends, { ...append('', ''), changes: [{ path: 'notes/late.md', edit }] });
    await expect(late).rejects.toMatchObject({ code: 'locked' });
    expect(fs.existsSync(workspaceFile(home, 'notes/late.md'))).toBe(false);
  });

  it('is no business of transcripts and chain, which are this machine’s own', async () => {
    const line = { path: 'log.jsonl', append: Buffer.from('{}\n') };
    const { mutation } = await commit(LOST, { ...append('', ''), repository: 'chain', changes: [line] });
    expect(mutation).toBeDefined();
  });

  it('goes with a write that is held back, whoever lets it go', async () => {
    const queue = new WriteQueue({
      commit: (request) => workspace.commit(request),
      strategy: 'batched',
      batchSize: 2,
      batchIntervalMs: 60_000,
      idleMs: 60_000,
      immediateImportance: 1,
      conditionalImportance: 1,
    });
    const results = await Promise.allSettled([
      underPermit(LOST, () => queue.write(append('notes/c.md', '- lost'))),
      underPermit(HOLDS, () => queue.write(append('notes/c.md', '- held'))),
    ]);
    await queue.close();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(readWorkspaceFile(home, 'notes/c.md')).toBe('- held\n');
  });
});
