import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';
import type { UlidFactory } from '../../model/ids.ts';
import type { Restoration } from '../git/recorded.ts';
import type { HomePaths } from '../home-paths.ts';
import type { Registries } from '../registries.ts';
import type { Redactor } from '../safety/redact.ts';

/** Named instants of the write path; the crash test ends the process at each of them. */
export type Step =
  | 'lock-taken'
  | 'temporary-written'
  | 'journaled'
  | 'old-file-linked'
  | 'file-renamed'
  | 'files-applied'
  | 'indexed'
  | 'lock-released'
  | 'drain-started'
  | 'commits-imported'
  | 'index-copied'
  | 'index-locked'
  | 'index-renamed'
  | 'reference-updated'
  | 'drain-finished'
  | 'checkpoint-synced'
  | 'segments-removed';

/** The parts of the write path; the composition root supplies the real ones, tests their own. */
export interface DoorContext {
  readonly paths: HomePaths;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly ulids: UlidFactory;
  readonly bootId: string;
  readonly registries: Registries;
  readonly redactor: Redactor;
  readonly maxFileBytes: number;
  /** The same for what is no text. */
  readonly maxAttachmentBytes: number;
  readonly maxChanges: number;
  readonly maxPathChars: number;
  /**
   * The size to which a segment of the journal grows, and how much of it may wait before drained segments are
   * dropped.
   */
  readonly segmentBytes: number;
  /** The time after our write within which a save without it counts as a stale buffer. */
  readonly staleSaveWindowMs: number;
  /** A fresh name on the target's own file system, where a new content can be written and renamed from. */
  readonly temporaryFor: (target: string) => string;
  /** Content of a git blob of the workspace's history. */
  readonly readBlob: (oid: string) => Promise<Buffer | undefined>;
  /** Whether a person brought a file back by git, which looks like a save from a stale buffer but is meant. */
  readonly wasRestoredByGit: (restoration: Restoration) => Promise<boolean>;
  /** A file's contents in the workspace's history since a moment, newest first, and the one before them. */
  readonly readCommitted: (path: string, sinceMs: number) => Promise<readonly { oid: string; content: Buffer }[]>;
  readonly onStep?: ((step: Step) => void) | undefined;
}
