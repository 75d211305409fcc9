import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  humanGit,
  makeHome,
  openWorkspace,
  readWorkspaceFile,
  workspaceFile,
  writeWorkspaceFile,
} from '../../../test/support/home.ts';
import type { Step } from './context.ts';
import type { CommitRequest } from './request.ts';

function append(file: string, line: string): CommitRequest {
  return { actor: 'bot:test', summary: line, changes: [{ path: file, edit: (text = '') => `${text}${line}\n` }] };
}

/** A home whose file is at its third state, closed. */
async function homeWithStates(): Promise<{ home: string; states: string[] }> {
  const home = await makeHome();
  const workspace = await openWorkspace(home, { bootId: 'first' });
  const states: string[] = [];
  for (const line of ['- one', '- two', '- three']) {
    await workspace.commit(append('a.md', line));
    states.push(readWorkspaceFile(home, 'a.md'));
  }
  await workspace.close();
  return { home, states };
}

/** Restores an older state, written before the newer one, as a power cut leaves it. */
function setBack(home: string, content: string | Buffer): void {
  const file = workspaceFile(home, 'a.md');
  fs.writeFileSync(file, content);
  fs.utimesSync(file, 1000, 1000);
}

async function openAfterReboot(home: string): Promise<string> {
  const workspace = await openWorkspace(home, { bootId: 'second' });
  await workspace.scan();
  await workspace.close();
  expect(humanGit(home, 'status', '--porcelain')).toBe('');
  return fs.existsSync(workspaceFile(home, 'a.md')) ? readWorkspaceFile(home, 'a.md') : '';
}

describe('after a power cut', () => {
  it.each([
    ['an older state', (states: string[]) => states[0] ?? ''],
    ['no data', () => ''],
    ['zeros', (states: string[]) => Buffer.alloc((states[2] ?? '').length)],
  ])('a file with %s is brought to the last one', async (_name, leave) => {
    const { home, states } = await homeWithStates();
    setBack(home, leave(states));
    expect(await openAfterReboot(home)).toBe(states[2]);
    expect(humanGit(home, 'log', '--format=%an')).not.toContain('external');
  });

  it('a file that is not there is written', async () => {
    const { home, states } = await homeWithStates();
    fs.rmSync(workspaceFile(home, 'a.md'));
    expect(await openAfterReboot(home)).toBe(states[2]);
  });

  it('an edit made from an older state keeps both', async () => {
    const { home, states } = await homeWithStates();
    setBack(home, `${states[1]}- by hand\n`);
    expect((await openAfterReboot(home)).trim().split('\n').sort()).toEqual(['- by hand', '- one', '- three', '- two']);
  });

  it('a state that a person brought back long after our last write stands', async () => {
    const { home, states } = await homeWithStates();
    writeWorkspaceFile(home, 'a.md', states[0] ?? '');
    const seconds = Date.now() / 1000 + 600;
    fs.utimesSync(workspaceFile(home, 'a.md'), seconds, seconds);
    const workspace = await openWorkspace(home, { bootId: 'second', clock: { now: () => Date.now() + 700_000 } });
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe(states[0]);
  });

  it('a file in place of the folder does not keep the home from opening', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, { bootId: 'first' });
    await workspace.commit(append('folder/a.md', '- one'));
    await workspace.close();
    fs.rmSync(workspaceFile(home, 'folder'), { recursive: true });
    writeWorkspaceFile(home, 'folder', 'a file now\n');
    await openAfterReboot(home);
    expect(readWorkspaceFile(home, 'folder')).toBe('a file now\n');
  });
});

describe('an append-only file', () => {
  const LOG = 'conversations/log.md';

  function appendLog(line: string): CommitRequest {
    const changes = [{ path: LOG, append: Buffer.from(`${line}\n`) }];
    return { repository: 'raw', actor: 'bot:test', summary: line, changes };
  }

  it('gets back the end that a power cut took', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, { bootId: 'first' });
    for (const line of ['one', 'two']) await workspace.commit(appendLog(line));
    await workspace.close();
    fs.writeFileSync(path.join(home, 'raw', LOG), 'on');
    await openAfterReboot(home);
    expect(fs.readFileSync(path.join(home, 'raw', LOG), 'utf8')).toBe('one\ntwo\n');
  });

  it('that somebody removed does not come back with a hole in place of its beginning', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home, { bootId: 'first' });
    await workspace.commit(appendLog('one'));
    await workspace.dropJournal();
    await workspace.commit(appendLog('two'));
    await workspace.close();
    fs.rmSync(path.join(home, 'raw', LOG));
    await openAfterReboot(home);
    expect(fs.existsSync(path.join(home, 'raw', LOG))).toBe(false);
  });
});

describe('after the process ended in the middle', () => {
  class Killed extends Error {}

  /** Opens, commits, and stops dead at a step; the lock is let go as the system would. */
  async function dieAt(home: string, step: Step, request: CommitRequest): Promise<void> {
    let isArmed = false;
    const onStep = (reached: Step): void => {
      if (isArmed && reached === step) throw new Killed();
    };
    const workspace = await openWorkspace(home, { onStep });
    isArmed = true;
    await expect(workspace.commit(request)).rejects.toBeInstanceOf(Killed);
  }

  it.each<Step>(['journaled', 'old-file-linked', 'file-renamed', 'files-applied'])(
    'at %s, both files of a group are there',
    async (step) => {
      const home = await makeHome();
      const group: CommitRequest = {
        actor: 'bot:test',
        summary: 'two files',
        changes: ['a.md', 'b.md'].map((file) => ({ path: file, edit: (text = '') => `${text}- both\n` })),
      };
      await dieAt(home, step, group);
      const next = await openWorkspace(home);
      await next.close();
      expect(['a.md', 'b.md'].map((file) => readWorkspaceFile(home, file))).toEqual(['- both\n', '- both\n']);
      expect(humanGit(home, 'log', '--format=%s')).toMatch(/^\[CREATE\] a\.md \(\+1 more\) — two files\n/);
    },
  );

  it('before the journal, nothing is there, not even a temporary file', async () => {
    const home = await makeHome();
    await dieAt(home, 'temporary-written', append('a.md', '- one'));
    const next = await openWorkspace(home);
    await next.close();
    expect(fs.existsSync(workspaceFile(home, 'a.md'))).toBe(false);
    expect(fs.readdirSync(path.join(home, 'state', 'tmp'))).toEqual([]);
  });
});
