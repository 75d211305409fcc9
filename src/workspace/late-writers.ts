import path from 'node:path';
import { ulidTimeMs } from '../model/ids.ts';
import type { Door } from './commit.ts';
import type { DoorContext } from './door/context.ts';
import { HOLD_FOLDER } from './door/hold.ts';
import { blobId } from './git/blob-id.ts';
import { mergeTexts } from './merge-text.ts';
import { decodeText } from './safety/limits.ts';

/** An editor that opened a file before we replaced it has finished writing by then. */
const HOLD_MS = 1000;

/**
 * A program that had a file open when the door replaced it goes on writing into the old one, which no longer has a
 * name: its save would vanish. The door keeps a hard link to each replaced file for a moment; here those are looked at
 * again, and what was written late is merged into the file that is there now.
 */
export class LateWriters {
  readonly #context: DoorContext;
  readonly #door: Door;

  constructor(context: DoorContext, door: Door) {
    this.#context = context;
    this.#door = door;
  }

  async sweep(): Promise<void> {
    const { fs, paths, clock } = this.#context;
    for (const name of fs.list(paths.replaced)) {
      const [, mutation, oid] = HOLD_FOLDER.exec(name) ?? [];
      const folder = path.join(paths.replaced, name);
      if (mutation !== undefined && clock.now() - ulidTimeMs(mutation) < HOLD_MS) continue;
      for (const relative of fs.listFiles(folder)) {
        const bytes = fs.read(path.join(folder, relative));
        if (bytes !== undefined && oid !== undefined && blobId(bytes) !== oid) await this.#merge(relative, oid, bytes);
      }
      fs.remove(folder);
    }
  }

  async #merge(relative: string, oid: string, late: Buffer): Promise<void> {
    const theirs = decodeText(late);
    const before = await this.#context.readBlob(oid);
    const base = before === undefined ? undefined : decodeText(before);
    if (theirs.kind !== 'text') return;
    const baseText = base?.kind === 'text' ? base.text : '';
    await this.#door.commit({
      changes: [
        {
          path: relative,
          edit: (current) => mergeTexts(relative, { base: baseText, ours: theirs.text, theirs: current ?? '' }).text,
        },
      ],
      actor: 'external',
      approval: '—',
      trigger: 'an editor was still writing the former version',
      action: 'MERGE',
      summary: 'merged an edit made at the same moment',
    });
  }
}
