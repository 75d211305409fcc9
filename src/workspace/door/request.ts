import { AsyncLocalStorage } from 'node:async_hooks';
import type { Action, Attribution } from '../../model/mutation.ts';
import type { Scope } from '../../model/provenance.ts';
import type { RepositoryName } from '../journal/record.ts';
import type { MergeConflict } from '../markdown/merge.ts';

/** Computes a file's new text from its present one, under the write lock; undefined deletes the file. */
export type EditFunction = (current: string | undefined) => string | undefined;

export type Change =
  /** Preferred: nothing can come between reading and writing. */
  | { readonly path: string; readonly edit: EditFunction }
  /** New content made from `base`, which the caller read earlier; what happened since is merged by block. */
  | {
      readonly path: string;
      readonly content: string | Uint8Array | undefined;
      readonly base: string | Uint8Array | undefined;
    }
  | { readonly path: string; readonly renameTo: string }
  /** Bytes for the end of an append-only file (raw, chain); refused when the file does not end at `at`. */
  | { readonly path: string; readonly append: Uint8Array; readonly at?: number | undefined };

export interface CommitRequest extends Attribution {
  readonly repository?: RepositoryName | undefined;
  /** All of them happen or none. */
  readonly changes: readonly Change[];
  readonly summary: string;
  /** The scope whose words the summary has, where the change also touches files of others: links that follow a rename. */
  readonly summaryScope?: Scope | undefined;
  /** Derived from the changes when not given. */
  readonly action?: Action | undefined;
  /** When it happened; now when not given. */
  readonly timeMs?: number | undefined;
  /**
   * Set by a permanent erasure, which only takes words out: no rule about who owns a file or what it may hold keeps
   * words there.
   */
  readonly isErasure?: boolean | undefined;
  /** Generated files that the request brings in step with what it changes: no other request may write them. */
  readonly generates?: readonly string[] | undefined;
}

export interface FileResult {
  readonly path: string;
  readonly action: Action;
  /** The text as written, undefined after a deletion and for binary or appended content. */
  readonly text: string | undefined;
  /** True when somebody else's changes were merged in. */
  readonly merged: boolean;
  readonly conflicts: readonly MergeConflict[];
}

export interface Redaction {
  readonly path: string;
  readonly rule: string;
  readonly count: number;
}

export interface CommitResult {
  /** undefined when nothing had to change. */
  readonly mutation: string | undefined;
  readonly timeMs: number;
  readonly files: readonly FileResult[];
  readonly redactions: readonly Redaction[];
  /** Things worth saying that did not prevent the write. */
  readonly warnings: readonly string[];
  /** Set when the search index could not take the change; it is then rebuilt from the files. */
  readonly indexError: string | undefined;
}

/** Leave to write a memory that machines share: given for a while, and asked for again at the moment of writing. */
export interface WritePermit {
  /** Throws when somebody else may have written since it was given. */
  assertHolds(): Promise<void>;
}

/** Follows the call that got it through whatever it calls: forty places write, and one that forgot it would be a hole. */
const permits = new AsyncLocalStorage<WritePermit | undefined>();

/** Whatever this writes is written only while the permit holds; without one, nobody is asked. */
export function underPermit<T>(permit: WritePermit | undefined, body: () => Promise<T>): Promise<T> {
  return permits.run(permit, body);
}

/** The permit a request is written with; transcripts and chain are this machine's own and need none. */
export function permitFor({ repository = 'workspace' }: CommitRequest): WritePermit | undefined {
  return repository === 'workspace' ? permits.getStore() : undefined;
}

/** For what is done later, by a timer that somebody else may have started. */
export function keepPermit<T>(body: () => Promise<T>): () => Promise<T> {
  const permit = permits.getStore();
  return () => permits.run(permit, body);
}
