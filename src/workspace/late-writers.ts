import { errorMessage } from '../model/errors.ts';
import { ulidTimeMs } from '../model/ids.ts';
import type { FileStamp } from '../platform/fs.ts';
import type { Door } from './commit.ts';
import type { DoorContext } from './door/context.ts';
import { listHeldFiles, type HeldFile } from './door/hold.ts';
import { JournalVersions } from './door/recent-versions.ts';
import { findSaveBase } from './door/stale-save.ts';
import { blobId } from './known-files.ts';
import { Journal } from './journal/journal.ts';
import { mergeTexts } from './merge-text.ts';
import { decodeText } from './safety/limits.ts';

/** An editor that opened a file before we replaced it has finished writing by then. */
const HOLD_MS = 1000;

export interface Sweep {
  /** Replaced files that are still held: somebody may yet write into them. */
  readonly heldFiles: number;
  /** Late edits that could not be merged, in words; they stay held. */
  readonly problems: readonly string[];
}

interface LateEdit {
  readonly relative: string;
  /** The file's content when it was replaced. */
  readonly oid: string;
  readonly late: Buffer;
  readonly savedAtMs: number;
  /** The edit that an earlier look found and merged. */
  readonly merged: string | undefined;
}

/**
 * A program that had a file open when the write path replaced it goes on writing into the old one, which no longer has a
 * name: its save would vanish. The write path keeps a hard link to each replaced file for a moment; here those are looked at
 * again, and what was written late is merged into the file that is there now.
 */
export class LateWriters {
  readonly #context: DoorContext;
  readonly #door: Door;

  constructor(context: DoorContext, door: Door) {
    this.#context = context;
    this.#door = door;
  }

  async sweep(): Promise<Sweep> {
    const { fs, paths, clock } = this.#context;
    const problems: string[] = [];
    let heldFiles = 0;
    for (const held of listHeldFiles(fs, paths.replaced)) {
      if (clock.now() - ulidTimeMs(held.mutation) < HOLD_MS) {
        heldFiles += 1;
        continue;
      }
      const problem = await this.#mergeLateEdits(held);
      if (problem !== undefined) problems.push(problem);
    }
    return { heldFiles, problems };
  }

  /**
   * Merges until nothing new is found and lets go in the same breath: what is written between the last look and the
   * unlinking would be lost. Returns why an edit could not be merged; it must not keep the home from opening.
   */
  async #mergeLateEdits({ mtimeNs, relative, oid, full, entry }: HeldFile): Promise<string | undefined> {
    const { fs } = this.#context;
    let known = oid;
    let merged: string | undefined;
    for (;;) {
      const stamp = fs.stamp(full);
      const bytes = stamp === undefined || isQuiet(stamp, mtimeNs) ? undefined : fs.read(full);
      if (stamp === undefined || bytes === undefined || blobId(bytes) === known) {
        fs.remove(entry);
        return undefined;
      }
      try {
        merged = await this.#merge({ relative, oid, late: bytes, savedAtMs: toMs(stamp), merged });
        known = blobId(bytes);
      } catch (error) {
        return `an edit of ${relative} waits in ${full}: ${errorMessage(error)}`;
      }
    }
  }

  /** Returns the text that was merged, from which the next late edit of the same file is told apart. */
  async #merge({ relative, oid, late, savedAtMs, merged }: LateEdit): Promise<string | undefined> {
    const theirs = decodeText(late);
    if (theirs.kind !== 'text') return merged;
    const base = merged ?? (await this.#findBase(relative, oid, theirs.text, savedAtMs));
    await this.#door.commit({
      changes: [
        {
          path: relative,
          edit: (current) => mergeTexts(relative, { base, ours: theirs.text, theirs: current ?? '' }).text,
        },
      ],
      actor: 'external',
      approval: '—',
      trigger: 'an editor was still writing the former version',
      action: 'MERGE',
      summary: 'merged an edit made at the same moment',
    });
    return theirs.text;
  }

  async #findBase(relative: string, oid: string, text: string, savedAtMs: number): Promise<string> {
    const { paths, fs, segmentBytes } = this.#context;
    // A separate reader, because that of the write path may be in the middle of a sync.
    const journal = new Journal(paths.writeAhead, fs, segmentBytes);
    try {
      const bytes = journal.findContent(oid) ?? (await this.#context.readBlob(oid));
      const replaced = bytes === undefined ? undefined : decodeText(bytes);
      const recent = new JournalVersions(this.#context, journal);
      return await findSaveBase(
        { path: relative, text, savedAtMs },
        replaced?.kind === 'text' ? replaced.text : '',
        recent,
      );
    } finally {
      journal.close();
    }
  }
}

function toMs({ mtimeNs }: FileStamp): number {
  return Number(mtimeNs / 1_000_000n);
}

/** File times advance in steps of some milliseconds: two writes within one step leave the same time. */
const TIME_STEP_NS = 50_000_000n;

/** Whether nobody has written since the file was held. Being held is what set its change time. */
function isQuiet({ mtimeNs, ctimeNs }: FileStamp, heldMtimeNs: bigint): boolean {
  return mtimeNs === heldMtimeNs && ctimeNs - mtimeNs > TIME_STEP_NS;
}
