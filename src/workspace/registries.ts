import type { Actor } from '../model/mutation.ts';
import type { JournalRecord, RepositoryName } from './journal/record.ts';
import type { CommitRequest } from './door/request.ts';
import type { MergeConflict } from './markdown/merge.ts';

/** A file as a validator sees it, before anything is written. */
export interface ProposedFile {
  readonly path: string;
  readonly before: string | undefined;
  /** undefined when the file is to be deleted or is not text. */
  readonly after: string | undefined;
}

/** Refuses by throwing a MnemeError; returns warnings otherwise. */
export type Validator = (file: ProposedFile, request: CommitRequest) => readonly string[];

/** A mutation that is durable and in the files. Also called for what a crash left and recovery completed. */
export interface Acknowledged {
  readonly record: JournalRecord;
  readonly isRecovered: boolean;
}

/** A stretch of the journal, as texts that are only compared: whoever knew its beginning now knows its end. */
export interface JournalSpan {
  readonly from: string;
  readonly to: string;
}

export interface Indexable {
  readonly acknowledged: readonly Acknowledged[];
  readonly span: JournalSpan;
  /** Workspace files that a person changed and committed themselves, so that no mutation speaks of them. */
  readonly selfCommitted: readonly string[];
}

/** Brings something derived up to date. A failure is reported in the result and never fails the acknowledgement. */
export type Indexer = (written: Indexable) => void | Promise<void>;

export type Listener = (acknowledged: readonly Acknowledged[]) => void | Promise<void>;

export interface ConflictReport {
  readonly mutation: string;
  readonly path: string;
  readonly conflicts: readonly MergeConflict[];
}

export type ConflictHandler = (report: ConflictReport) => void | Promise<void>;

export interface Erasure {
  /** The texts to remove, verbatim. */
  readonly texts: readonly string[];
  /** The text that takes their place where a place must remain. */
  readonly replacement: string;
  /** Takes every form of the texts out of bytes; returns the same bytes when there is none. */
  readonly erase: (bytes: Buffer) => Buffer;
  /** On whose word. */
  readonly actor: Actor;
}

export interface EraseReport {
  readonly where: string;
  readonly occurrences: number;
  /** Files that hold the words, could not be rewritten now and are tried again, with the reason; one sentence each. */
  readonly left?: readonly string[] | undefined;
  /** Copies that cannot be reached from here, such as remotes. */
  readonly unreachable?: readonly string[] | undefined;
  /** Other things the user should know, such as files of theirs that are elsewhere now. */
  readonly notes?: readonly string[] | undefined;
}

/** Removes texts from one place that keeps any; every module that persists text registers one. */
export interface Eraser {
  readonly name: string;
  /** Keeps copies that nothing else is made from: if only they are left, only they are tried again. */
  readonly isApart?: boolean | undefined;
  erase(erasure: Erasure): Promise<EraseReport>;
}

/**
 * Holds what the layers below plug into the write path. The composition root fills it, so that the write path
 * imports nothing from below it.
 */
export class Registries {
  readonly validators: Validator[] = [];
  readonly indexers: Indexer[] = [];
  /**
   * Write down that a mutation happened, before the write path counts it as complete. After a kill in between they are called
   * again, so that a second call must change nothing. They must not throw.
   */
  readonly recorders: ((acknowledged: readonly Acknowledged[]) => void)[] = [];
  readonly listeners: Listener[] = [];
  readonly conflictHandlers: ConflictHandler[] = [];
  /** Those who have to see the words before anything of them goes. */
  readonly firstErasers: Eraser[] = [];
  readonly erasers: Eraser[] = [];
  /** Called before each step of an erasure; the crash test ends the erasure there. */
  onEraseStep: ((name: string) => void) | undefined;
}

export function isWorkspace(record: { readonly repository: RepositoryName }): boolean {
  return record.repository === 'workspace';
}
