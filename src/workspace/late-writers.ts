import { errorMessage } from '../model/errors.ts';
import { ulidTimeMs } from '../model/ids.ts';
import type { FileStamp } from '../platform/fs.ts';
import type { Door } from './commit.ts';
import type { DoorContext } from './door/context.ts';
import { listHeldFiles, type HeldFile } from './door/hold.ts';
import { JournalVersions } from './door/recent-versions.ts';
import { findSaveBase } from './door/stale-save.ts';
import { blobId } from './git/blob-id.ts';
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

  async sweep(): Promise<Sweep> {
    const { fs, paths, clock } = this.#context;
    const problems: string[] = [];
    let heldFiles = 0;
    const done: Promise<void>[] = [];
    for (const held of listHeldFiles(fs, paths.replaced)) {
      if (clock.now() - ulidTimeMs(held.mutation) < HOLD_MS) {
        heldFiles += 1;
        continue;
      }
      const problem = await this.#mergeLateEdit(held);
      if (problem === undefined) done.push(fs.discard(held.entry));
      else problems.push(problem);
    }
    await Promise.all(done);
    return { heldFiles, problems };
  }

  /** Returns why an edit could not be merged. It must not keep the home from opening. */
  async #mergeLateEdit({ mtimeNs, relative, oid, full }: HeldFile): Promise<string | undefined> {
    const { fs } = this.#context;
    const stamp = fs.stamp(full);
    if (stamp === undefined || isQuiet(stamp, mtimeNs)) return undefined;
    const bytes = fs.read(full);
    if (bytes === undefined || blobId(bytes) === oid) return undefined;
    try {
      await this.#merge(relative, oid, bytes, Number(stamp.mtimeNs / 1_000_000n));
      return undefined;
    } catch (error) {
      return `an edit of ${relative} waits in ${full}: ${errorMessage(error)}`;
    }
  }

  async #merge(relative: string, oid: string, late: Buffer, savedAtMs: number): Promise<void> {
    const theirs = decodeText(late);
    if (theirs.kind !== 'text') return;
    const base = await this.#findBase(relative, oid, theirs.text, savedAtMs);
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
  }

  async #findBase(relative: string, oid: string, text: string, savedAtMs: number): Promise<string> {
    const { paths, fs, segmentBytes } = this.#context;
    // A reader of its own: the door's may be in the middle of a sync.
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

/** File times advance in steps of some milliseconds: two writes within one step leave the same time. */
const TIME_STEP_NS = 50_000_000n;

/** Whether nobody has written since the file was held. Being held is what set its change time. */
function isQuiet({ mtimeNs, ctimeNs }: FileStamp, heldMtimeNs: bigint): boolean {
  return mtimeNs === heldMtimeNs && ctimeNs - mtimeNs > TIME_STEP_NS;
}
