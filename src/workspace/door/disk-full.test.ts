import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { humanGit, makeHome, openWorkspace, readWorkspaceFile, workspaceFile } from '../../../test/support/home.ts';
import { isMnemeError } from '../../model/errors.ts';
import { nodeFileSystem, type FileSystem, type SyncedFile } from '../../platform/fs.ts';
import type { CommitRequest } from './request.ts';

/** A file system whose n-th writing call from now finds the disk full, and every one after it until there is room. */
class FullDisk {
  #callsLeft = Number.POSITIVE_INFINITY;

  readonly fs: FileSystem = {
    ...nodeFileSystem,
    write: (file, bytes) => this.#run(() => nodeFileSystem.write(file, bytes)),
    rename: (from, to) => this.#run(() => nodeFileSystem.rename(from, to)),
    makeDirectory: (directory) => this.#run(() => nodeFileSystem.makeDirectory(directory)),
    syncDirectory: (directory) => this.#run(() => nodeFileSystem.syncDirectory(directory)),
    link: (from, to) => this.#callsLeft > 1 && nodeFileSystem.link(from, to),
    open: (file) => this.#wrap(nodeFileSystem.open(file)),
  };

  fillAfter(calls: number): void {
    this.#callsLeft = calls;
  }

  makeRoom(): void {
    this.#callsLeft = Number.POSITIVE_INFINITY;
  }

  get wasFull(): boolean {
    return this.#callsLeft <= 0;
  }

  #run<T>(body: () => T): T {
    this.#callsLeft -= 1;
    if (this.#callsLeft <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return body();
  }

  #wrap(file: SyncedFile): SyncedFile {
    return {
      size: () => file.size(),
      read: (position, length) => file.read(position, length),
      // A full disk takes the part that fits.
      write: (bytes, position) => {
        file.write(bytes.subarray(0, bytes.length / 2), position);
        this.#run(() => file.write(bytes, position));
      },
      truncate: (size) => file.truncate(size),
      sync: () => this.#run(() => file.sync()),
      close: () => file.close(),
    };
  }
}

function group(line: string): CommitRequest {
  return {
    actor: 'bot:test',
    summary: line,
    changes: ['a.md', 'folder/b.md'].map((file) => ({ path: file, edit: (text = '') => `${text}${line}\n` })),
  };
}

interface Outcome {
  readonly isAcknowledged: boolean;
  readonly wasFull: boolean;
  /** The two files of the group after another commit. */
  readonly texts: readonly string[];
  readonly isInHistory: boolean;
  readonly leftovers: string;
}

/** Commits a group while the disk fills at the n-th call, and another one when there is room again. */
async function commitWithFullDisk(call: number): Promise<Outcome> {
  const home = await makeHome();
  const disk = new FullDisk();
  const workspace = await openWorkspace(home, { fs: disk.fs });
  await workspace.commit(group('- first'));
  disk.fillAfter(call);
  const [second] = await Promise.allSettled([workspace.commit(group('- second'))]);
  const { wasFull } = disk;
  disk.makeRoom();
  await workspace.commit(group('- third'));
  await workspace.close();
  const outcome = {
    isAcknowledged: second?.status === 'fulfilled',
    wasFull,
    texts: ['a.md', 'folder/b.md'].map((file) => readWorkspaceFile(home, file)),
    isInHistory: humanGit(home, 'log', '--format=%s').includes('- second'),
    leftovers: humanGit(home, 'status', '--porcelain') + fs.readdirSync(path.join(home, 'state', 'tmp')).join(),
  };
  fs.rmSync(home, { recursive: true });
  return outcome;
}

describe('a full disk', () => {
  it('at any call: no acknowledgement, nothing half done, and the next commit works', async () => {
    const outcomes: Outcome[] = [];
    while (outcomes.at(-1)?.wasFull !== false) outcomes.push(await commitWithFullDisk(outcomes.length + 1));
    expect(outcomes.length).toBeGreaterThan(6);
    for (const { isAcknowledged, wasFull, texts, isInHistory, leftovers } of outcomes) {
      const whole = isInHistory ? '- first\n- second\n- third\n' : '- first\n- third\n';
      expect(texts).toEqual([whole, whole]);
      expect(isAcknowledged).toBe(!wasFull);
      expect(isInHistory || !isAcknowledged).toBe(true);
      expect(leftovers).toBe('');
    }
  });
});

describe('what cannot be written', () => {
  it('a read-only file is replaced like any other: its folder decides', async () => {
    const home = await makeHome();
    const workspace = await openWorkspace(home);
    await workspace.commit(group('- first'));
    fs.chmodSync(workspaceFile(home, 'a.md'), 0o444);
    await workspace.commit(group('- second'));
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- first\n- second\n');
  });

  it('a read-only folder is refused before anything is promised, and others go on', async () => {
    const home = await makeHome();
    const locked = workspaceFile(home, 'locked');
    // Uses a failure of the file system instead of permissions, which do not bind root.
    const isWritable = (directory: string): boolean => directory !== locked;
    const workspace = await openWorkspace(home, { fs: { ...nodeFileSystem, isWritable } });
    const inLocked: CommitRequest = {
      actor: 'bot:test',
      summary: 'x',
      changes: [{ path: 'locked/a.md', content: 'x\n', base: undefined }],
    };
    const [refused] = await Promise.allSettled([workspace.commit(inLocked), workspace.commit(group('- beside it'))]);
    expect(refused?.status === 'rejected' && isMnemeError(refused.reason, 'refused')).toBe(true);
    await workspace.close();
    expect(readWorkspaceFile(home, 'a.md')).toBe('- beside it\n');
    expect(fs.existsSync(locked)).toBe(false);
  });
});
