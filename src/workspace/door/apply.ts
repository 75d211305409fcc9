import path from 'node:path';
import { blobId } from '../known-files.ts';
import { checkLinks } from '../safety/paths.ts';
import { sameBytes, type StagedFile } from './batch.ts';
import type { DoorContext } from './context.ts';
import { holdPath } from './hold.ts';
import { readRegular, refuseReadOnlyFolder, stampOf } from './regular-file.ts';

/** A file whose place somebody else changed between our reading and our renaming. */
export interface Overtaken {
  readonly path: string;
  /** The bytes read before. */
  readonly lastSeen: Buffer | undefined;
}

interface PendingFile {
  readonly staged: StagedFile;
  readonly target: string;
  readonly temporary: string | undefined;
}

/**
 * Writes a batch's files in two halves around the journal sync: the new contents go to temporary files first, so that
 * a full disk is noticed before anything is promised, and are renamed into place afterwards.
 */
export class FileWriter {
  readonly #context: DoorContext;
  readonly #root: string;
  #pending: PendingFile[] = [];

  constructor(context: DoorContext) {
    this.#context = context;
    this.#root = context.paths.repositories.workspace.workTree;
  }

  writeTemporaries(files: readonly StagedFile[]): void {
    const { fs } = this.#context;
    for (const staged of files) {
      const target = path.join(this.#root, staged.path);
      // Noticed only after the journal has it, it would fail again with every attempt to complete it.
      refuseReadOnlyFolder(fs, target, staged.path);
      this.#refuseLinkedFolder(staged.path);
      let temporary: string | undefined;
      if (staged.current !== undefined) {
        if (staged.onDisk === undefined) fs.makeDirectory(path.dirname(target));
        temporary = this.#context.temporaryFor(target);
        fs.write(temporary, staged.current);
        if (staged.onDisk !== undefined) fs.copyMode(target, temporary);
      }
      this.#pending.push({ staged, target, temporary });
    }
    this.#context.onStep?.('temporary-written');
  }

  discard(): void {
    for (const { temporary } of this.#pending) if (temporary !== undefined) this.#context.fs.remove(temporary);
    this.#pending = [];
  }

  /** Renames everything into place. A file that changed meanwhile is left alone and returned. */
  async applyAll(mutation: string): Promise<Overtaken[]> {
    const overtaken: Overtaken[] = [];
    try {
      for (const file of this.#pending) {
        const late = await this.#applyOne(file, mutation);
        if (late !== undefined) overtaken.push(late);
      }
    } catch (error) {
      // The journal has the contents; what completes them writes its own.
      this.discard();
      throw error;
    }
    this.#pending = [];
    this.#context.onStep?.('files-applied');
    return overtaken;
  }

  async #applyOne({ staged, target, temporary }: PendingFile, mutation: string): Promise<Overtaken | undefined> {
    const { fs, onStep } = this.#context;
    const hold = staged.onDisk === undefined ? undefined : this.#hold(staged.path, staged.onDisk, target, mutation);
    onStep?.('old-file-linked');
    const stamp = stampOf(fs, target);
    const isAsSeen = sameBytes(readRegular(fs, target), staged.onDisk);
    // The second look at the stamp leaves no more than two system calls between the last check and the new file.
    if (!isAsSeen || stampOf(fs, target) !== stamp) {
      if (temporary !== undefined) fs.remove(temporary);
      // The link shows the same edit that is now merged; found later, it would be merged a second time.
      if (hold !== undefined) fs.remove(hold);
      return { path: staged.path, lastSeen: staged.onDisk };
    }
    // Looked at again: the journal was synced meanwhile, and a folder may have become a link.
    this.#refuseLinkedFolder(staged.path);
    if (temporary === undefined) fs.remove(target);
    else await fs.rename(temporary, target);
    onStep?.('file-renamed');
    return undefined;
  }

  /** Refuses a folder on the way that is a link out of the workspace; a link in the file's place is replaced. */
  #refuseLinkedFolder(relative: string): void {
    checkLinks(this.#root, path.posix.dirname(relative));
  }

  /** An editor that has the old file open may still write into it; late-writers.ts looks at the link for that. */
  #hold(relative: string, onDisk: Buffer, target: string, mutation: string): string | undefined {
    const { fs, paths } = this.#context;
    const mtimeNs = fs.stamp(target)?.mtimeNs;
    if (mtimeNs === undefined) return undefined;
    const hold = holdPath(paths.replaced, { mutation, oid: blobId(onDisk), mtimeNs, relative });
    if (path.dirname(hold) !== paths.replaced) fs.makeDirectory(path.dirname(hold));
    return fs.link(target, hold) ? hold : undefined;
  }
}
