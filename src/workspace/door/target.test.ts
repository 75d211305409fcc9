import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  humanGit,
  makeHome,
  openWorkspace,
  readWorkspaceFile,
  workspaceFile,
  writeWorkspaceFile,
} from '../../../test/support/home.ts';
import type { Workspace } from '../workspace.ts';

function append(workspace: Workspace, path: string): Promise<unknown> {
  const edit = (current: string | undefined): string => `${current ?? ''}added\n`;
  return workspace.commit({ actor: 'manual', summary: 'x', changes: [{ path, edit }] });
}

describe('the target of a write', () => {
  it('is not a folder, nor below a file', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await append(workspace, 'notes/a.md');
    await expect(append(workspace, 'notes')).rejects.toThrow('is a folder');
    await expect(append(workspace, 'notes/a.md/b.md')).rejects.toThrow('is a file');
    await workspace.close();
    expect(humanGit(home, 'ls-tree', '-r', '--name-only', 'HEAD').trim()).toBe('notes/a.md');
  });

  it('has no path past the longest, unless it is there already', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, {}, { maxPathChars: 60 });
    const long = `notes/${'n'.repeat(52)}.md`;
    await expect(append(workspace, long)).rejects.toThrow('has 61 characters; at most 60 are allowed');
    await append(workspace, long.replace('nn', 'n'));
    writeWorkspaceFile(home, long, 'by hand\n');
    await append(workspace, long);
    expect(readWorkspaceFile(home, long)).toBe('by hand\nadded\n');
    await workspace.close();
  });

  it('is not a link', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await append(workspace, 'a.md');
    fs.symlinkSync('a.md', workspaceFile(home, 'link.md'));
    await expect(append(workspace, 'link.md')).rejects.toThrow('is a link');
    expect(fs.lstatSync(workspaceFile(home, 'link.md')).isSymbolicLink()).toBe(true);
    await workspace.close();
  });

  it('is not the audit log, and has no secret in its name', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    const token = ['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz8Xc7'].join('_');
    await expect(append(workspace, 'memory/meta/audit.log')).rejects.toThrow('by Mneme itself');
    await expect(append(workspace, `notes/${token}.md`)).rejects.toThrow('looks like a secret');
    await workspace.close();
  });

  it.runIf(process.platform !== 'win32')('keeps its permissions', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await append(workspace, 'private.md');
    fs.chmodSync(workspaceFile(home, 'private.md'), 0o600);
    await append(workspace, 'private.md');
    await workspace.close();
    expect(fs.statSync(workspaceFile(home, 'private.md')).mode & 0o777).toBe(0o600);
  });

  it('keeps what a person resolved in a merge', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await append(workspace, 'a.md');
    writeWorkspaceFile(home, 'a.md', 'added\n\n<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> other\n');
    await workspace.scan();
    writeWorkspaceFile(home, 'a.md', 'added\n\n- mine\n- theirs\n');
    await workspace.scan();
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('added\n\n- mine\n- theirs\n');
  });
});
