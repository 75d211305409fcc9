import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanGit, makeHome, openWorkspace, readWorkspaceFile, workspaceFile } from '../../test/support/home.ts';
import type { CommitRequest } from './door/request.ts';
import type { Workspace } from './workspace.ts';

function append(line: string): CommitRequest {
  return { actor: 'bot:test', summary: line, changes: [{ path: 'a.md', edit: (text = '') => `${text}${line}\n` }] };
}

/** A home with a file of two lines, and a clock that can be moved past the time a replaced file is held. */
async function start(): Promise<{ home: string; workspace: Workspace; later: () => void }> {
  const home = await makeHome();
  let offsetMs = 0;
  const workspace = await openWorkspace(home, { clock: { now: () => Date.now() + offsetMs } });
  await workspace.commit(append('- one'));
  await workspace.commit(append('- two'));
  const later = (): void => {
    offsetMs += 1500;
  };
  return { home, workspace, later };
}

function heldFiles(home: string): string[] {
  return fs.readdirSync(path.join(home, 'state', 'replaced'));
}

describe('a program that still has the replaced file open', () => {
  it('may append to it', async () => {
    const { home, workspace, later } = await start();
    const descriptor = fs.openSync(workspaceFile(home, 'a.md'), 'a');
    await workspace.commit(append('- three'));
    fs.writeSync(descriptor, '- late\n');
    fs.closeSync(descriptor);
    expect(readWorkspaceFile(home, 'a.md')).not.toContain('late');
    later();
    await workspace.drain();
    expect(readWorkspaceFile(home, 'a.md').split('\n').sort()).toEqual(['', '- late', '- one', '- three', '- two']);
    later();
    await workspace.close();
    expect(heldFiles(home)).toEqual([]);
    expect(humanGit(home, 'status', '--porcelain')).toBe('');
  });

  it('may go on writing while an earlier line of it is being merged', async () => {
    const home = await makeHome();
    let offsetMs = 0;
    let descriptor: number | undefined;
    const workspace = await openWorkspace(home, {
      clock: { now: () => Date.now() + offsetMs },
      onStep: (step) => {
        if (step !== 'journaled' || offsetMs === 0 || descriptor === undefined) return;
        fs.writeSync(descriptor, '- later still\n');
        fs.closeSync(descriptor);
        descriptor = undefined;
      },
    });
    await workspace.commit(append('- one'));
    descriptor = fs.openSync(workspaceFile(home, 'a.md'), 'a');
    await workspace.commit(append('- two'));
    fs.writeSync(descriptor, '- late\n');
    offsetMs = 1500;
    await workspace.drain();
    expect(readWorkspaceFile(home, 'a.md').split('\n').sort()).toEqual([
      '',
      '- late',
      '- later still',
      '- one',
      '- two',
    ]);
    await workspace.close();
  });

  it('may save an older buffer over it, and what it had not seen stays', async () => {
    const { home, workspace, later } = await start();
    const buffer = readWorkspaceFile(home, 'a.md');
    await workspace.commit(append('- three'));
    const descriptor = fs.openSync(workspaceFile(home, 'a.md'), 'r+');
    await workspace.commit(append('- four'));
    fs.ftruncateSync(descriptor);
    fs.writeSync(descriptor, `${buffer}- late\n`, 0);
    fs.closeSync(descriptor);
    later();
    await workspace.drain();
    const lines = readWorkspaceFile(home, 'a.md').trim().split('\n').sort();
    expect(lines).toEqual(['- four', '- late', '- one', '- three', '- two']);
    await workspace.close();
  });

  it('is also found after the process that replaced the file is gone', async () => {
    const { home, workspace } = await start();
    const descriptor = fs.openSync(workspaceFile(home, 'a.md'), 'a');
    await workspace.commit(append('- three'));
    await workspace.close();
    fs.writeSync(descriptor, '- late\n');
    fs.closeSync(descriptor);
    const next = await openWorkspace(home, { clock: { now: () => Date.now() + 1500 } });
    await next.close();
    expect(readWorkspaceFile(home, 'a.md')).toContain('- late\n');
  });

  it('does not keep the home from opening when its edit cannot be merged, and the edit waits', async () => {
    const { home, workspace } = await start();
    const descriptor = fs.openSync(workspaceFile(home, 'a.md'), 'a');
    await workspace.commit(append('- three'));
    await workspace.close();
    fs.writeSync(descriptor, '- late\n');
    fs.closeSync(descriptor);
    fs.writeFileSync(workspaceFile(home, 'a.md'), Buffer.from([0, 1, 2]));
    const next = await openWorkspace(home, { clock: { now: () => Date.now() + 1500 } });
    const { postponed } = await next.close();
    expect(postponed.join('\n')).toContain('an edit of a.md waits');
    expect(heldFiles(home)).toHaveLength(1);
  });
});
